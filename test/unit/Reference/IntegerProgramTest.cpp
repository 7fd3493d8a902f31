// Epilogues on integers, and arithmetic that every kernel does alike.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Reference/EpilogueProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

using namespace lintel;

namespace {

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
  EXPECT_EQ(evaluate(onIntegers("arith.muli"), {53687.5, 1}, {40000, 0}).error,
            kInf);
}

TEST(IntegerProgramTest, UncertainIntegersMayWrapForCertain) {
  const Number product =
      evaluate(onIntegers("arith.muli"), {70000.5, 1}, {40000, 0});
  EXPECT_EQ(product.value, double(float(70000.0 * 40000 - 0x1p32)));
  EXPECT_GE(product.error, 40000);
  EXPECT_LT(product.error, 41000);
}

TEST(IntegerProgramTest, TruncationKeepsTheLowestBits) {
  const std::string body = "%i = \"arith.fptosi\"(%a) : (f32) -> i32 "
                           "%k = \"arith.trunci\"(%i) <{overflowFlags = "
                           "#arith.overflow<none>}> : (i32) -> i8 "
                           "%r = \"arith.sitofp\"(%k) : (i8) -> f32";
  EXPECT_EQ(evaluate(body, {127, 0}).value, 127);
  EXPECT_EQ(evaluate(body, {200, 0}).value, -56);
  EXPECT_EQ(evaluate(body, {-129, 0}).value, 127);
  const Number uncertain = evaluate(body, {200, 0.5});
  EXPECT_EQ(uncertain.value, -56);
  EXPECT_GE(uncertain.error, 1);
  EXPECT_LT(uncertain.error, 1.01);
  EXPECT_EQ(evaluate(body, {128, 0.5}).error, kInf);
}

/// A comparison of two i8 that %a and %b are.
std::string comparison(mlir::arith::CmpIPredicate predicate) {
  return "%i = \"arith.fptosi\"(%a) : (f32) -> i8 "
         "%j = \"arith.fptosi\"(%b) : (f32) -> i8 "
         "%k = \"arith.cmpi\"(%i, %j) <{predicate = " +
         std::to_string(static_cast<int64_t>(predicate)) +
         " : i64}> : (i8, i8) -> i1 "
         "%r = \"arith.uitofp\"(%k) : (i1) -> f32";
}

TEST(IntegerProgramTest, ComparesWithAndWithoutSigns) {
  using P = mlir::arith::CmpIPredicate;
  const auto holds = [](P predicate, double a, double b) {
    const Number truth = evaluate(comparison(predicate), {a, 0}, {b, 0});
    EXPECT_EQ(truth.error, 0);
    return truth.value == 1;
  };
  for (double a : {-128.0, -1.0, 0.0, 1.0, 127.0})
    for (double b : {-128.0, -1.0, 0.0, 1.0, 127.0}) {
      const int8_t i = int8_t(a), j = int8_t(b);
      const uint8_t u = uint8_t(i), v = uint8_t(j);
      EXPECT_EQ(holds(P::eq, a, b), i == j) << a << " " << b;
      EXPECT_EQ(holds(P::ne, a, b), i != j) << a << " " << b;
      EXPECT_EQ(holds(P::slt, a, b), i < j) << a << " " << b;
      EXPECT_EQ(holds(P::sle, a, b), i <= j) << a << " " << b;
      EXPECT_EQ(holds(P::sgt, a, b), i > j) << a << " " << b;
      EXPECT_EQ(holds(P::sge, a, b), i >= j) << a << " " << b;
      EXPECT_EQ(holds(P::ult, a, b), u < v) << a << " " << b;
      EXPECT_EQ(holds(P::ule, a, b), u <= v) << a << " " << b;
      EXPECT_EQ(holds(P::ugt, a, b), u > v) << a << " " << b;
      EXPECT_EQ(holds(P::uge, a, b), u >= v) << a << " " << b;
    }
  EXPECT_EQ(evaluate(comparison(P::sgt), {5.5, 1}, {5, 0}).error, 1);
}

