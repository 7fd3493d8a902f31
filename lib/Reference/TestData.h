// Inputs for checking and timing kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/Oracle.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <vector>

namespace lintel {

enum class Fill : uint8_t {
  /// Small integers times a power of two: every partial sum is exact in f32 in
  /// any order, and sums are of magnitude about 1, where epilogues bend. A single
  /// wrong product shows.
  exact,
  /// Normally distributed.
  gaussian,
};

/// Owns x, w and the epilogue operands of one call, densely packed.
class TestData {
public:
  TestData(const Problem &problem, int64_t m, Fill fill, uint64_t seed);
  LinearInputs inputs() const;
  const std::vector<float> &x() const { return xData; }
  const std::vector<float> &w() const { return wData; }
  const std::vector<std::vector<float>> &operands() const { return operandData; }
  bool exactSums() const { return exact; }

private:
  int64_t rows, columns, depth;
  bool exact;
  std::vector<float> xData, wData;
  std::vector<std::vector<float>> operandData;
  std::vector<int64_t> operandStrides;
};

} // namespace lintel
