// Roundings that are expanded to arithmetic give what the C library gives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "JIT/Loader.h"
#include "unit/JIT/Objects.h"
#include "unit/JIT/RunLayer.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

using namespace lintel;

namespace {

bool hostRuns(IsaLevel isa) {
  switch (isa) {
  case IsaLevel::x86_64:
    return true;
  case IsaLevel::avx2:
    return __builtin_cpu_supports("x86-64-v3");
  case IsaLevel::avx512:
    return __builtin_cpu_supports("x86-64-v4");
  }
  return false;
}

std::vector<float> interestingValues() {
  std::vector<float> values;
  for (float magnitude :
       {0.0f,          1e-38f,
        0.25f,         0.49999997f,
        0.5f,          0.50000006f,
        0.75f,         1.0f,
        1.5f,          2.5f,
        3.5f,          1000.5f,
        4194303.5f,    4194304.5f,
        8388607.0f,    8388607.5f,
        8388608.0f,    16777217.0f,
        2147483648.0f, 4294967296.0f,
        3e38f,         std::numeric_limits<float>::infinity()}) {
    values.push_back(magnitude);
    values.push_back(-magnitude);
  }
  values.push_back(std::numeric_limits<float>::quiet_NaN());
  return values;
}

class Rounding : public ::testing::TestWithParam<IsaLevel> {};

TEST_P(Rounding, GivesWhatTheLibraryGives) {
  if (!hostRuns(GetParam()))
    GTEST_SKIP() << "this CPU cannot run " << toString(GetParam());
  Target target;
  target.isa = GetParam();
  auto compiler = std::move(*Compiler::create(target));
  auto loader = std::move(*Loader::create());
  const std::vector<float> values = interestingValues();
  const int64_t count = static_cast<int64_t>(values.size());
  struct Case {
    const char *operation;
    float (*expected)(float);
  };
  for (const Case &c :
       {Case{"math.floor", std::floor}, Case{"math.ceil", std::ceil},
        Case{"math.trunc", std::trunc}, Case{"math.round", std::round},
        Case{"math.roundeven", std::nearbyint}}) {
    // What is rounded is an operand: a sum, begun at 0, is never -0.
    std::string region = "{ ^bb0(%a: f32, %b: f32): %r = \"" +
                         std::string(c.operation) +
                         "\"(%b) : (f32) -> f32 \"lintel.yield\"(%r) : (f32) "
                         "-> () }";
    Problem problem =
        Problem::create(
            1, count, 1, DataTypes(),
            Epilogue::fromRegion(region, {{"operand0", Broadcast::column}}, 1))
            .value();
    auto object =
        compiler->compile(problem, Schedule::parse("tile=2x16").value());
    ASSERT_TRUE(object) << c.operation << ": " << object.error().message();
    auto kernel = loader->load(object->bytes, kKernelSymbol);
    ASSERT_TRUE(kernel) << kernel.error().message();
    auto rounded = runLayer(**kernel, {/*m=*/1,
                                       count,
                                       /*k=*/1,
                                       /*nr=*/16,
                                       {1},
                                       std::vector<float>(values.size(), 1),
                                       values});
    for (int64_t i = 0; i < count; ++i) {
      float expected = c.expected(values[i]);
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(rounded[i])) << c.operation;
      else // 0 and -0 compare equal, but are not the same result
        EXPECT_EQ(std::bit_cast<uint32_t>(rounded[i]),
                  std::bit_cast<uint32_t>(expected))
            << c.operation << " of " << values[i] << " is " << rounded[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(IsaLevels, Rounding,
                         ::testing::Values(IsaLevel::x86_64, IsaLevel::avx2,
                                           IsaLevel::avx512),
                         [](const auto &info) {
                           return std::string(toString(info.param));
                         });

} // namespace