TEST(IntegerProgramTest, ExtendsWithAndWithoutSigns) {
  const auto extended = [](const std::string &op, const std::string &type,
                           Number a) {
    return evaluate("%i = \"arith.fptosi\"(%a) : (f32) -> " + type +
                        " %k = \"" + op + "\"(%i) : (" + type +
                        ") -> i32 %r = \"arith.sitofp\"(%k) : (i32) -> f32",
                    a);
  };
  EXPECT_EQ(extended("arith.extsi", "i8", {-3, 0}).value, -3);
  EXPECT_EQ(extended("arith.extui", "i8", {-3, 0}).value, 253);
  EXPECT_EQ(extended("arith.extui", "i8", {100, 0}).value, 100);
  // True is -1 as a signed number.
  EXPECT_EQ(extended("arith.extsi", "i1", {-1, 0}).value, -1);
  EXPECT_EQ(extended("arith.extui", "i1", {-1, 0}).value, 1);
  EXPECT_GT(extended("arith.extui", "i8", {0.5, 1}).error, 1e9);
}

TEST(IntegerProgramTest, BecomesFloatsWithAndWithoutSigns) {
  const auto converted = [](const std::string &op, const std::string &type,
                            Number a) {
    return evaluate("%i = \"arith.fptosi\"(%a) : (f32) -> " + type +
                        " %r = \"" + op + "\"(%i) : (" + type + ") -> f32",
                    a);
  };
  EXPECT_EQ(converted("arith.sitofp", "i8", {-3, 0}).value, -3);
  EXPECT_EQ(converted("arith.uitofp", "i8", {-3, 0}).value, 253);
  EXPECT_EQ(converted("arith.uitofp", "i16", {-1, 0}).value, 65535);
  // More bits than f32 has.
  EXPECT_EQ(converted("arith.uitofp", "i32", {-1, 0}).value, 4294967296.0);
  EXPECT_EQ(converted("arith.sitofp", "i1", {-1, 0}).value, -1);
  EXPECT_EQ(converted("arith.uitofp", "i1", {-1, 0}).value, 1);
}

TEST(IntegerProgramTest, TakesTheLargerAndTheSmaller) {
  const auto chosen = [](const std::string &op, const std::string &type,
                         double a, double b) {
    return evaluate("%i = \"arith.fptosi\"(%a) : (f32) -> " + type +
                        " %j = \"arith.fptosi\"(%b) : (f32) -> " + type +
                        " %k = \"" + op + "\"(%i, %j) : (" + type + ", " +
                        type + ") -> " + type +
                        " %r = \"arith.sitofp\"(%k) : (" + type + ") -> f32",
                    {a, 0}, {b, 0})
        .value;
  };
  EXPECT_EQ(chosen("arith.maxsi", "i8", -3, 2), 2);
  EXPECT_EQ(chosen("arith.minsi", "i8", -3, 2), -3);
  EXPECT_EQ(chosen("arith.maxsi", "i32", -7, -5), -5);
  // True is -1, less than false.
  EXPECT_EQ(chosen("arith.maxsi", "i1", -1, 0), 0);
  EXPECT_EQ(chosen("arith.minsi", "i1", -1, 0), -1);
  EXPECT_EQ(chosen("arith.maxsi", "i1", -1, -1), -1);
}

/// An operation of i8 that %a is, and a constant that CPUs may divide by.
ScalarProgram onBytes(const std::string &op, int other) {
  const std::string flags =
      op == "arith.shli" ? "<{overflowFlags = #arith.overflow<none>}>" : "";
  return compile("%i = \"arith.fptosi\"(%a) : (f32) -> i8 "
                 "%j = \"arith.constant\"() <{value = " +
                 std::to_string(other) +
                 " : i8}> : () -> i8 "
                 "%k = \"" +
                 op + "\"(%i, %j) " + flags +
                 " : (i8, i8) -> i8 "
                 "%r = \"arith.sitofp\"(%k) : (i8) -> f32")
      .value();
}

int floorOf(int a, int b) { return int(std::floor(double(a) / b)); }
int ceilOf(int a, int b) { return int(std::ceil(double(a) / b)); }

/// Of numbers with their sign.
struct SignedOperation {
  const char *name;
  int (*of)(int, int);
};
/// Of numbers from 0 on.
struct UnsignedOperation {
  const char *name;
  unsigned (*of)(unsigned, unsigned);
};

constexpr int kDivisors[] = {-128, -3, -2, 1, 2, 3, 100, 127};

