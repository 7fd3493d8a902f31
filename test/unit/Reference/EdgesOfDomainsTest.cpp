// Where rounding may make NaN or an infinity of a number, and where nothing
// else is right.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reference/Oracle.h"
#include "unit/Reference/EpilogueProgram.h"

#include <cmath>

using namespace lintel;

namespace {

std::string unary(const std::string &op) {
  return "%r = \"" + op + "\"(%a) : (f32) -> f32";
}
std::string binary(const std::string &op) {
  return "%r = \"" + op + "\"(%a, %b) : (f32, f32) -> f32";
}
/// 1 if a number is less than %b, else %c.
constexpr const char *kStep =
    "%t = \"arith.cmpf\"(%a, %b) <{predicate = 4 : i64}> : (f32, f32) -> i1 "
    "%o = \"arith.constant\"() <{value = 1.0 : f32}> : () -> f32 "
    "%r = \"arith.select\"(%t, %o, %c) : (i1, f32, f32) -> f32";

void expectUnknown(const std::string &body, Number a, Number b = {},
                   Number c = {}) {
  EXPECT_EQ(evaluate(body, a, b, c).error, kInf)
      << body << " of " << a.value << " +- " << a.error;
}

/// NaN or an infinity, and nothing else.
void expectOnly(double expected, const std::string &body, Number a,
                Number b = {}, Number c = {}) {
  const Number result = evaluate(body, a, b, c);
  EXPECT_EQ(result.error, 0)
      << body << " of " << a.value << " +- " << a.error << ", " << b.value;
  EXPECT_TRUE(result.value == expected ||
              (std::isnan(result.value) && std::isnan(expected)))
      << body << " gave " << result.value;
}

constexpr double kTiny = 1e-7;

TEST(EdgesOfDomainsTest, RootsAndLogarithmsOfWhatMayBeNegative) {
  for (const char *op :
       {"math.sqrt", "math.rsqrt", "math.log", "math.log2", "math.log10"}) {
    for (double value : {kTiny / 2, 0.0, -0.0, -kTiny / 2})
      expectUnknown(unary(op), {value, kTiny});
    expectOnly(kNaN, unary(op), {-1, kTiny});
    EXPECT_LT(evaluate(unary(op), {1, kTiny}).error, 1e-5) << op;
  }
  expectUnknown(unary("math.log1p"), {-1, kTiny});
  expectOnly(kNaN, unary("math.log1p"), {-2, kTiny});
  // Of what is zero for certain there is one logarithm.
  expectOnly(-kInf, unary("math.log"), {0, 0});
  expectOnly(kInf, unary("math.rsqrt"), {0, 0});
}

/// What was less than zero for certain is exactly zero, which has a root.
TEST(EdgesOfDomainsTest, RootsOfWhatIsCutAtZero) {
  const auto rootOf = [](const std::string &op, Number a, Number b) {
    return evaluate("%m = \"" + op +
                        "\"(%a, %b) : (f32, f32) -> f32 "
                        "%r = \"math.sqrt\"(%m) : (f32) -> f32",
                    a, b);
  };
  for (const char *op : {"arith.maximumf", "arith.maxnumf"})
    for (bool isFirst : {true, false}) {
      const Number low{-5, kTiny}, zero{0, 0};
      const Number root =
          rootOf(op, isFirst ? low : zero, isFirst ? zero : low);
      EXPECT_EQ(root.value, 0) << op;
      EXPECT_LT(root.error, 1e-30) << op;
    }
  EXPECT_EQ(rootOf("arith.minnumf", {5, kTiny}, {4, 0}).error,
            evaluate(unary("math.sqrt"), {4, 0}).error);
}

TEST(EdgesOfDomainsTest, IntegersNextToTheLimitOfTheirType) {
  const std::string toI8 = "%i = \"arith.fptosi\"(%a) : (f32) -> i8 "
                           "%r = \"arith.sitofp\"(%i) : (i8) -> f32";
  expectUnknown(toI8, {127.999, 0.01});
  EXPECT_LE(evaluate(toI8, {126.9, 0.01}).error, 1);
}

TEST(EdgesOfDomainsTest, QuotientsByWhatMayBeZero) {
  const std::string divide = binary("arith.divf");
  expectUnknown(divide, {1, 0}, {0, kTiny});
  expectUnknown(divide, {0, 0}, {0, kTiny});
  expectUnknown(divide, {0, kTiny}, {0, 0});
  expectUnknown(divide, {kInf, 0}, {0, kTiny});
  expectOnly(kInf, divide, {1, kTiny}, {0, 0});
  expectOnly(-kInf, divide, {kInf, 0}, {-2, kTiny});
  EXPECT_EQ(evaluate(divide, {1, kTiny}, {kInf, 0}).error, 0);
}

TEST(EdgesOfDomainsTest, InfinitiesBesideUncertainNumbers) {
  const std::string multiply = binary("arith.mulf"), add = binary("arith.addf");
  expectOnly(-kInf, multiply, {kInf, 0}, {-2, kTiny});
  expectUnknown(multiply, {kInf, 0}, {kTiny / 2, kTiny});
  expectOnly(kInf, add, {kInf, 0}, {5, kTiny});
  expectOnly(kNaN, add, {kNaN, 0}, {5, kInf});
  expectOnly(kNaN, binary("arith.maximumf"), {kNaN, 0}, {5, kInf});
  expectUnknown(add, {kInf, kInf}, {5, 0});
}

TEST(EdgesOfDomainsTest, WhatIsUnknownStaysUnknown) {
  for (const char *op :
       {"arith.negf", "math.absf",     "math.exp",   "math.exp2",  "math.expm1",
        "math.log",   "math.log1p",    "math.sqrt",  "math.rsqrt", "math.tanh",
        "math.erf",   "math.erfc",     "math.sin",   "math.cos",   "math.atan",
        "math.sinh",  "math.cosh",     "math.asinh", "math.acosh", "math.atanh",
        "math.floor", "math.roundeven"})
    for (double value : {1.0, kInf, -kInf, kNaN})
      expectUnknown(unary(op), {value, kInf});
  for (const char *op :
       {"arith.addf", "arith.mulf", "arith.divf", "arith.maximumf",
        "arith.maxnumf", "math.atan2", "math.powf"})
    for (double value : {1.0, kInf, kNaN}) {
      expectUnknown(binary(op), {value, kInf}, {0.5, 0});
      expectUnknown(binary(op), {0.5, 0}, {value, kInf});
    }
}

TEST(EdgesOfDomainsTest, ChoicesByWhatMayBeNaN) {
  for (double value : {1.0, kInf, kNaN}) {
    EXPECT_EQ(evaluate(kStep, {value, kInf}, {2, 0}, {7, 0}).error, 6);
    expectUnknown(kStep, {value, kInf}, {2, 0}, {kNaN, 0});
  }
  EXPECT_EQ(evaluate(kStep, {kNaN, 0}, {2, kInf}, {7, 0}).error, 0);
  EXPECT_EQ(evaluate(kStep, {kInf, 0}, {2, kTiny}, {7, 0}).error, 0);
}

TEST(EdgesOfDomainsTest, TheSignOfNaNIsNone) {
  const std::string copy = binary("math.copysign");
  EXPECT_EQ(evaluate(copy, {1, 0}, {kNaN, 0}).error, 2);
  EXPECT_EQ(evaluate(copy, {1, 0}, {-kNaN, 0}).error, 2);
  expectUnknown(copy, {kInf, 0}, {kNaN, 0});
  expectOnly(kNaN, copy, {kNaN, 0}, {kNaN, 0});
  EXPECT_EQ(evaluate(copy, {1, 0}, {-kInf, 0}).error, 0);
}

TEST(EdgesOfDomainsTest, OverflowThatNoErrorPrevents) {
  for (const char *op : {"math.exp", "math.exp2", "math.expm1"}) {
    for (double value : {200.0, 1000.0, 1e6})
      expectOnly(kInf, unary(op), {value, 5});
    expectUnknown(unary(op), {1000, 990});
  }
  expectOnly(-kInf, unary("math.sinh"), {-1000, 5});
  expectOnly(kInf, unary("math.cosh"), {-1000, 5});
  expectUnknown(unary("math.sinh"), {-1000, 990});
  expectOnly(kNaN, unary("math.acosh"), {-5, 1});
  expectOnly(kNaN, unary("math.atanh"), {-5, 1});
  const std::string power = binary("math.powf");
  expectOnly(kInf, power, {1e30, 1e23}, {20, 0});
  expectOnly(kInf, power, {2, kTiny}, {kInf, 0});
  expectOnly(-kInf, power, {-1e38, 1e31}, {11, 0});
  expectOnly(kNaN, power, {-1e30, 1e23}, {20.5, 0});
  expectUnknown(power, {0, kTiny}, {-1, 0});
  expectUnknown(power, {kInf, 0}, {0, kTiny});
}

TEST(EdgesOfDomainsTest, NarrowNumbersNextToOverflow) {
  const std::string narrow = "%h = \"arith.truncf\"(%a) : (f32) -> f16 "
                             "%r = \"arith.extf\"(%h) : (f16) -> f32";
  expectUnknown(narrow, {65519, 2});
  expectUnknown(narrow, {65521, 2});
  expectOnly(kInf, narrow, {70000, 2});
}

/// sqrt(exp(sum) - 1) is a number for certain where the sum is exact, but not
/// where a kernel's may be less.
TEST(EdgesOfDomainsTest, SumsThatMayBeLess) {
  const std::string region =
      "{ ^bb0(%a: f32): "
      "%o = \"arith.constant\"() <{value = 1.0 : f32}> : () -> f32 "
      "%e = \"math.exp\"(%a) : (f32) -> f32 "
      "%d = \"arith.subf\"(%e, %o) : (f32, f32) -> f32 "
      "%r = \"math.sqrt\"(%d) : (f32) -> f32 "
      "\"lintel.yield\"(%r) : (f32) -> () }";
  Expected<Problem> problem = Problem::create(
      1, 1, 2, DataTypes(), Epilogue::fromRegion(region, {}, 1));
  ASSERT_TRUE(problem);
  Expected<std::unique_ptr<Oracle>> oracle = Oracle::create(*problem);
  ASSERT_TRUE(oracle) << oracle.error().message();
  // The error of exp is 8 eps = 9.5e-7, that of the sum 4 eps = 4.8e-7.
  const float x[] = {1, 1}, w[] = {1, -1 + 1.2e-6f};
  const LinearInputs inputs{1, {x, 2}, {w, 2}, {}};
  std::vector<ReferenceElement> out;
  (*oracle)->evaluateElement(inputs, 0, 0, /*exactSums=*/true, out);
  EXPECT_LT(out[0].bound, 0.01);
  (*oracle)->evaluateElement(inputs, 0, 0, /*exactSums=*/false, out);
  EXPECT_EQ(out[0].bound, kInf);
}

} // namespace
