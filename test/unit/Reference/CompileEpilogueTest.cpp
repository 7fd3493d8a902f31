// Epilogue regions as programs: every operation against the standard library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/CompileEpilogue.h"
#include "Lintel/LintelDialect.h"
#include "Problem/BuildLinear.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace lintel;
using testing::HasSubstr;

namespace {

constexpr double kEps = 0x1p-23;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A problem whose region has the accumulator %a, operands %b and %c, and
/// `body` whose result is %r.
Expected<ScalarProgram> compile(const std::string &body) {
  std::vector<EpilogueOperand> operands = {{"operand0", Broadcast::full},
                                           {"operand1", Broadcast::full}};
  std::string region = "{ ^bb0(%a: f32, %b: f32, %c: f32): " + body +
                       " \"lintel.yield\"(%r) : (f32) -> () }";
  Expected<Problem> problem = Problem::create(
      1, 1, 1, DataTypes(), Epilogue::fromRegion(region, operands, 1));
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      buildModule(context, *problem);
  if (!module)
    return module.error();
  ir::LinearOp linear;
  (*module)->walk([&](ir::LinearOp op) { linear = op; });
  return compileEpilogue(linear.getEpilogue());
}

Number evaluate(const ScalarProgram &program, Number a, Number b = {},
                Number c = {}) {
  constexpr size_t stride = ScalarProgram::kLanes;
  std::vector<Number> slots(program.slotCount() * stride);
  slots[0] = a;
  slots[stride] = b;
  slots[2 * stride] = c;
  program.run(slots.data(), 1);
  return slots[program.results().front() * stride];
}

Number evaluate(const std::string &body, Number a, Number b = {},
                Number c = {}) {
  Expected<ScalarProgram> program = compile(body);
  EXPECT_TRUE(program) << program.error().message();
  return program ? evaluate(*program, a, b, c) : Number{kNaN, 0};
}

/// As f32, in which kernels hold values.
void expectSame(double actual, double expected, const std::string &what) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(actual)) << what << " gave " << actual;
  else
    EXPECT_EQ(float(actual), float(expected)) << what;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

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
        Unary{"math.atan", std::atan}, Unary{"math.floor", std::floor},
        Unary{"math.ceil", std::ceil}, Unary{"math.round", std::round},
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
                                         Binary{"arith.remf", std::fmod},
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

TEST(CompileEpilogueTest, Conversions) {
  auto through = [](const std::string &there, const std::string &back,
                    const std::string &type) {
    return "%t = \"" + there + "\"(%a) : (f32) -> " + type + " %r = \"" + back +
           "\"(%t) : (" + type + ") -> f32";
  };
  EXPECT_EQ(
      evaluate(through("arith.extf", "arith.truncf", "f64"), {1.5, 0}).value,
      1.5);
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
// Errors
//===----------------------------------------------------------------------===//

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

TEST(RoundingTest, MathFunctionsMayBeOffAFewUnits) {
  Number result = evaluate(kExp, {2, 0});
  EXPECT_NEAR(result.error, 32 * kEps * std::exp(2.0), kEps);
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

TEST(RoundingTest, TinyResultsMayBeFlushed) {
  Number result = evaluate(kExp, {-100, 0});
  EXPECT_GE(result.error, result.value);
}

TEST(RoundingTest, DivisionByWhatMayBeZeroIsUnbounded) {
  EXPECT_EQ(evaluate(kDivide, {1, 0}, {1e-9, 1e-8}).error, kInf);
  EXPECT_TRUE(std::isfinite(evaluate(kDivide, {1, 0}, {1e-7, 1e-8}).error));
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

TEST(NarrowTest, OtherRoundingsAreRefused) {
  Expected<ScalarProgram> program =
      compile("%h = \"arith.truncf\"(%a) <{roundingmode = 4 : i32}> : (f32) "
              "-> bf16 %r = \"arith.extf\"(%h) : (bf16) -> f32");
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code(), ErrorCode::unsupported);
  EXPECT_THAT(program.error().message(),
              HasSubstr("it rounds to nearest and even"));
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
                      "%j = \"arith.andi\"(%i, %i) : (i32, i32) -> i32 "
                      "%r = \"arith.sitofp\"(%j) : (i32) -> f32"),
              HasSubstr("andi, ori and xori on i1"));
}

