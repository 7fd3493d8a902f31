// Output tensors that show what a kernel failed to write and what it should
// not. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/KernelABI.h"
#include "Runtime/AlignedBuffer.h"
#include "lintel/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lintel {

/// One [rows, columns] tensor for each result, with guard elements before it,
/// after it, and after every row.
class PoisonedOutputs {
public:
  static Expected<PoisonedOutputs> allocate(int results, int64_t rows,
                                            int64_t columns);
  /// Bytes that allocate() takes for one row of all results.
  static int64_t bytesPerRow(int results, int64_t columns);

  /// Fills elements and guards with a NaN that no computation makes.
  void poison();
  /// The tensors, with guards between the rows. The pointers stay valid.
  const KernelTensor *tensors() const { return guarded.data(); }
  /// The same memory without gaps between the rows, as callers lay it out.
  const KernelTensor *denseTensors() const { return dense.data(); }
  /// Of the guarded tensors.
  float at(int result, int64_t row, int64_t column) const;
  /// The element changed since poison().
  bool written(int result, int64_t row, int64_t column) const;
  /// Where a guard was overwritten since poison(), given that only the first
  /// `rows` rows may be written; empty if nowhere.
  std::string damage(int64_t rows) const;

private:
  PoisonedOutputs() = default;
  int64_t rows = 0, columns = 0;
  std::vector<AlignedBuffer> buffers;
  std::vector<KernelTensor> guarded, dense;
};

} // namespace lintel
