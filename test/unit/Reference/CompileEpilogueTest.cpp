// Epilogue regions as programs: every operation against the standard library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Reference/EpilogueProgram.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace lintel;
using testing::HasSubstr;

namespace {

/// As f32, in which kernels hold values.
void expectSame(double actual, double expected, const std::string &what) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(actual)) << what << " gave " << actual;
  else
    EXPECT_EQ(float(actual), float(expected)) << what;
}

struct Unary {
  const char *op;
  double (*function)(double);
};
class UnaryTest : public testing::TestWithParam<Unary> {};

TEST_P(UnaryTest, AgreesWithTheStandardLibrary) {
  Expected<ScalarProgram> program =
      compile("%r = \"" + std::string(GetParam().op) + "\"(%a) : (f32) -> f32");
  ASSERT_TRUE(program) << program.error().message();
  for (double v : {0.0, 0.25, 1.0, 1.5, 2.5, 3.75, 30.0, -0.5, -1.5, -2.5,
                   -20.0, kInf, -kInf, kNaN}) {
    Number result = evaluate(*program, {v, 0});
    expectSame(result.value, GetParam().function(v),
               GetParam().op + (" of " + std::to_string(v)));
    EXPECT_TRUE(result.error >= 0 && std::isfinite(result.error))
        << GetParam().op << v;
  }
}

/// Errors that come in must cover how far the result moves.
TEST_P(UnaryTest, CarriesErrorsOver) {
  Expected<ScalarProgram> program =
      compile("%r = \"" + std::string(GetParam().op) + "\"(%a) : (f32) -> f32");
  ASSERT_TRUE(program);
  for (double v :
       {0.3, 0.9999999, 1.0, 1.5, 2.5, 3.75, 7.0, -0.3, -0.5, -1.5, -2.5}) {
    for (double error : {1e-7, 1e-5, 1e-3}) {
      Number result = evaluate(*program, {v, error});
      for (double moved : {v - error, v + error}) {
        double distance = std::abs(GetParam().function(moved) - result.value);
        if (!std::isnan(distance))
          EXPECT_LE(distance,
                    result.error * (1 + 2 * error / std::abs(v)) + 1e-12)
              << GetParam().op << " of " << v << " +- " << error;
      }
    }
  }
}

double rsqrt(double v) { return 1 / std::sqrt(v); }
double negate(double v) { return -v; }

INSTANTIATE_TEST_SUITE_P(
    Operations, UnaryTest,
    testing::Values(
        Unary{"arith.negf", negate}, Unary{"math.absf", std::abs},
        Unary{"math.exp", std::exp}, Unary{"math.exp2", std::exp2},
        Unary{"math.expm1", std::expm1}, Unary{"math.log", std::log},
        Unary{"math.log2", std::log2}, Unary{"math.log1p", std::log1p},
        Unary{"math.log10", std::log10}, Unary{"math.sqrt", std::sqrt},
        Unary{"math.rsqrt", rsqrt}, Unary{"math.tanh", std::tanh},
        Unary{"math.erf", std::erf}, Unary{"math.erfc", std::erfc},
        Unary{"math.sin", std::sin}, Unary{"math.cos", std::cos},
        Unary{"math.atan", std::atan}, Unary{"math.sinh", std::sinh},
        Unary{"math.cosh", std::cosh}, Unary{"math.asinh", std::asinh},
        Unary{"math.acosh", std::acosh}, Unary{"math.atanh", std::atanh},
        Unary{"math.floor", std::floor}, Unary{"math.ceil", std::ceil},
        Unary{"math.round", std::round},
        Unary{"math.roundeven", std::nearbyint},
        Unary{"math.trunc", std::trunc}));

struct Binary {
  const char *op;
  double (*function)(double, double);
};
class BinaryTest : public testing::TestWithParam<Binary> {};

constexpr double kPoints[] = {0.0,  0.5,  1.0,  2.0,   3.0,
                              -0.5, -2.0, kInf, -kInf, kNaN};

