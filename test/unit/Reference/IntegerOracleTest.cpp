// The oracle of int8 layers against f32 arithmetic written by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit/Reference/PlainSums.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

#pragma clang fp contract(off)

using namespace lintel;

namespace {

Problem integerProblem(const std::string &types, const std::string &text) {
  Expected<Problem> problem =
      Problem::parse(text, DataTypes::parse(types).value());
  EXPECT_TRUE(problem) << problem.error().message();
  return *problem;
}

/// The steps of a layer's epilogue for one element, in f32.
class Steps {
public:
  Steps(const Problem &problem, const TestData &data, int64_t m, int64_t n)
      : problem(problem), data(data), m(m), n(n) {}

  float dequantized() const {
    const float xZero = operand("x_zero", 0), wZero = operand("w_zero", 0);
    int64_t sum = 0;
    for (int64_t k = 0; k < problem.k(); ++k)
      sum += int64_t(data.x()[size_t(m * problem.k() + k)] - xZero) *
             int64_t(data.w()[size_t(n * problem.k() + k)] - wZero);
    const float scale = operand("x_scale", 1) * operand("w_scale", 1);
    return float(int32_t(sum)) * scale;
  }

  float requantized(float value) const {
    const bool isUnsigned = problem.types().result == DType::u8;
    const float inverse = 1.0f / operand("result_scale", 1);
    const float rounded = std::nearbyintf(value * inverse);
    return std::clamp(rounded + operand("result_zero", 0),
                      isUnsigned ? 0.0f : -128.0f,
                      isUnsigned ? 255.0f : 127.0f);
  }

  float operand(std::string_view name, float otherwise) const {
    const auto &operands = problem.epilogue().operands();
    for (size_t i = 0; i < operands.size(); ++i)
      if (operands[i].name == name)
        return data.operands()[i][indexIn(operands[i].broadcast)];
    return otherwise;
  }

private:
  size_t indexIn(Broadcast broadcast) const {
    switch (broadcast) {
    case Broadcast::scalar:
      return 0;
    case Broadcast::column:
      return size_t(n);
    case Broadcast::row:
      return size_t(m);
    case Broadcast::full:
      break;
    }
    return size_t(m * problem.n() + n);
  }

