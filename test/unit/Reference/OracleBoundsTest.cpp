// How tight the oracle's bounds are, and where it has none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit/Reference/PlainSums.h"

#include "Reference/Oracle.h"
#include "Reference/TestData.h"

#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

using namespace lintel;

namespace {

constexpr double kEps = 0x1p-23;
constexpr double kInf = std::numeric_limits<double>::infinity();

Problem problemOf(const std::string &text) {
  Expected<Problem> problem = Problem::parse(text);
  EXPECT_TRUE(problem) << problem.error().message();
  return *problem;
}

TEST(OracleBoundsTest, ExactSumsThroughExactEpiloguesMustBeMetBitByBit) {
  for (const char *epilogue :
       {"none", "bias", "relu", "bias+relu+residual", "clamp(-1,1)+bias"}) {
    Problem problem = problemOf("4x768:768x200 " + std::string(epilogue));
    auto oracle = oracleOf(problem);
    TestData data(problem, 4, Fill::exact, 9);
    std::vector<ReferenceElement> row;
    oracle->evaluateRow(data.inputs(), 2, true, row);
    for (const ReferenceElement &element : row) {
      EXPECT_EQ(element.bound, FLT_MIN) << epilogue;
      EXPECT_EQ(element.value, float(element.value)) << epilogue;
    }
  }
}

TEST(OracleBoundsTest, SumsInF32KeepTheBound) {
  for (int64_t k : {1, 2, 33, 768, 5000}) {
    std::string depth = std::to_string(k);
    Problem problem =
        problemOf("2x" + depth + ":" + depth + "x40 bias+gelu_erf");
    auto oracle = oracleOf(problem);
    TestData data(problem, 2, Fill::gaussian, 10);
    std::vector<ReferenceElement> row;
    oracle->evaluateRow(data.inputs(), 1, false, row);
    for (int64_t c = 0; c < 40; ++c) {
      float t = floatSum(data, k, 1, c) + data.operands()[0][size_t(c)];
      float value =
          t * 0.5f * (1 + std::erf(t * float(std::numbers::sqrt2 / 2)));
      EXPECT_LE(normalizedError(row[size_t(c)], value), 1) << k << " " << c;
    }
  }
}

TEST(OracleBoundsTest, BoundWithoutExactSumsGrowsWithTheDepth) {
  Problem problem = problemOf("1x64:64x8");
  auto oracle = oracleOf(problem);
  TestData data(problem, 1, Fill::gaussian, 11);
  std::vector<ReferenceElement> row;
  oracle->evaluateRow(data.inputs(), 0, false, row);
  for (int64_t c = 0; c < 8; ++c) {
    double magnitude = 0;
    for (size_t k = 0; k < 64; ++k)
      magnitude += std::abs(double(data.x()[k]) * data.w()[size_t(c) * 64 + k]);
    EXPECT_NEAR(row[size_t(c)].bound, 64 * kEps * magnitude,
                1e-2 * 64 * kEps * magnitude);
  }
}

TEST(OracleBoundsTest, OneWrongProductShows) {
  Problem problem = problemOf("1x768:768x64 bias+gelu_erf");
  auto oracle = oracleOf(problem);
  TestData data(problem, 1, Fill::exact, 12);
  std::vector<ReferenceElement> row;
  oracle->evaluateRow(data.inputs(), 0, true, row);
  for (int64_t c = 0; c < 64; ++c) {
    // The last k is left out, as by a kernel with a wrong tail.
    double missing = double(data.x()[767]) * data.w()[size_t(c * 768 + 767)];
    double t =
        plainSum(data, 768, 0, c) - missing + data.operands()[0][size_t(c)];
    double value = t / 2 * (1 + std::erf(t / std::numbers::sqrt2));
    EXPECT_GT(normalizedError(row[size_t(c)], value), 1) << c;
  }
}

TEST(OracleBoundsTest, TheSumItselfOverflowsAsInF32) {
  auto oracle = oracleOf(problemOf("1x2:2x1"));
  float x[] = {2e38f, 2e38f}, w[] = {1, 1};
  std::vector<ReferenceElement> row;
  oracle->evaluateRow({1, {x, 2}, {w, 2}, {}}, 0, true, row);
  EXPECT_EQ(row[0].value, kInf);
}

TEST(OracleBoundsTest, TheEpilogueSeesTheSumInF32) {
  Epilogue epilogue = Epilogue::fromRegion(
      "{ ^bb0(%a: f32): %0 = \"arith.constant\"() <{value = 1.0 : f32}> : () "
      "-> "
      "f32 %1 = \"arith.mulf\"(%a, %0) : (f32, f32) -> f32 "
      "%2 = \"arith.subf\"(%a, %1) : (f32, f32) -> f32 "
      "\"lintel.yield\"(%2) : (f32) -> () }",
      {}, 1);
  Expected<Problem> problem = Problem::create(1, 1, 2, DataTypes(), epilogue);
  auto oracle = oracleOf(*problem);
  float x[] = {1, 0x1p-30f}, w[] = {1, 1};
  std::vector<ReferenceElement> row;
  oracle->evaluateRow({1, {x, 2}, {w, 2}, {}}, 0, false, row);
  EXPECT_EQ(row[0].value, 0);
}

TEST(OracleBoundsTest, AnInfiniteSumHasNoDoubt) {
  auto oracle = oracleOf(problemOf("1x2:2x1"));
  float x[] = {float(kInf), 1}, w[] = {1, 1};
  std::vector<ReferenceElement> row;
  oracle->evaluateRow({1, {x, 2}, {w, 2}, {}}, 0, false, row);
  EXPECT_EQ(normalizedError(row[0], kInf), 0);
  EXPECT_EQ(normalizedError(row[0], 1), kInf);
}

TEST(OracleBoundsTest, TheEdgeOfADomainWithinTheDoubtLeavesNoBound) {
  Epilogue epilogue = Epilogue::fromRegion(
      "{ ^bb0(%a: f32): %0 = \"math.log\"(%a) : (f32) -> f32 "
      "\"lintel.yield\"(%0) : (f32) -> () }",
      {}, 1);
  Expected<Problem> problem = Problem::create(1, 1, 2, DataTypes(), epilogue);
  auto oracle = oracleOf(*problem);
  float x[] = {1, 1}, w[] = {1, -0.99999994f};
  std::vector<ReferenceElement> row;
  oracle->evaluateRow({1, {x, 2}, {w, 2}, {}}, 0, false, row);
  EXPECT_EQ(row[0].bound, kInf);
  EXPECT_EQ(normalizedError(row[0], -1), 0);
}

/// The sum is halfway between two bf16, where it rounds down without doubt; a
/// kernel that adds in another order is one f32 above, and rounds up.
TEST(OracleBoundsTest, RoundingWithinARegionIsAsDoubtfulAsTheSum) {
  const Epilogue epilogue = Epilogue::fromRegion(
      "{ ^bb0(%a: f32): %h = \"arith.truncf\"(%a) : (f32) -> bf16 "
      "%r = \"arith.extf\"(%h) : (bf16) -> f32 "
      "\"lintel.yield\"(%r) : (f32) -> () }",
      {}, 1);
  const Problem problem = *Problem::create(1, 1, 4, DataTypes(), epilogue);
  float x[] = {1 + 0x1p-8f, 0x1.8p-24f, -0x1.8p-25f, -0x1.8p-25f};
  float w[] = {1, 1, 1, 1};
  float sum = 0;
  for (float addend : x)
    sum += addend;
  ASSERT_EQ(sum, 1 + 0x1p-8f + 0x1p-23f);
  std::vector<ReferenceElement> row;
  oracleOf(problem)->evaluateRow({1, {x, 4}, {w, 4}, {}}, 0, false, row);
  EXPECT_EQ(row[0].value, 1);
  EXPECT_LE(normalizedError(row[0], 1 + 0x1p-7f), 1);
  EXPECT_GT(normalizedError(row[0], 1 + 0x1p-6f), 1);
}

/// A sum of 0 whose doubt is 0.5, in which f ends where it began.
TEST(OracleBoundsTest, WhatComesBackWithinTheDoubtIsDoubtfulAllTheSame) {
  const auto boundOf = [](const std::string &function) {
    const Epilogue epilogue =
        Epilogue::fromRegion("{ ^bb0(%a: f32): " + function +
                                 " \"lintel.yield\"(%r) : (f32) -> () }",
                             {}, 1);
    const Problem problem = *Problem::create(1, 1, 2, DataTypes(), epilogue);
    float x[] = {1, 1}, w[] = {0x1p20f, -0x1p20f};
    std::vector<ReferenceElement> row;
    oracleOf(problem)->evaluateRow({1, {x, 2}, {w, 2}, {}}, 0, false, row);
    EXPECT_EQ(row[0].value, 0) << function;
    return row[0].bound;
  };
  const auto scaled = [](const std::string &by) {
    return "%c = \"arith.constant\"() <{value = " + by +
           " : f32}> : () -> f32 %m = \"arith.mulf\"(%a, %c) : (f32, f32) -> "
           "f32 ";
  };
  const std::string fourPi = "12.566370614359172", four = "4.0";
  EXPECT_GE(boundOf(scaled(fourPi) + "%r = \"math.sin\"(%m) : (f32) -> f32"),
            1);
  EXPECT_GE(boundOf(scaled(four) +
                    "%f = \"math.floor\"(%m) : (f32) -> f32 %r = "
                    "\"arith.subf\"(%m, %f) : (f32, f32) -> f32"),
            1);
  // Only true in between.
  EXPECT_GE(boundOf("%z = \"arith.constant\"() <{value = 0.25 : f32}> : () -> "
                    "f32 %o = \"arith.constant\"() <{value = 0.0 : f32}> : () "
                    "-> f32 %i = \"math.absf\"(%a) : (f32) -> f32 %t = "
                    "\"arith.cmpf\"(%i, %z) <{predicate = 1 : i64}> : (f32, "
                    "f32) -> i1 %r = \"arith.select\"(%t, %z, %o) : (i1, f32, "
                    "f32) -> f32"),
            0.25);
  // What only rises is as far off as its ends.
  EXPECT_NEAR(boundOf(scaled(four) + "%r = \"math.tanh\"(%m) : (f32) -> f32"),
              std::tanh(2), 1e-4);
}

} // namespace
