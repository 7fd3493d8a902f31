// Inputs for checking and timing kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/Oracle.h"
#include "Reference/TypedTensor.h"
#include "lintel/Problem.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace lintel {

enum class Fill : uint8_t {
  /// Small integers times a power of two, which every float type holds: every
  /// partial sum is exact in f32 in any order, for any K, and sums are of
  /// magnitude about 1, where epilogues bend. A single wrong product shows, and
  /// where f16 is split into two bf16, a single wrong part. Beyond K = 2^19, of
  /// f16 2^10 (with sums of f16 2^17), w is partly zero.
  /// Operands are multiples of 1/8 from -1 to 1.
  exact,
  /// Normally distributed, w scaled by 1 / sqrt(K) so that sums are about 1;
  /// rounded to the types.
  gaussian,
  // Integers are of any value with either. Their scales make results of about
  // 1, some of which an integer does not hold.
};

/// Calls work(0) to work(parts - 1), perhaps several at the same time, and
/// returns when all have returned.
using RunParts =
    std::function<void(size_t parts, const std::function<void(size_t)> &work)>;
void runPartsInOrder(size_t parts, const std::function<void(size_t)> &work);

/// The distance, in elements, between rows of a tensor of so many columns that
/// stands for one of `wholeColumns`, if these are more: rows that would share a
/// place in a cache there shall do so here.
int64_t strideOfSlice(int64_t columns, int64_t wholeColumns, DType type);

/// Owns x, w and the epilogue operands of one call, each in its type, densely
/// packed but for full operands of a slice of `wholeColumns` columns. The same
/// arguments give the same data everywhere, however the parts are run. The
/// caller makes sure that it fits in memory.
class TestData {
public:
  TestData(const Problem &problem, int64_t m, Fill fill, uint64_t seed,
           int64_t wholeColumns = 0, const RunParts &run = runPartsInOrder);
  LinearInputs inputs() const;
  const TypedTensor &x() const { return xData; }
  const TypedTensor &w() const { return wData; }
  const std::vector<TypedTensor> &operands() const { return operandData; }
  bool exactSums() const { return exact; }

private:
  int64_t rows, columns, depth;
  bool exact;
  TypedTensor xData, wData;
  std::vector<TypedTensor> operandData;
  std::vector<int64_t> operandStrides;
};

} // namespace lintel
