// How far the reference lets kernels be off in an epilogue that rounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Reference/EpilogueProgram.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace lintel;
using testing::HasSubstr;

namespace {

constexpr double kEps = 0x1p-23;

constexpr const char *kAdd = "%r = \"arith.addf\"(%a, %b) : (f32, f32) -> f32";
constexpr const char *kExp = "%r = \"math.exp\"(%a) : (f32) -> f32";
constexpr const char *kDivide =
    "%r = \"arith.divf\"(%a, %b) : (f32, f32) -> f32";
constexpr const char *kFusibleAdd =
    "%r = \"arith.addf\"(%a, %b) <{fastmath = #arith.fastmath<contract>}> : "
    "(f32, f32) -> f32";
constexpr const char *kRelu =
    "%z = \"arith.constant\"() <{value = 0.0 : f32}> : () -> f32 "
    "%t = \"arith.cmpf\"(%a, %z) <{predicate = 4 : i64}> : (f32, f32) -> i1 "
    "%r = \"arith.select\"(%t, %z, %a) : (i1, f32, f32) -> f32";
constexpr const char *kStep =
    "%z = \"arith.constant\"() <{value = 0.0 : f32}> : () -> f32 "
    "%t = \"arith.cmpf\"(%a, %z) <{predicate = 4 : i64}> : (f32, f32) -> i1 "
    "%r = \"arith.select\"(%t, %b, %c) : (i1, f32, f32) -> f32";

TEST(RoundingTest, ResultsThatF32HoldsAreExact) {
  EXPECT_EQ(evaluate(kAdd, {1.5, 0}, {0.25, 0}).error, 0);
  Number inexact = evaluate(kFusibleAdd, {1, 0}, {0x1p-30, 0});
  EXPECT_EQ(inexact.value, 1 + 0x1p-30);
  EXPECT_NEAR(inexact.error, kEps, 1e-9 * kEps);
}

TEST(RoundingTest, OnlyContractionLetsKernelsFuse) {
  for (const char *flags : {"none", "nnan", "reassoc,arcp", "afn,nsz"}) {
    const std::string add =
        "%r = \"arith.addf\"(%a, %b) <{fastmath = #arith.fastmath<" +
        std::string(flags) + ">}> : (f32, f32) -> f32";
    EXPECT_EQ(evaluate(add, {1, 0}, {0x1p-30, 0}).error, 0) << flags;
  }
  EXPECT_GT(evaluate(kFusibleAdd, {1, 0}, {0x1p-30, 0}).error, 0);
}

/// What has no sum or product to fuse with computes what it says.
TEST(RoundingTest, OnlySumsAndProductsFuse) {
  const std::string divide =
      "%r = \"arith.divf\"(%a, %b) <{fastmath = #arith.fastmath<contract>}> : "
      "(f32, f32) -> f32";
  EXPECT_EQ(evaluate(divide, {1, 0}, {3, 0}).value, double(1.0f / 3.0f));
  EXPECT_EQ(evaluate(divide, {1, 0}, {3, 0}).error, 0);
}

TEST(RoundingTest, MathFunctionsMayBeOffAFewUnits) {
  Number result = evaluate(kExp, {2, 0});
  EXPECT_NEAR(result.error, 8 * kEps * std::exp(2.0), kEps);
}

/// An error of the argument is a factor of the result.
TEST(RoundingTest, ExponentialsAreSteepestAtTheEndOfAnError) {
  const auto of = [](const std::string &function, Number a) {
    return evaluate("%r = \"math." + function + "\"(%a) : (f32) -> f32", a);
  };
  const Number a{3, 1.5};
  EXPECT_GE(of("exp", a).error, std::exp(4.5) - std::exp(3));
  EXPECT_GE(of("exp2", a).error, std::exp2(4.5) - std::exp2(3));
  EXPECT_GE(of("expm1", a).error, std::expm1(4.5) - std::expm1(3));
  EXPECT_LE(of("exp", a).error, 1.5 * std::exp(4.5) + 1e-3);
  EXPECT_LE(of("exp2", a).error, 1.5 * std::exp2(4.5) + 1e-3);
  EXPECT_LE(of("expm1", a).error, 1.5 * std::exp(4.5) + 1e-3);
  // Almost nothing, or more than f32 holds.
  EXPECT_EQ(of("exp", {-900, 1000}).error, kInf);
}

TEST(RoundingTest, HyperbolicFunctionsAreAsSteepAsTheirDerivatives) {
  const auto of = [](const std::string &function, Number a) {
    return evaluate("%r = \"math." + function + "\"(%a) : (f32) -> f32", a);
  };
  struct Case {
    const char *function;
    double (*truth)(double);
    Number a;
  };
  for (const Case &c :
       {Case{"sinh", std::sinh, {-3, 1.5}}, Case{"cosh", std::cosh, {3, 1.5}},
        Case{"asinh", std::asinh, {-2, 1.5}},
        Case{"acosh", std::acosh, {1.25, 0.125}},
        Case{"atanh", std::atanh, {-0.5, 0.25}}}) {
    const double at = c.truth(c.a.value);
    const double furthest =
        std::max(std::abs(c.truth(c.a.value + c.a.error) - at),
                 std::abs(c.truth(c.a.value - c.a.error) - at));
    const double error = of(c.function, c.a).error;
    EXPECT_GE(error, furthest) << c.function;
    EXPECT_LE(error, 3 * furthest) << c.function;
  }
  EXPECT_EQ(of("acosh", {1, 1e-3}).error, kInf); // a number, or NaN
  EXPECT_EQ(of("atanh", {-1, 1e-3}).error, kInf);
}

TEST(RoundingTest, OverflowIsInfinityAsInF32) {
  EXPECT_EQ(evaluate(kExp, {100, 0}).value, kInf);
  EXPECT_EQ(evaluate(kExp, {100, 0}).error, 0);
  EXPECT_EQ(evaluate(kAdd, {-3e38, 0}, {-3e38, 0}).value, -kInf);
  // 1 / (1 + exp(100)) is 0 and not 1e-44.
  EXPECT_EQ(evaluate("%e = \"math.exp\"(%a) : (f32) -> f32 "
                     "%r = \"arith.divf\"(%b, %e) : (f32, f32) -> f32",
                     {100, 0}, {1, 0})
                .value,
            0);
}

TEST(RoundingTest, NextToTheLargestNumberAKernelMayOverflow) {
  for (double x : {88.7228385, 88.72284})
    EXPECT_EQ(evaluate(kExp, {x, 0}).error, kInf) << x;
  EXPECT_TRUE(std::isfinite(evaluate(kExp, {88.72, 0}).error));
  EXPECT_EQ(evaluate(kExp, {88.73, 0}).error, 0);
}

TEST(RoundingTest, TinyResultsMayBeFlushed) {
  Number result = evaluate(kExp, {-100, 0});
  EXPECT_GE(result.error, result.value);
}

constexpr const char *kPower = "%r = \"math.powf\"(%a, %b) : (f32, f32) -> f32";

TEST(RoundingTest, WholePowersOfWhatMayBeZeroAreBounded) {
  const Number square = evaluate(kPower, {0, 1e-3}, {2, 0});
  EXPECT_EQ(square.value, 0);
  EXPECT_GE(square.error, 1e-6);
  EXPECT_LE(square.error, 3e-6);
  EXPECT_GE(evaluate(kPower, {-2, 1e-3}, {3, 0}).error, 12e-3);
  EXPECT_EQ(evaluate(kPower, {1e-4, 1e-3}, {-1, 0}).error, kInf);
  EXPECT_EQ(evaluate(kPower, {5, 1e-3}, {0, 0}).value, 1);
  EXPECT_LE(evaluate(kPower, {5, 1e-3}, {0, 0}).error, 8 * kEps);
}

TEST(RoundingTest, PowersThatMayBeNoNumberAreUnknown) {
  EXPECT_EQ(evaluate(kPower, {1e-4, 1e-3}, {1.5, 0}).error, kInf);
  EXPECT_EQ(evaluate(kPower, {-2, 0}, {2, 1e-6}).error, kInf);
  // That of a negative base is none for certain.
  EXPECT_TRUE(std::isnan(evaluate(kPower, {-2, 1e-3}, {1.5, 0}).value));
  EXPECT_TRUE(std::isfinite(evaluate(kPower, {2, 1e-3}, {1.5, 1e-6}).error));
}

TEST(RoundingTest, ExponentsMayBeFarOff) {
  EXPECT_GE(evaluate(kPower, {100, 0}, {2, 1}).error, 990000);
  EXPECT_GE(evaluate(kPower, {1, 0.9}, {0, 0.5}).error,
            std::pow(0.1, -0.5) - 1);
  EXPECT_EQ(evaluate(kPower, {0, 0}, {1, 0.5}).error, kInf);
}

TEST(RoundingTest, DivisionByWhatMayBeZeroIsUnbounded) {
  EXPECT_EQ(evaluate(kDivide, {1, 0}, {1e-9, 1e-8}).error, kInf);
  EXPECT_TRUE(std::isfinite(evaluate(kDivide, {1, 0}, {1e-7, 1e-8}).error));
}

TEST(RoundingTest, ProductsOfFmaMayBeRounded) {
  const std::string fma =
      "%r = \"math.fma\"(%a, %b, %c) : (f32, f32, f32) -> f32";
  // All that is left of 1 + 2^-22 + 2^-46, or nothing.
  const Number rest =
      evaluate(fma, {1 + kEps, 0}, {1 + kEps, 0}, {-1 - 2 * kEps, 0});
  EXPECT_EQ(rest.value, kEps * kEps);
  EXPECT_GE(rest.error, kEps * kEps);
  EXPECT_LE(rest.error, 1.01 * kEps);
  EXPECT_EQ(evaluate(fma, {3, 0}, {5, 0}, {-15, 0}).error, 0);
  // The product is an infinity before the sum is not.
  EXPECT_EQ(evaluate(fma, {3e38, 0}, {-2, 0}, {3e38, 0}).error, kInf);
  EXPECT_EQ(evaluate(fma, {3e38, 0}, {2, 0}, {-kInf, 0}).error, kInf);
  EXPECT_EQ(evaluate(fma, {3e38, 0}, {3, 0}, {1, 0}).error, 0);
  EXPECT_EQ(evaluate(fma, {kInf, 0}, {2, 0}, {1, 0}).error, 0);
}

TEST(RoundingTest, SelectKnowsWhetherItIsCertain) {
  EXPECT_EQ(evaluate(kRelu, {-1, 0.5}).error, 0);
  EXPECT_EQ(evaluate(kRelu, {1, 0.5}).error, 0.5);
  // Where relu bends, both sides are near; where a step is, they are not.
  EXPECT_LE(evaluate(kRelu, {0.1, 0.5}).error, 0.6);
  EXPECT_EQ(evaluate(kStep, {0.1, 0.5}, {3, 0}, {7, 0}).error, 4);
  EXPECT_EQ(evaluate(kStep, {0.1, 0}, {3, 0}, {7, 0}).error, 0);
}

TEST(RoundingTest, NaNPassesRelu) {
  EXPECT_TRUE(std::isnan(evaluate(kRelu, {kNaN, 0}).value));
}

//===----------------------------------------------------------------------===//
// Narrow floats
//===----------------------------------------------------------------------===//

/// %a rounded to a narrow type and back.
std::string throughNarrow(const std::string &type) {
  return "%h = \"arith.truncf\"(%a) : (f32) -> " + type +
         " %r = \"arith.extf\"(%h) : (" + type + ") -> f32";
}

struct Rounding {
  double wide, narrow;
};

TEST(NarrowTest, ExactNumbersRoundToNearestAndEven) {
  // Eight bits in bf16: between 256 and 258 only 257 is halfway.
  for (auto [wide, narrow] :
       {Rounding{256, 256}, Rounding{256.9, 256}, Rounding{257, 256},
        Rounding{257.1, 258}, Rounding{259, 260}, Rounding{-259, -260},
        Rounding{-0.0, -0.0}}) {
    Number result = evaluate(throughNarrow("bf16"), {wide, 0});
    EXPECT_EQ(result.value, narrow) << wide;
    EXPECT_EQ(result.error, 0) << wide;
    EXPECT_EQ(std::signbit(result.value), std::signbit(narrow));
  }
  // Eleven in f16.
  for (auto [wide, narrow] :
       {Rounding{2048, 2048}, Rounding{2049, 2048}, Rounding{2049.5, 2050},
        Rounding{2051, 2052}, Rounding{65519, 65504}, Rounding{65520, kInf},
        Rounding{-1e9, -kInf}}) {
    Number result = evaluate(throughNarrow("f16"), {wide, 0});
    EXPECT_EQ(result.value, narrow) << wide;
    EXPECT_EQ(result.error, 0) << wide;
  }
}

TEST(NarrowTest, DenormalsOfF16AreKept) {
  const double least = 0x1p-24;
  EXPECT_EQ(evaluate(throughNarrow("f16"), {least, 0}).value, least);
  EXPECT_EQ(evaluate(throughNarrow("f16"), {1.5 * least, 0}).value, 2 * least);
  EXPECT_EQ(evaluate(throughNarrow("f16"), {0.5 * least, 0}).value, 0);
  EXPECT_EQ(evaluate(throughNarrow("f16"), {0x1.ff8p-15, 0}).value,
            0x1.ff8p-15);
}

TEST(NarrowTest, DenormalsOfBf16MayBeFlushed) {
  for (double denormal : {1e-39, -1e-39, 0x1.fffffp-127}) {
    const Number result = evaluate(throughNarrow("bf16"), {denormal, 0});
    EXPECT_NEAR(result.value, denormal, 0x1p-134);
    EXPECT_GE(result.error, FLT_MIN) << denormal;
    EXPECT_LE(result.error, 2.1 * FLT_MIN) << denormal;
    // Rounded before, or not.
    const Number uncertain = evaluate(throughNarrow("bf16"), {denormal, 1e-42});
    EXPECT_GE(uncertain.error, FLT_MIN) << denormal;
  }
  EXPECT_EQ(evaluate(throughNarrow("bf16"), {0x1.fp-126, 0}).error, 0);
}

TEST(NarrowTest, OverflowOfBf16IsThatOfF32) {
  EXPECT_EQ(evaluate(throughNarrow("bf16"), {0x1.fefffep127, 0}).value,
            0x1.fep127);
  EXPECT_EQ(evaluate(throughNarrow("bf16"), {0x1.ffp127, 0}).value, kInf);
  EXPECT_EQ(evaluate(throughNarrow("bf16"), {-kInf, 0}).value, -kInf);
  EXPECT_TRUE(std::isnan(evaluate(throughNarrow("bf16"), {kNaN, 0}).value));
}

TEST(NarrowTest, WhatIsUncertainMayFallToEitherSide) {
  for (double error : {1e-9, 1e-6, 1e-3, 0.1}) {
    // Near the middle of two bf16 numbers, where kernels may differ.
    const Number result = evaluate(throughNarrow("bf16"), {1 + 0x1p-8, error});
    for (double kernel : {1.0, 1 + 0x1p-7})
      EXPECT_LE(std::abs(kernel - result.value), result.error) << error;
    // Truncation beside the middle is wrong by more.
    const Number above = evaluate(throughNarrow("bf16"), {1 + 0x1.8p-8, error});
    if (error < 1e-4)
      EXPECT_GT(std::abs(1 - above.value), above.error) << error;
  }
}

TEST(NarrowTest, IntegersRoundAsF32Does) {
  const auto fromInteger = [](double value) {
    return evaluate("%i = \"arith.fptosi\"(%a) : (f32) -> i32 "
                    "%one = \"arith.constant\"() <{value = 1 : i32}> : () -> "
                    "i32 %j = \"arith.addi\"(%i, %one) : (i32, i32) -> i32 "
                    "%h = \"arith.sitofp\"(%j) : (i32) -> bf16 "
                    "%r = \"arith.extf\"(%h) : (bf16) -> f32",
                    {value, 0});
  };
  EXPECT_EQ(fromInteger(256).value, 256);
  EXPECT_EQ(fromInteger(257).value, 258);
  // Rounding at once would give 2^25 + 2^18: 2^25 + 2^17 + 1 is no f32.
  EXPECT_EQ(fromInteger(0x1p25 + 0x1p17).value, 0x1p25);
  EXPECT_EQ(fromInteger(0x1p25 + 0x1p17).error, 0);
}

} // namespace
