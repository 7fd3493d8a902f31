// Sums of products by plain loops, and the oracle of a problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/Oracle.h"
#include "Reference/TestData.h"

#include <cmath>
#include <gtest/gtest.h>
#include <memory>

namespace lintel {

inline std::unique_ptr<Oracle> oracleOf(const Problem &problem) {
  Expected<std::unique_ptr<Oracle>> oracle = Oracle::create(problem);
  EXPECT_TRUE(oracle) << oracle.error().message();
  return std::move(*oracle);
}

inline double plainSum(const TestData &data, int64_t depth, int64_t m,
                       int64_t n) {
  double sum = 0;
  for (int64_t k = 0; k < depth; ++k)
    sum += double(data.x()[size_t(m * depth + k)]) *
           data.w()[size_t(n * depth + k)];
  return sum;
}

/// What f32 hardware would compute, adding from the first k to the last.
inline float floatSum(const TestData &data, int64_t depth, int64_t m,
                      int64_t n) {
  float sum = 0;
  for (int64_t k = 0; k < depth; ++k)
    sum = std::fma(data.x()[size_t(m * depth + k)],
                   data.w()[size_t(n * depth + k)], sum);
  return sum;
}

} // namespace lintel
