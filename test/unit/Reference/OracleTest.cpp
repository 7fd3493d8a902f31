// The oracle against plain loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit/Reference/PlainSums.h"

#include "Reference/Oracle.h"
#include "Reference/TestData.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

using namespace lintel;
using testing::HasSubstr;

namespace {

constexpr double kEps = 0x1p-23;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Problem problemOf(const std::string &text) {
  Expected<Problem> problem = Problem::parse(text);
  EXPECT_TRUE(problem) << problem.error().message();
  return *problem;
}

//===----------------------------------------------------------------------===//
// Named epilogues
//===----------------------------------------------------------------------===//

struct Named {
  const char *epilogue;
  /// of the sum and, for the epilogues that read a tensor, its element
  std::function<double(double, double)> function;
};
class NamedEpilogueTest : public testing::TestWithParam<Named> {};

double f(float v) { return v; }

/// The oracle's value for one accumulator and operand.
ReferenceElement elementAt(const Oracle &oracle, float accumulator,
                           float operand) {
  float one = 1;
  LinearInputs inputs{1, {&accumulator, 1}, {&one, 1}, {{&operand, 1}}};
  std::vector<ReferenceElement> out;
  oracle.evaluateElement(inputs, 0, 0, true, out);
  EXPECT_EQ(out.size(), 1u);
  return out[0];
}

TEST_P(NamedEpilogueTest, AgreesWithTheFormulaInDoublePrecision) {
  auto oracle =
      oracleOf(problemOf("1x1:1x1 " + std::string(GetParam().epilogue)));
  for (float v : {0.0f,  1e-30f, 1e-6f, 0.1f,   0.5f,    1.0f,   2.0f,
                  5.9f,  6.5f,   20.0f, 100.0f, -1e-6f,  -0.1f,  -0.5f,
                  -1.0f, -3.0f,  -8.0f, -20.0f, -100.0f, -1e10f, 1e30f}) {
    ReferenceElement element = elementAt(*oracle, v, 0.375f);
    double expected = GetParam().function(v, 0.375);
    // The op's constants are f32: one of them may be off by an eps/2.
    EXPECT_NEAR(element.value, expected,
                4 * kEps * std::max(std::abs(double(v)), std::abs(expected)) +
                    FLT_MIN)
        << v;
    EXPECT_LE(std::abs(element.value - expected), element.bound) << v;
    EXPECT_LE(element.bound, 300 * kEps * std::max(1.0, std::abs(double(v))))
        << v;
  }
  EXPECT_TRUE(std::isnan(elementAt(*oracle, float(kNaN), 0.375f).value));
}

double sigmoid(double v) { return 1 / (1 + std::exp(-v)); }

INSTANTIATE_TEST_SUITE_P(
    All, NamedEpilogueTest,
    testing::Values(
        Named{"none", [](double v, double) { return v; }},
        Named{"bias", [](double v, double b) { return v + b; }},
        Named{"residual", [](double v, double b) { return v + b; }},
        Named{"mul", [](double v, double b) { return v * b; }},
        Named{"relu", [](double v, double) { return std::max(v, 0.0); }},
        Named{"clamp",
              [](double v, double) { return std::clamp(v, 0.0, 6.0); }},
        Named{"clamp(-0.5,0.1)",
              [](double v, double) { return std::clamp(v, -0.5, f(0.1f)); }},
        Named{"tanh", [](double v, double) { return std::tanh(v); }},
        Named{"sigmoid", [](double v, double) { return sigmoid(v); }},
        Named{"silu", [](double v, double) { return v * sigmoid(v); }},
        Named{"gelu_erf",
              [](double v, double) {
                return v / 2 * (1 + std::erf(v / std::numbers::sqrt2));
              }},
        Named{"gelu_tanh",
              [](double v, double) {
                double inner = std::sqrt(2 / std::numbers::pi) *
                               (v + 0.044715 * v * v * v);
                // v / 2 (1 + tanh(inner)), which would cancel below -8
                return v / (1 + std::exp(-2 * inner));
              }},
        Named{"bias+gelu_erf", [](double v, double b) {
                double t = v + b;
                return t / 2 * (1 + std::erf(t / std::numbers::sqrt2));
              }}));

TEST(OracleTest, InfinitiesGoWhereTheFormulasSendThem) {
  struct Row {
    const char *epilogue;
    double atPlus, atMinus;
  };
  for (const Row &row :
       {Row{"none", kInf, -kInf}, Row{"relu", kInf, 0}, Row{"clamp", 6, 0},
        Row{"tanh", 1, -1}, Row{"sigmoid", 1, 0}, Row{"silu", kInf, kNaN},
        Row{"gelu_erf", kInf, kNaN}, Row{"gelu_tanh", kInf, kNaN}}) {
    auto oracle = oracleOf(problemOf("1x1:1x1 " + std::string(row.epilogue)));
    EXPECT_EQ(
        normalizedError({row.atPlus, 0}, elementAt(*oracle, INFINITY, 0).value),
        0)
        << row.epilogue;
    EXPECT_EQ(normalizedError({row.atMinus, 0},
                              elementAt(*oracle, -INFINITY, 0).value),
              0)
        << row.epilogue;
  }
}

TEST(OracleTest, SigmoidBoundStaysRelativeFarFromZero) {
  auto oracle = oracleOf(problemOf("1x1:1x1 sigmoid"));
  ReferenceElement element = elementAt(*oracle, -20, 0);
  EXPECT_LT(element.bound, 100 * kEps * element.value);
}

//===----------------------------------------------------------------------===//
// Shapes, strides, broadcasts
//===----------------------------------------------------------------------===//

TEST(OracleTest, RowsAgreeWithATripleLoop) {
  // Around the 128 columns that are evaluated at once.
  for (int64_t n : {1, 4, 127, 128, 129, 300})
    for (int64_t k : {1, 7, 64, 257}) {
      std::string depth = std::to_string(k);
      Problem problem = problemOf("?x" + depth + ":" + depth + "x" +
                                  std::to_string(n) + " bias+relu+residual");
      auto oracle = oracleOf(problem);
      TestData data(problem, 3, Fill::exact, 5);
      std::vector<ReferenceElement> row, element;
      for (int64_t m = 0; m < 3; ++m) {
        oracle->evaluateRow(data.inputs(), m, true, row);
        ASSERT_EQ(row.size(), size_t(n));
        for (int64_t c = 0; c < n; ++c) {
          double expected =
              std::max(plainSum(data, k, m, c) + data.operands()[0][size_t(c)],
                       0.0) +
              data.operands()[1][size_t(m * n + c)];
          ASSERT_EQ(row[size_t(c)].value, expected) << m << " " << c;
          oracle->evaluateElement(data.inputs(), m, c, true, element);
          ASSERT_EQ(element.size(), 1u);
          ASSERT_EQ(element[0].value, expected);
          ASSERT_EQ(element[0].bound, row[size_t(c)].bound);
        }
      }
    }
}

Problem regionProblem(int64_t n, int64_t k) {
  // Two results over every kind of broadcast.
  const char *region =
      "{ ^bb0(%acc: f32, %s: f32, %c: f32, %r: f32, %f: f32): "
      "%0 = \"math.fma\"(%acc, %s, %c) : (f32, f32, f32) -> f32 "
      "%1 = \"arith.subf\"(%r, %f) : (f32, f32) -> f32 "
      "\"lintel.yield\"(%0, %1) : (f32, f32) -> () }";
  Epilogue epilogue = Epilogue::fromRegion(region,
                                           {{"operand0", Broadcast::scalar},
                                            {"operand1", Broadcast::column},
                                            {"operand2", Broadcast::row},
                                            {"operand3", Broadcast::full}},
                                           2);
  Expected<Problem> problem =
      Problem::create(std::nullopt, n, k, DataTypes(), epilogue);
  EXPECT_TRUE(problem);
  return *problem;
}

TEST(OracleTest, BroadcastsAndSeveralResults) {
  const int64_t n = 130;
  Problem problem = regionProblem(n, 9);
  auto oracle = oracleOf(problem);
  TestData data(problem, 4, Fill::exact, 6);
  const auto &operands = data.operands();
  std::vector<ReferenceElement> row, element;
  for (int64_t m = 0; m < 4; ++m) {
    oracle->evaluateRow(data.inputs(), m, true, row);
    ASSERT_EQ(row.size(), size_t(2 * n));
    for (int64_t c = 0; c < n; ++c) {
      EXPECT_EQ(row[size_t(c)].value, plainSum(data, 9, m, c) * operands[0][0] +
                                          operands[1][size_t(c)]);
      EXPECT_EQ(row[size_t(n + c)].value,
                operands[2][size_t(m)] - operands[3][size_t(m * n + c)]);
    }
    oracle->evaluateElement(data.inputs(), m, 7, true, element);
    ASSERT_EQ(element.size(), 2u);
    EXPECT_EQ(element[0].value, row[7].value);
    EXPECT_EQ(element[1].value, row[size_t(n + 7)].value);
  }
}

TEST(OracleTest, StridesLargerThanTheRows) {
  Problem problem = regionProblem(2, 2);
  auto oracle = oracleOf(problem);
  float poison = float(kNaN);
  float x[] = {1, 2, poison, 3, 4, poison},
        w[] = {5, 6, poison, poison, 7, 8, poison, poison};
  float s = 2, c[] = {10, 20}, r[] = {1, poison, 3, poison},
        full[] = {1, 2, poison, 3, 4, poison};
  LinearInputs inputs{
      2, {x, 3}, {w, 4}, {{&s, 99}, {c, 99}, {r, 2}, {full, 3}}};
  std::vector<ReferenceElement> row;
  oracle->evaluateRow(inputs, 1, true, row);
  EXPECT_EQ(row[0].value, 2 * (3 * 5 + 4 * 6) + 10);
  EXPECT_EQ(row[1].value, 2 * (3 * 7 + 4 * 8) + 20);
  EXPECT_EQ(row[2].value, 3 - 3);
  EXPECT_EQ(row[3].value, 3 - 4);
}

TEST(OracleTest, DepthZeroGivesTheEpilogueOfZero) {
  Problem problem = problemOf("2x0:0x5 bias+sigmoid");
  auto oracle = oracleOf(problem);
  TestData data(problem, 2, Fill::gaussian, 7);
  std::vector<ReferenceElement> row;
  for (bool exactSums : {false, true}) {
    oracle->evaluateRow(data.inputs(), 1, exactSums, row);
    ASSERT_EQ(row.size(), 5u);
    for (size_t c = 0; c < 5; ++c)
      EXPECT_NEAR(row[c].value, sigmoid(data.operands()[0][c]), 1e-12);
  }
}

TEST(OracleTest, NoColumnsGiveNoElements) {
  Problem problem = problemOf("2x3:3x0 bias");
  auto oracle = oracleOf(problem);
  TestData data(problem, 2, Fill::exact, 8);
  std::vector<ReferenceElement> row(3);
  oracle->evaluateRow(data.inputs(), 0, true, row);
  EXPECT_TRUE(row.empty());
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(OracleTest, RefusesRegionsThatItCannotEvaluate) {
  auto refusal = [](const char *region) {
    Expected<Problem> problem = Problem::create(
        1, 1, 1, DataTypes(), Epilogue::fromRegion(region, {}, 1));
    Expected<std::unique_ptr<Oracle>> oracle = Oracle::create(*problem);
    EXPECT_FALSE(oracle);
    return oracle.error();
  };
  Error unknown =
      refusal("{ ^bb0(%a: f32): %0 = \"math.cbrt\"(%a) : (f32) -> f32 "
              "\"lintel.yield\"(%0) : (f32) -> () }");
  EXPECT_EQ(unknown.code(), ErrorCode::unsupported);
  EXPECT_THAT(unknown.message(), testing::AllOf(HasSubstr("'math.cbrt'"),
                                                HasSubstr("arith.addf, "),
                                                HasSubstr("math.trunc, ")));
  EXPECT_EQ(refusal("nonsense").code(), ErrorCode::parse);
}

} // namespace