TEST_P(BinaryTest, AgreesWithTheStandardLibrary) {
  Expected<ScalarProgram> program =
      compile("%r = \"" + std::string(GetParam().op) +
              "\"(%a, %b) : (f32, f32) -> f32");
  ASSERT_TRUE(program) << program.error().message();
  for (double a : kPoints)
    for (double b : kPoints) {
      Number result = evaluate(*program, {a, 0}, {b, 0});
      expectSame(result.value, GetParam().function(a, b),
                 GetParam().op +
                     (" of " + std::to_string(a) + ", " + std::to_string(b)));
    }
}

TEST_P(BinaryTest, CarriesErrorsOver) {
  Expected<ScalarProgram> program =
      compile("%r = \"" + std::string(GetParam().op) +
              "\"(%a, %b) : (f32, f32) -> f32");
  ASSERT_TRUE(program);
  constexpr double e = 1e-5;
  for (double a : {0.5, 1.0, 3.0, -2.0})
    for (double b : {0.7, 2.0, -1.3}) {
      Number result = evaluate(*program, {a, e}, {b, e});
      for (double x : {a - e, a + e})
        for (double y : {b - e, b + e}) {
          double distance = std::abs(GetParam().function(x, y) - result.value);
          if (!std::isnan(distance))
            EXPECT_LE(distance, result.error * (1 + 1e-4))
                << GetParam().op << " of " << a << ", " << b;
        }
    }
}

double add(double a, double b) { return a + b; }
double subtract(double a, double b) { return a - b; }
double multiply(double a, double b) { return a * b; }
double divide(double a, double b) { return a / b; }
double maximum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? kNaN : std::max(a, b);
}
double minimum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? kNaN : std::min(a, b);
}

INSTANTIATE_TEST_SUITE_P(Operations, BinaryTest,
                         testing::Values(Binary{"arith.addf", add},
                                         Binary{"arith.subf", subtract},
                                         Binary{"arith.mulf", multiply},
                                         Binary{"arith.divf", divide},
                                         Binary{"arith.maximumf", maximum},
                                         Binary{"arith.minimumf", minimum},
                                         Binary{"arith.maxnumf", std::fmax},
                                         Binary{"arith.minnumf", std::fmin},
                                         Binary{"math.copysign", std::copysign},
                                         Binary{"math.atan2", std::atan2},
                                         Binary{"math.powf", std::pow}));

TEST(CompileEpilogueTest, Fma) {
  Number result =
      evaluate("%r = \"math.fma\"(%a, %b, %c) : (f32, f32, f32) -> f32", {2, 0},
               {3, 0}, {-1, 0});
  EXPECT_EQ(result.value, 5);
  EXPECT_EQ(result.error, 0);
}

/// The lower bound counts before the upper one, and NaN stays NaN.
TEST(CompileEpilogueTest, Clamp) {
  const auto clamped = [](double number, double least, double most) {
    return evaluate("%r = \"math.clampf\"(%a, %b, %c) : (f32, f32, f32) -> f32",
                    {number, 0}, {least, 0}, {most, 0})
        .value;
  };
  EXPECT_EQ(clamped(3, -1, 2.5), 2.5);
  EXPECT_EQ(clamped(-3, -1, 2.5), -1);
  EXPECT_EQ(clamped(0.5, -1, 2.5), 0.5);
  EXPECT_EQ(clamped(0.5, 2, 1), 1);
  EXPECT_TRUE(std::isnan(clamped(kNaN, -1, 2.5)));
  EXPECT_TRUE(std::isnan(clamped(0, kNaN, 2.5)));
}

/// predicate number, and what it gives for less, equal, greater, unordered
struct Predicate {
  int number;
  bool less, equal, greater, unordered;
};
class PredicateTest : public testing::TestWithParam<Predicate> {};

