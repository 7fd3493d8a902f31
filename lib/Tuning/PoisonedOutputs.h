// Output tensors that show what a kernel wrote too little or too much.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/KernelABI.h"
#include "Runtime/AlignedBuffer.h"
#include "lintel/DType.h"
#include "lintel/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lintel {

/// What the outputs of a layer are.
struct OutputShape {
  int results = 1;
  int64_t rows = 0, columns = 0;
  DType dtype = DType::f32;
};

/// One [rows, columns] tensor for each result, with guard elements before it,
/// after it, and after every row.
class PoisonedOutputs {
public:
  /// `denseStride` >= columns: of denseTensors().
  static Expected<PoisonedOutputs> allocate(const OutputShape &shape,
                                            int64_t denseStride);
  /// Bytes that allocate() takes for one row of all results, if `denseStride`
  /// is the columns.
  static int64_t bytesPerRow(const OutputShape &shape);

  /// Fills elements and guards with a NaN that no computation makes, or with an
  /// integer that may also be a right result, another one than the time before:
  /// what a kernel leaves out differs between two runs of it.
  void poison();
  /// The tensors, with guards between the rows. The pointers stay valid.
  const KernelTensor *tensors() const { return guarded.data(); }
  /// The same memory without guards between the rows, as callers lay it out.
  const KernelTensor *denseTensors() const { return dense.data(); }
  /// Of the guarded tensors.
  float at(int result, int64_t row, int64_t column) const;
  /// Elements of one row, in their type.
  const std::byte *rowOf(int result, int64_t row) const;
  /// The element changed since poison().
  bool written(int result, int64_t row, int64_t column) const;
  /// Where an element of the first `rows` rows, from `firstColumn` on, was left
  /// as poison() made it; empty if nowhere, or if elements are integers, of
  /// which that may be one.
  std::string gap(int64_t rows, int64_t firstColumn = 0) const;
  /// Where something was overwritten since poison() that should not, given that
  /// only the first `rows` rows may be written, and in them only the columns
  /// from `firstColumn` on; empty if nowhere.
  std::string damage(int64_t rows, int64_t firstColumn = 0) const;

private:
  explicit PoisonedOutputs(const OutputShape &shape) : shape(shape) {}
  /// Elements between rows of the guarded tensors.
  int64_t stride() const;
  int64_t firstWritten(int result, int64_t begin, int64_t end) const;

  /// Calls f with the poison for the elements, as bits.
  template <class F> auto withPoison(F f) const;

  OutputShape shape;
  uint8_t integerPoison = 0x5a; ///< of the last poison()
  std::vector<AlignedBuffer> buffers;
  std::vector<KernelTensor> guarded, dense;
};

} // namespace lintel