TEST(IntegerProgramTest, DividesAndCombinesNumbersWithASign) {
  const SignedOperation operations[] = {
      {"arith.divsi", [](int a, int b) { return a / b; }},
      {"arith.remsi", [](int a, int b) { return a % b; }},
      {"arith.floordivsi", floorOf},
      {"arith.ceildivsi", ceilOf},
      {"arith.andi", [](int a, int b) { return a & b; }},
      {"arith.ori", [](int a, int b) { return a | b; }},
      {"arith.xori", [](int a, int b) { return a ^ b; }},
  };
  for (const SignedOperation &operation : operations)
    for (int b : kDivisors) {
      const ScalarProgram program = onBytes(operation.name, b);
      for (int a = -128; a < 128; ++a)
        ASSERT_EQ(evaluate(program, {double(a), 0}).value, operation.of(a, b))
            << operation.name << " " << a << " " << b;
    }
}

TEST(IntegerProgramTest, DividesAndChoosesNumbersWithoutASign) {
  const UnsignedOperation operations[] = {
      {"arith.divui", [](unsigned a, unsigned b) { return a / b; }},
      {"arith.remui", [](unsigned a, unsigned b) { return a % b; }},
      {"arith.ceildivui",
       [](unsigned a, unsigned b) { return (a + b - 1) / b; }},
      {"arith.maxui", [](unsigned a, unsigned b) { return std::max(a, b); }},
      {"arith.minui", [](unsigned a, unsigned b) { return std::min(a, b); }},
  };
  for (const UnsignedOperation &operation : operations)
    for (int b : kDivisors) {
      const ScalarProgram program = onBytes(operation.name, b);
      for (int a = -128; a < 128; ++a)
        ASSERT_EQ(evaluate(program, {double(a), 0}).value,
                  int8_t(operation.of(uint8_t(a), uint8_t(b))))
            << operation.name << " " << a << " " << b;
    }
}

TEST(IntegerProgramTest, ShiftsByLessThanAllBits) {
  for (int by = 0; by < 8; ++by) {
    const ScalarProgram left = onBytes("arith.shli", by),
                        arithmetic = onBytes("arith.shrsi", by),
                        logical = onBytes("arith.shrui", by);
    for (int a = -128; a < 128; ++a) {
      const Number number{double(a), 0};
      ASSERT_EQ(evaluate(left, number).value, int8_t(unsigned(a) << by));
      ASSERT_EQ(evaluate(arithmetic, number).value, a >> by);
      ASSERT_EQ(evaluate(logical, number).value, int8_t(uint8_t(a) >> by));
    }
  }
  for (const char *op : {"arith.shli", "arith.shrsi", "arith.shrui"})
    for (int by : {8, 100, -1})
      EXPECT_EQ(evaluate(onBytes(op, by), {1, 0}).error, kInf) << op << by;
}

TEST(IntegerProgramTest, UncertainIntegersAreDividedAndShifted) {
  const Number integer{52.5, 2.5}; // 49 to 55
  Number result = evaluate(onBytes("arith.divsi", 8), integer);
  EXPECT_EQ(result.value, 6);
  EXPECT_EQ(result.error, 0);
  result = evaluate(onBytes("arith.floordivsi", 10), integer);
  EXPECT_EQ(result.value, 5);
  EXPECT_GE(result.error, 1);
  EXPECT_LT(result.error, 1.01);
  EXPECT_EQ(evaluate(onBytes("arith.shrsi", 3), integer).error, 0);
  EXPECT_EQ(evaluate(onBytes("arith.remsi", 64), integer).value, 52);
  EXPECT_LT(evaluate(onBytes("arith.remsi", 64), integer).error, 4);
  // Of 10 anything may be left.
  EXPECT_LE(evaluate(onBytes("arith.remsi", 10), integer).error, 11.01);
  EXPECT_GE(evaluate(onBytes("arith.remsi", 10), integer).error, 8);
  EXPECT_EQ(evaluate(onBytes("arith.andi", 3), integer).error, kInf);
}

/// A sum or product that no other may be fused with is one f32; nothing fuses
/// with a quotient.
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
    const bool fuses = op != std::string("arith.divf");
    EXPECT_EQ(evaluate(fusible, a, b).error > 0, fuses) << op;
    EXPECT_NEAR(evaluate(fusible, a, b).value, alone.value, 1e-6) << op;
    // What is not certain stays so.
    EXPECT_GT(evaluate(plain, {0.1f, 1e-5}, b).error, 0) << op;
  }
}

} // namespace