TEST_P(PredicateTest, IsTrueForItsRelations) {
  std::string body =
      "%t = \"arith.cmpf\"(%a, %b) <{predicate = " +
      std::to_string(GetParam().number) +
      " : i64}> : (f32, f32) -> i1 %r = \"arith.uitofp\"(%t) : (i1) -> f32";
  Expected<ScalarProgram> program = compile(body);
  ASSERT_TRUE(program) << program.error().message();
  EXPECT_EQ(evaluate(*program, {1, 0}, {2, 0}).value, GetParam().less);
  EXPECT_EQ(evaluate(*program, {2, 0}, {2, 0}).value, GetParam().equal);
  EXPECT_EQ(evaluate(*program, {3, 0}, {2, 0}).value, GetParam().greater);
  EXPECT_EQ(evaluate(*program, {kNaN, 0}, {2, 0}).value, GetParam().unordered);
  EXPECT_EQ(evaluate(*program, {2, 0}, {kNaN, 0}).value, GetParam().unordered);
}

INSTANTIATE_TEST_SUITE_P(
    All, PredicateTest,
    testing::Values(Predicate{0, 0, 0, 0, 0}, Predicate{1, 0, 1, 0, 0},
                    Predicate{2, 0, 0, 1, 0}, Predicate{3, 0, 1, 1, 0},
                    Predicate{4, 1, 0, 0, 0}, Predicate{5, 1, 1, 0, 0},
                    Predicate{6, 1, 0, 1, 0}, Predicate{7, 1, 1, 1, 0},
                    Predicate{8, 0, 1, 0, 1}, Predicate{9, 0, 0, 1, 1},
                    Predicate{10, 0, 1, 1, 1}, Predicate{11, 1, 0, 0, 1},
                    Predicate{12, 1, 1, 0, 1}, Predicate{13, 1, 0, 1, 1},
                    Predicate{14, 0, 0, 0, 1}, Predicate{15, 1, 1, 1, 1}));

TEST(CompileEpilogueTest, LogicOnTruthValues) {
  for (bool p : {false, true})
    for (bool q : {false, true}) {
      auto logic = [&](const std::string &op) {
        return evaluate("%z = \"arith.constant\"() <{value = 0.0 : f32}> : () "
                        "-> f32 "
                        "%p = \"arith.cmpf\"(%a, %z) <{predicate = 2 : i64}> : "
                        "(f32, f32) -> i1 "
                        "%q = \"arith.cmpf\"(%b, %z) <{predicate = 2 : i64}> : "
                        "(f32, f32) -> i1 "
                        "%t = \"" +
                            op +
                            "\"(%p, %q) : (i1, i1) -> i1 "
                            "%r = \"arith.uitofp\"(%t) : (i1) -> f32",
                        {double(p), 0}, {double(q), 0})
            .value;
      };
      EXPECT_EQ(logic("arith.andi"), p && q);
      EXPECT_EQ(logic("arith.ori"), p || q);
      EXPECT_EQ(logic("arith.xori"), p != q);
    }
}

/// `%r`, which is `%a` after a conversion `there` and one `back`.
std::string through(const std::string &there, const std::string &back,
                    const std::string &type) {
  return "%t = \"" + there + "\"(%a) : (f32) -> " + type + " %r = \"" + back +
         "\"(%t) : (" + type + ") -> f32";
}

TEST(CompileEpilogueTest, Conversions) {
  EXPECT_EQ(evaluate(through("arith.fptosi", "arith.sitofp", "i32"), {-2.75, 0})
                .value,
            -2);
  EXPECT_EQ(
      evaluate(through("arith.fptosi", "arith.sitofp", "i8"), {127.5, 0}).value,
      127);
  // Beyond the integer's range any value is right.
  EXPECT_EQ(
      evaluate(through("arith.fptosi", "arith.sitofp", "i8"), {128, 0}).error,
      kInf);
  EXPECT_EQ(
      evaluate(through("arith.fptosi", "arith.sitofp", "i32"), {kNaN, 0}).error,
      kInf);
  // The one bit of i1 is its sign.
  EXPECT_EQ(evaluate("%t = \"arith.constant\"() <{value = true}> : () -> i1 "
                     "%r = \"arith.sitofp\"(%t) : (i1) -> f32",
                     {0, 0})
                .value,
            -1);
}

