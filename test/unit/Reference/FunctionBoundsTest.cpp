// How far the reference lets functions be off.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Reference/EpilogueProgram.h"

#include <cfloat>
#include <cmath>

using namespace lintel;

namespace {

constexpr double kEps = 0x1p-23;

double boundOf(const std::string &function, Number a) {
  return evaluate("%r = \"math." + function + "\"(%a) : (f32) -> f32", a).error;
}

double boundOfPower(double a, double b) {
  return evaluate("%r = \"math.powf\"(%a, %b) : (f32, f32) -> f32", {a, 0},
                  {b, 0})
      .error;
}

TEST(FunctionBoundsTest, MostAreHeldToEightEpsilonsOfTheirResult) {
  struct Function {
    const char *name;
    double (*truth)(double);
  };
  for (const Function &function :
       {Function{"exp", std::exp}, Function{"expm1", std::expm1},
        Function{"log", std::log}, Function{"log2", std::log2},
        Function{"log10", std::log10}, Function{"log1p", std::log1p},
        Function{"tanh", std::tanh}, Function{"erf", std::erf},
        Function{"atan", std::atan}, Function{"sinh", std::sinh},
        Function{"cosh", std::cosh}, Function{"asinh", std::asinh}})
    for (double x : {1e-3, 0.3, 1.7, 9.0}) {
      const double allowed = 8 * kEps * std::abs(function.truth(x));
      EXPECT_NEAR(boundOf(function.name, {x, 0}), allowed, 1e-9 * allowed)
          << function.name << " of " << x;
    }
}

/// An absolute bound would hide any error beyond 3.3, where erfc is 3e-6.
TEST(FunctionBoundsTest, ErfcIsHeldToItsDigitsToTheEnd) {
  for (double x = 0; x < 9; x += 0.25)
    EXPECT_LE(boundOf("erfc", {x, 0}), (8 + x * x) * kEps * std::erfc(x) * 1.01)
        << x;
  // Where it is no normal number it may be flushed.
  EXPECT_LE(boundOf("erfc", {9.5, 0}), 1.01 * FLT_MIN);
  EXPECT_EQ(boundOf("erfc", {kInf, 0}), FLT_MIN);
  for (double x : {-0.5, -3.0, -1e30, -kInf})
    EXPECT_LE(boundOf("erfc", {x, 0}), 16.01 * kEps) << x;
  // So is what an argument that may be off makes of it.
  for (double x : {3.0, 6.0, 8.0}) {
    const double error = 1e-4;
    const double moved = std::erfc(x - error) - std::erfc(x);
    EXPECT_GE(boundOf("erfc", {x, error}), moved) << x;
    EXPECT_LE(boundOf("erfc", {x, error}), 1.1 * moved) << x;
  }
  EXPECT_TRUE(std::isinf(boundOf("erfc", {1, kInf})));
}

/// The largest error without FMA is 1.9e-6, at 115331.
TEST(FunctionBoundsTest, SinesAndCosinesAreKnownUpToAHundredThousand) {
  for (const char *function : {"sin", "cos"}) {
    for (double x : {1.0, 100.0, 32768.0, -32768.0})
      EXPECT_LE(boundOf(function, {x, 0}), 8.01 * kEps) << function << x;
    for (double x : {32769.0, -65536.0, 131072.0})
      EXPECT_LE(boundOf(function, {x, 0}), 16.01 * kEps * std::abs(x) * 0x1p-15)
          << function << x;
    EXPECT_GT(boundOf(function, {115331, 0}), 2 * 1.92e-6) << function;
    EXPECT_EQ(boundOf(function, {131073, 0}), kInf) << function;
    EXPECT_EQ(boundOf(function, {-131072, 1e-3}), kInf) << function;
    EXPECT_EQ(boundOf(function, {kInf, 0}), 0) << function; // NaN
  }
}

TEST(FunctionBoundsTest, SinesNextToZeroAreHeldToTheirDigits) {
  for (double x : {0.5, -0.01, 1e-6, -1e-30})
    EXPECT_LE(boundOf("sin", {x, 0}), 8.01 * kEps * std::abs(x)) << x;
  EXPECT_LE(boundOf("sin", {0, 0}), FLT_MIN);
  EXPECT_LE(boundOf("cos", {1e-6, 0}), 8.01 * kEps);
}

TEST(FunctionBoundsTest, PowersAreHeldToTheErrorOfTheirExponent) {
  for (double a : {0.3, 1.001, 2.5})
    for (double b : {-20.25, 0.5, 1.5, 17.0}) {
      const double allowed = 8 + 3 * std::abs(b * std::log(a));
      EXPECT_LE(boundOfPower(a, b), 1.01 * allowed * kEps * std::pow(a, b))
          << a << " " << b;
    }
  // Of x^-16 next to 1 kernels are 12.6 epsilons off, by 16 roundings of the
  // inverse and 15 of products.
  const double power = std::pow(0.998157382, -16.0);
  EXPECT_GT(boundOfPower(0.998157382, -16), 16 * kEps * power);
  EXPECT_LE(boundOfPower(0.998157382, -16), 25 * kEps * power);
  EXPECT_LE(boundOfPower(0, 3), FLT_MIN);
}

} // namespace
