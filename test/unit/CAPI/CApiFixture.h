// An engine and a small layer behind the C ABI.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel-c/lintel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace lintel {

inline constexpr int64_t kRows = 5, kDepth = 24, kColumns = 40;
inline constexpr const char *kProblem = "5x24:24x40 bias+relu";

inline lintel_engine_options engineOptions() {
  lintel_engine_options options = {};
  options.struct_size = sizeof options;
  options.disable_cache = 1;
  options.threads = 1;
  return options;
}

inline lintel_compile_options compileOptions() {
  lintel_compile_options options = {};
  options.struct_size = sizeof options;
  options.budget_milliseconds = 20;
  return options;
}

/// An engine on one thread without a cache, kProblem, and data for it.
class CApiTest : public testing::Test {
protected:
  void SetUp() override {
    const lintel_engine_options options = engineOptions();
    ASSERT_EQ(lintel_engine_create(&options, &engine), LINTEL_OK)
        << lintel_last_error();
    ASSERT_EQ(lintel_problem_parse(kProblem, "f32", &problem), LINTEL_OK)
        << lintel_last_error();
  }
  void TearDown() override {
    lintel_linear_free(linear);
    lintel_problem_free(problem);
    lintel_engine_free(engine);
  }
  void compile() {
    const lintel_compile_options options = compileOptions();
    ASSERT_EQ(lintel_compile(engine, problem, &options, &linear), LINTEL_OK)
        << lintel_last_error();
  }
  lintel_status run() {
    const lintel_tensor operand = {bias.data(), 0},
                        output = {out.data(), kColumns};
    return lintel_linear_run(linear, x.data(), kDepth, kRows, &operand, 1,
                             &output, 1);
  }
  void expectRight() {
    for (int64_t m = 0; m < kRows; ++m)
      for (int64_t n = 0; n < kColumns; ++n) {
        double sum = bias[n];
        for (int64_t k = 0; k < kDepth; ++k)
          sum += double(x[m * kDepth + k]) * w[n * kDepth + k];
        ASSERT_NEAR(out[m * kColumns + n], std::max(sum, 0.0), 1e-4)
            << m << ", " << n;
      }
  }
  static std::vector<float> numbers(int64_t count) {
    std::vector<float> values(count);
    for (int64_t i = 0; i < count; ++i)
      values[i] = float(i * 2654435761u % 2001) / 1000 - 1;
    return values;
  }

  lintel_engine *engine = nullptr;
  lintel_problem *problem = nullptr;
  lintel_linear *linear = nullptr;
  std::vector<float> x = numbers(kRows * kDepth),
                     w = numbers(kColumns * kDepth), bias = numbers(kColumns);
  std::vector<float> out = std::vector<float>(
      kRows * kColumns, std::numeric_limits<float>::quiet_NaN());
};

} // namespace lintel