TEST(CompileEpilogueTest, TruthValuesFromIntegerOperations) {
  const auto afterwards = [](const char *operation, const char *use) {
    return evaluate("%i = \"arith.fptosi\"(%a) : (f32) -> i32 "
                    "%p = \"arith.trunci\"(%i) : (i32) -> i1 "
                    "%one = \"arith.constant\"() <{value = true}> : () -> i1 " +
                        std::string(operation) + "%r = \"" + use +
                        "\"(%t) : (i1) -> f32",
                    {3, 0})
        .value;
  };
  const char *truncated = "%t = \"arith.andi\"(%p, %p) : (i1, i1) -> i1 ";
  EXPECT_EQ(afterwards(truncated, "arith.uitofp"), 1);
  EXPECT_EQ(afterwards(truncated, "arith.sitofp"), -1);
  for (const char *name : {"addi", "subi", "xori"}) {
    const std::string operation =
        std::string("%t = \"arith.") + name + "\"(%p, %one) : (i1, i1) -> i1 ";
    EXPECT_EQ(afterwards(operation.c_str(), "arith.uitofp"), 0) << name;
  }
  const char *product = "%t = \"arith.muli\"(%p, %one) : (i1, i1) -> i1 ";
  EXPECT_EQ(afterwards(product, "arith.uitofp"), 1);
  EXPECT_EQ(afterwards(product, "arith.sitofp"), -1);
  EXPECT_EQ(evaluate("%t = \"arith.fptosi\"(%a) : (f32) -> i1 "
                     "%r = \"arith.uitofp\"(%t) : (i1) -> f32",
                     {-1, 0})
                .value,
            1);
}

TEST(CompileEpilogueTest, IntegersHaveNoNegativeZero) {
  const auto isPositive = [](const std::string &body, double a) {
    return !std::signbit(evaluate(body, {a, 0}).value);
  };
  EXPECT_TRUE(isPositive(through("arith.fptosi", "arith.sitofp", "i32"), -0.5));
  EXPECT_TRUE(isPositive(through("arith.fptosi", "arith.sitofp", "i1"), 0.5));
  EXPECT_TRUE(isPositive(through("arith.fptosi", "arith.uitofp", "i1"), 0.5));
}

TEST(CompileEpilogueTest, Constants) {
  EXPECT_EQ(
      evaluate("%r = \"arith.constant\"() <{value = 2.5 : f32}> : () -> f32",
               {})
          .value,
      2.5);
  EXPECT_EQ(
      evaluate("%i = \"arith.constant\"() <{value = -7 : i32}> : () -> i32 "
               "%r = \"arith.sitofp\"(%i) : (i32) -> f32",
               {})
          .value,
      -7);
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

std::string refusal(const std::string &body) {
  Expected<ScalarProgram> program = compile(body);
  EXPECT_FALSE(program) << body;
  if (program)
    return "";
  EXPECT_EQ(program.error().code(), ErrorCode::unsupported);
  return program.error().message();
}

TEST(CompileEpilogueTest, RefusesOtherOperationsByName) {
  EXPECT_THAT(
      refusal("%r = \"math.cbrt\"(%a) : (f32) -> f32"),
      HasSubstr("the reference cannot evaluate 'math.cbrt' in an epilogue"));
  EXPECT_THAT(refusal("%i = \"arith.bitcast\"(%a) : (f32) -> i32 "
                      "%r = \"arith.bitcast\"(%i) : (i32) -> f32"),
              HasSubstr("'arith.bitcast'"));
  EXPECT_THAT(refusal("%i = \"arith.fptosi\"(%a) : (f32) -> i32 "
                      "%j = \"math.ctlz\"(%i) : (i32) -> i32 "
                      "%r = \"arith.sitofp\"(%j) : (i32) -> f32"),
              HasSubstr("'math.ctlz' in an epilogue: it knows arith.addf"));
}

} // namespace