  const Problem &problem;
  const TestData &data;
  int64_t m, n;
};

struct Layer {
  std::string types, text;
};
class IntegerOracleTest : public testing::TestWithParam<Layer> {};

TEST_P(IntegerOracleTest, TakesTheStepsOfTheEpilogueToTheBit) {
  const Problem problem = integerProblem(GetParam().types, GetParam().text);
  const auto oracle = oracleOf(problem);
  const TestData data(problem, *problem.m(), Fill::exact, 5);
  const bool toInteger = !isFloat(problem.types().result);
  bool least = false, most = false;
  std::vector<ReferenceElement> row;
  for (int64_t m = 0; m < *problem.m(); ++m) {
    oracle->evaluateRow(data.inputs(), m, data.exactSums(), row);
    for (int64_t n = 0; n < problem.n(); ++n) {
      const Steps steps(problem, data, m, n);
      float value = steps.dequantized() + steps.operand("bias", 0);
      if (GetParam().text.ends_with("relu"))
        value = std::max(value, 0.0f);
      if (toInteger)
        value = steps.requantized(value);
      ASSERT_EQ(row[size_t(n)].value, value) << m << ", " << n;
      ASSERT_LE(row[size_t(n)].bound, 2 * FLT_MIN);
      least |= value == (problem.types().result == DType::u8 ? 0 : -128);
      most |= value == (problem.types().result == DType::u8 ? 255 : 127);
    }
  }
  // The made-up data reaches both ends of an integer.
  EXPECT_EQ(least, toInteger);
  EXPECT_EQ(most, toInteger);
}

INSTANTIATE_TEST_SUITE_P(
    Layers, IntegerOracleTest,
    testing::Values(
        Layer{"u8s8", "9x67:67x130"}, Layer{"s8s8", "9x67:67x130 bias+relu"},
        Layer{"u8s8",
              "9x67:67x130 dequant(x=row,xzero=row,w=tensor,wzero=column)"},
        Layer{"s8s8", "9x67:67x130 dequant(xzero=tensor,wzero=tensor)"},
        Layer{"u8s8:u8", "9x67:67x130 bias"}, Layer{"s8s8:s8", "9x67:67x130"},
        Layer{"s8s8:s8",
              "9x67:67x130 dequant(wzero=column)+bias+quant(zero=tensor)"}));

/// NaN is less than nothing and more than nothing.
TEST(IntegerOracleTest, NaNBecomesTheLeastInteger) {
  for (const char *types : {"u8s8:u8", "s8s8:s8"}) {
    const Problem problem = integerProblem(types, "1x1:1x1 dequant(xzero=none)+"
                                                  "quant(zero=none)");
    const auto oracle = oracleOf(problem);
    const uint8_t x = 1, w = 1;
    const float nan = NAN, one = 1;
    LinearInputs inputs{1, {&x, 1}, {&w, 1}, {{&nan}, {&one}, {&one}}};
    std::vector<ReferenceElement> out;
    oracle->evaluateElement(inputs, 0, 0, true, out);
    EXPECT_EQ(out[0].value, problem.types().result == DType::u8 ? 0 : -128);
  }
}

void forEachElement(const Problem &problem,
                    const std::function<void(const ReferenceElement &)> &body) {
  const auto oracle = oracleOf(problem);
  const int64_t rows = problem.m().value();
  const TestData data(problem, rows, Fill::exact, 6);
  std::vector<ReferenceElement> row;
  for (int64_t m = 0; m < rows; ++m) {
    oracle->evaluateRow(data.inputs(), m, true, row);
    for (const ReferenceElement &element : row)
      body(element);
  }
}

/// A function of a kernel's own leaves room for a rounding to the other side.
TEST(IntegerOracleTest, FunctionsAllowTheNextInteger) {
  double widest = 0;
  forEachElement(integerProblem("s8s8:s8", "32x64:64x64 gelu_erf"),
                 [&](const ReferenceElement &element) {
                   EXPECT_EQ(element.value, std::nearbyint(element.value));
                   widest = std::max(widest, element.bound);
                 });
  EXPECT_LE(widest, 1 + FLT_MIN);
}

/// Of bytes without a sign the upper half, too, is known to a neighbour or two,
/// but for its ends. Few of many elements are next to where rounding changes.
TEST(IntegerOracleTest, FunctionsLeaveNoByteWithoutASignUnknown) {
  int uncertain = 0;
  forEachElement(integerProblem("u8s8:u8", "8192x64:64x64 gelu_erf"),
                 [&](const ReferenceElement &element) {
                   if (element.value <= 128 || element.value >= 254)
                     return;
                   uncertain += element.bound >= 1;
                   EXPECT_LE(element.bound, 2 + FLT_MIN) << element.value;
                 });
  EXPECT_GT(uncertain, 0);
}

/// A region that does not clamp makes 0 of 256, and 255 of -1.
TEST(IntegerOracleTest, BytesWithoutASignMeetAtZero) {
  const auto boundOf = [](float value) {
    const Problem problem =
        Problem::create(
            1, 1, 1, DataTypes::parse("u8s8:u8").value(),
            Epilogue::fromRegion("{ ^bb0(%acc: i32, %a: f32): "
                                 "%e = \"math.exp\"(%a) : (f32) -> f32 "
                                 "%n = \"math.roundeven\"(%e) : (f32) -> f32 "
                                 "%i = \"arith.fptosi\"(%n) : (f32) -> i32 "
                                 "%r = \"arith.trunci\"(%i) <{overflowFlags = "
                                 "#arith.overflow<none>}> : (i32) -> i8 "
                                 "\"lintel.yield\"(%r) : (i8) -> () }",
                                 {{"operand0", Broadcast::scalar}}, 1))
            .value();
    const uint8_t x = 1, w = 1;
    const float argument = std::log(value);
    LinearInputs inputs{1, {&x, 1}, {&w, 1}, {{&argument}}};
    std::vector<ReferenceElement> out;
    oracleOf(problem)->evaluateElement(inputs, 0, 0, true, out);
    return out[0].bound;
  };
  EXPECT_EQ(boundOf(200.5f), 1 + FLT_MIN);
  EXPECT_EQ(boundOf(255.5f), std::numeric_limits<double>::infinity());
}

} // namespace