TEST(CompileEpilogueTest, RefusesOtherTypes) {
  EXPECT_THAT(refusal("%h = \"arith.extf\"(%a) : (f32) -> f128 "
                      "%r = \"arith.truncf\"(%h) : (f128) -> f32"),
              HasSubstr("not f128"));
  EXPECT_THAT(refusal("%i = \"arith.fptosi\"(%a) : (f32) -> i64 "
                      "%r = \"arith.sitofp\"(%i) : (i64) -> f32"),
              HasSubstr("not i64"));
}

//===----------------------------------------------------------------------===//
// Integers, and arithmetic that every kernel does alike
//===----------------------------------------------------------------------===//

/// The operation on two i32 that %a and %b are, as a float.
std::string onIntegers(const std::string &op) {
  return "%i = \"arith.fptosi\"(%a) : (f32) -> i32 "
         "%j = \"arith.fptosi\"(%b) : (f32) -> i32 "
         "%k = \"" +
         op +
         "\"(%i, %j) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> "
         "i32 %r = \"arith.sitofp\"(%k) : (i32) -> f32";
}

TEST(IntegerProgramTest, SumsAndProductsWrap) {
  constexpr double kTwo31 = 2147483648.0;
  EXPECT_EQ(evaluate(onIntegers("arith.addi"), {5, 0}, {-7, 0}).value, -2);
  EXPECT_EQ(
      evaluate(onIntegers("arith.addi"), {1 << 30, 0}, {1 << 30, 0}).value,
      -kTwo31);
  EXPECT_EQ(evaluate(onIntegers("arith.subi"), {-kTwo31, 0}, {128, 0}).value,
            double(float(kTwo31 - 128)));
  EXPECT_EQ(evaluate(onIntegers("arith.muli"), {-300, 0}, {200, 0}).value,
            -60000);
  // 3 * 2^60 is beyond what a double has bits for when something is added.
  EXPECT_EQ(
      evaluate(onIntegers("arith.muli"), {3 << 15, 0}, {1 << 16, 0}).value,
      -kTwo31);
}

TEST(IntegerProgramTest, UncertainIntegersStayCertainUntilTheyMayWrap) {
  const Number sum = evaluate(onIntegers("arith.addi"), {5.5, 1}, {1, 0});
  EXPECT_EQ(sum.value, 6);
  EXPECT_GE(sum.error, 1);
  EXPECT_LT(sum.error, 2);
  EXPECT_EQ(evaluate(onIntegers("arith.muli"), {70000.5, 1}, {40000, 0}).error,
            kInf);
}

TEST(IntegerProgramTest, TruncationKeepsTheLowestBits) {
  const std::string body = "%i = \"arith.fptosi\"(%a) : (f32) -> i32 "
                           "%k = \"arith.trunci\"(%i) <{overflowFlags = "
                           "#arith.overflow<none>}> : (i32) -> i8 "
                           "%r = \"arith.sitofp\"(%k) : (i8) -> f32";
  EXPECT_EQ(evaluate(body, {127, 0}).value, 127);
  EXPECT_EQ(evaluate(body, {200, 0}).value, -56);
  EXPECT_EQ(evaluate(body, {-129, 0}).value, 127);
}

/// A sum or product that no other may be fused with is one f32.
TEST(IntegerProgramTest, ArithmeticThatCannotFuseIsExact) {
  for (const char *op :
       {"arith.addf", "arith.subf", "arith.mulf", "arith.divf"}) {
    const std::string plain =
        "%r = \"" + std::string(op) + "\"(%a, %b) : (f32, f32) -> f32";
    const std::string fusible = "%r = \"" + std::string(op) +
                                "\"(%a, %b) <{fastmath = "
                                "#arith.fastmath<contract>}> : (f32, f32) -> "
                                "f32";
    const Number a{0.1f, 0}, b{3.3f, 0};
    const Number alone = evaluate(plain, a, b);
    EXPECT_EQ(alone.error, 0) << op;
    EXPECT_EQ(alone.value, double(float(alone.value))) << op;
    EXPECT_GT(evaluate(fusible, a, b).error, 0) << op;
    EXPECT_NEAR(evaluate(fusible, a, b).value, alone.value, 1e-6) << op;
    // What is not certain stays so.
    EXPECT_GT(evaluate(plain, {0.1f, 1e-5}, b).error, 0) << op;
  }
}

} // namespace
