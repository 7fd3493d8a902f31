// Every stage and function of epilogues, over all floats worth a thought.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace lintel;
using namespace lintel::integration;

namespace {

/// Zero, denormals, powers of two to the largest, a fine grid where functions
/// bend, infinities and NaN.
std::vector<float> interestingValues() {
  std::vector<float> values = {0.0f, std::numeric_limits<float>::denorm_min(),
                               std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN()};
  for (int exponent = -149; exponent < 128; exponent += 3)
    values.push_back(std::ldexp(1.25f, exponent));
  for (float value = 1.0f / 16; value < 12; value += 1.0f / 16)
    values.push_back(value);
  for (float value = 12; value < 120; value += 1.75f)
    values.push_back(value);
  return values;
}

/// Sums that a function is tested with. Some functions
/// are MLIR's approximations, which have edges; each domain but `all` names
/// one.
enum class Domain {
  all,
  noDenormals, ///< log takes them for the smallest normal number
};

bool isIn(Domain domain, float value) {
  switch (domain) {
  case Domain::all:
    return true;
  case Domain::noDenormals:
    return std::fpclassify(value) != FP_SUBNORMAL;
  }
  return false;
}

/// A grid from 0 to `end` and powers of two to the largest.
std::vector<float> manyValues(float end) {
  std::vector<float> values;
  for (int step = 0; step < 4608; ++step)
    values.push_back(end * static_cast<float>(step) / 4608);
  for (int exponent = -140; exponent < 128; exponent += 2)
    values.push_back(std::ldexp(1.5f, exponent));
  return values;
}

/// How many floats `value` is off, in units of the last place of the float next
/// to `truth`.
double unitsOff(float value, double truth) {
  const float nearest = std::abs(static_cast<float>(truth));
  const double unit =
      double(std::nextafter(nearest, std::numeric_limits<float>::max())) -
      nearest;
  return std::abs(value - truth) / unit;
}

class EpilogueFunctionsTest : public LevelTest {
protected:
  /// Sums that are the interesting values of the domain, in one row, and their
  /// negatives in the other, beside a full operand of multiples of 1/8 up to 1.
  void check(const Epilogue &function, Domain domain = Domain::all) {
    epilogue = function;
    std::vector<float> values = interestingValues();
    const std::vector<float> grid = manyValues(4);
    values.insert(values.end(), grid.begin(), grid.end());
    const Problem layer = problem(2, int64_t(values.size()), 1);
    const Workload workload(layer, 2, Fill::exact, 81, [&](Inputs &inputs) {
      inputs.x = {1, isIn(domain, -1) ? -1.0f : 0.5f};
      inputs.w = values;
      for (float &value : inputs.w)
        if (!isIn(domain, value) || !isIn(domain, value * inputs.x[1]))
          value = 1;
    });
    GuardedCall call(workload, 2, {.rows = Layout::Rows::apart});
    for (const Schedule &code : someCodes(layer, target, 2, turn))
      if (!right(call, code))
        return;
  }

  /// Each of these values and of their negatives with what the epilogue makes
  /// of it, by some kernels.
  std::vector<std::pair<float, float>>
  computed(const std::vector<float> &values) {
    const Problem layer = problem(2, int64_t(values.size()), 1);
    const Workload workload(layer, 2, Fill::exact, 82, [&](Inputs &inputs) {
      inputs.x = {1, -1};
      inputs.w = values;
    });
    GuardedCall call(workload, 2, {.rows = Layout::Rows::apart});
    std::vector<std::pair<float, float>> pairs;
    for (const Schedule &code : someCodes(layer, target, 2, turn)) {
      if (!right(call, code))
        continue;
      const std::vector<float> results = call.outputs();
      for (size_t i = 0; i < values.size(); ++i) {
        pairs.emplace_back(values[i], results[i]);
        pairs.emplace_back(-values[i], results[values.size() + i]);
      }
    }
    EXPECT_FALSE(pairs.empty());
    return pairs;
  }

  void checkUnary(const char *name, Domain domain = Domain::all) {
    check(regionEpilogue("%y = " + std::string(name) + " %acc : f32"), domain);
  }

  void checkBinary(const char *name, Domain domain = Domain::all) {
    check(regionEpilogue("%y = " + std::string(name) + " %acc, %g : f32"),
          domain);
  }
};

TEST_P(EpilogueFunctionsTest, NamedStages) {
  for (const char *name :
       {"none", "bias", "relu", "gelu_erf", "gelu_tanh", "silu", "sigmoid",
        "tanh", "clamp", "clamp(-1,1)", "residual", "mul",
        "bias+gelu_erf+mul+residual+clamp(-3,inf)+sigmoid"})
    check(epilogueNamed(name));
}

TEST_P(EpilogueFunctionsTest, FunctionsOfOneNumber) {
  for (const char *name :
       {"arith.negf",     "math.absf",  "math.atan",  "math.ceil",
        "math.erf",       "math.erfc",  "math.exp",   "math.exp2",
        "math.expm1",     "math.floor", "math.log1p", "math.round",
        "math.roundeven", "math.rsqrt", "math.sqrt",  "math.tanh",
        "math.trunc",     "math.sin",   "math.cos",   "math.sinh",
        "math.cosh",      "math.asinh", "math.acosh", "math.atanh"})
    checkUnary(name);
  for (const char *name : {"math.log", "math.log2", "math.log10"})
    checkUnary(name, Domain::noDenormals);
}

TEST_P(EpilogueFunctionsTest, ErfIsRightToSixUnitsAndNeverBeyondOne) {
  epilogue = regionEpilogue("%y = math.erf %acc : f32");
  for (const auto &[x, y] : computed(manyValues(4.5f))) {
    ASSERT_LE(unitsOff(y, std::erf(double(x))), 6) << x;
    ASSERT_LE(std::abs(y), 1) << x;
    if (std::abs(x) >= 4) {
      ASSERT_EQ(std::abs(y), 1) << x;
    }
  }
}

TEST_P(EpilogueFunctionsTest, AtanIsRightToThreeUnits) {
  epilogue = regionEpilogue("%y = math.atan %acc : f32");
  for (const auto &[x, y] : computed(manyValues(3)))
    if (std::isnormal(x)) {
      ASSERT_LE(unitsOff(y, std::atan(double(x))), 3) << x;
    }
}

TEST_P(EpilogueFunctionsTest, AnglesOfPointsInAllDirections) {
  for (const char *other :
       {"0.0", "-0.0", "1.0", "-1.0", "1.0e30", "-1.0e30", "1.0e-30",
        "-1.0e-30", "0x7F800000", "0xFF800000", "0x7FC00000"})
    for (const char *point : {"%acc, %e", "%e, %acc"})
      check(regionEpilogue("%e = arith.constant " + std::string(other) +
                           " : f32\n"
                           "%y = math.atan2 " +
                           point + " : f32"));
}

TEST_P(EpilogueFunctionsTest, CircularFunctionsAreRightToAUnitOfOne) {
  std::vector<float> values = manyValues(100);
  const std::vector<float> more = manyValues(33000);
  values.insert(values.end(), more.begin(), more.end());
  epilogue = regionEpilogue("%y = math.sin %acc : f32");
  for (const auto &[x, y] : computed(values))
    if (std::abs(x) <= 32768) {
      ASSERT_NEAR(y, std::sin(double(x)), 1.5e-7) << x;
      if (std::abs(x) < 0.78 && std::isnormal(x)) {
        ASSERT_LE(unitsOff(y, std::sin(double(x))), 3) << x;
      }
      if (x != 0) {
        ASSERT_EQ(std::signbit(y), std::sin(x) < 0) << x;
      }
    } else if (std::isfinite(x)) {
      ASSERT_LE(std::abs(y), 1) << x;
    }
  // Of -0, -0, whose inverse shows it.
  check(regionEpilogue("%one = arith.constant 1.0 : f32\n"
                       "%n = arith.negf %acc : f32\n"
                       "%s = math.sin %n : f32\n"
                       "%y = arith.divf %one, %s : f32"));
  epilogue = regionEpilogue("%y = math.cos %acc : f32");
  for (const auto &[x, y] : computed(values))
    if (std::abs(x) <= 32768) {
      ASSERT_NEAR(y, std::cos(double(x)), 1.5e-7) << x;
    } else if (std::isfinite(x)) {
      ASSERT_LE(std::abs(y), 1) << x;
    }
}

TEST_P(EpilogueFunctionsTest, Exp2IsRightToTwoUnitsWhereItIsNormal) {
  epilogue = regionEpilogue("%y = math.exp2 %acc : f32");
  std::vector<float> values = manyValues(130);
  for (float whole = 0; whole < 150; ++whole)
    values.push_back(whole);
  for (const auto &[x, y] : computed(values)) {
    if (x >= 128) {
      ASSERT_EQ(y, std::numeric_limits<float>::infinity()) << x;
    } else if (x <= -150) {
      ASSERT_EQ(y, 0) << x;
    } else if (x >= -126) {
      ASSERT_LE(unitsOff(y, std::exp2(double(x))), 2) << x;
    }
    if (std::trunc(x) == x && x > -126 && x < 128) {
      ASSERT_EQ(y, std::exp2(x)) << x;
    }
  }
}

TEST_P(EpilogueFunctionsTest, HyperbolicFunctionsAreRightToFiveUnits) {
  struct Function {
    const char *name;
    double (*truth)(double);
  };
  std::vector<float> values = manyValues(12);
  // Where they cancelled, their formulas change, and sinh and cosh end.
  for (float value : {1e-8f, 9.99999f, 10.00001f, 88.7f, 88.8f, 89.0f, 89.4f,
                      0x1.fffffep+29f, 0x1.000002p+30f, 0.999999f, 1.000001f})
    values.push_back(value);
  for (const Function &function :
       {Function{"math.sinh", std::sinh}, Function{"math.cosh", std::cosh},
        Function{"math.asinh", std::asinh}, Function{"math.acosh", std::acosh},
        Function{"math.atanh", std::atanh}}) {
    epilogue =
        regionEpilogue("%y = " + std::string(function.name) + " %acc : f32");
    for (const auto &[x, y] : computed(values)) {
      const double truth = function.truth(x);
      if (std::isnan(truth))
        ASSERT_TRUE(std::isnan(y)) << function.name << " of " << x;
      else if (std::fpclassify(x) != FP_SUBNORMAL &&
               std::isfinite(static_cast<float>(truth)))
        ASSERT_LE(unitsOff(y, truth), 5) << function.name << " of " << x;
    }
  }
}

TEST_P(EpilogueFunctionsTest, ExpIsRightToTwoUnitsWhereItIsNormal) {
  const std::vector<float> values = manyValues(90);
  for (float sign : {1.0f, -1.0f}) {
    epilogue = regionEpilogue(sign > 0 ? "%y = math.exp %acc : f32"
                                       : "%x = arith.negf %acc : f32\n"
                                         "%y = math.exp %x : f32");
    for (const auto &[given, y] : computed(values)) {
      const float x = sign * given;
      if (x <= -87.7f) {
        ASSERT_EQ(y, 0) << x;
      } else if (x >= 88.73f) {
        ASSERT_EQ(y, std::numeric_limits<float>::infinity()) << x;
      } else if (x > -87.3f && x < 88.72f) {
        ASSERT_LE(unitsOff(y, std::exp(double(x))), 2) << x;
      }
      if (x == 0) {
        ASSERT_EQ(y, 1);
      }
    }
  }
}

TEST_P(EpilogueFunctionsTest, GeluTanhOfNegativesKeepsItsDigits) {
  epilogue = epilogueNamed("gelu_tanh");
  for (const auto &[x, y] : computed(manyValues(9))) {
    const double v = x;
    const double inner =
        std::sqrt(2 / std::numbers::pi) * (v + 0.044715 * v * v * v);
    const double truth = v / (1 + std::exp(-2 * inner));
    ASSERT_LE(std::abs(y - truth), 2e-5 * std::abs(truth)) << x;
  }
}

TEST_P(EpilogueFunctionsTest, FunctionsOfTwoNumbers) {
  for (const char *name :
       {"arith.addf", "arith.subf", "arith.mulf", "arith.divf",
        "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf",
        "math.copysign", "math.atan2"})
    checkBinary(name);
  checkBinary("math.powf", Domain::noDenormals);
}

TEST_P(EpilogueFunctionsTest, PowersWithExponentsOfEveryKind) {
  // Whole ones from -8 to 8.
  check(regionEpilogue("%eight = arith.constant 8.0 : f32\n"
                       "%e = arith.mulf %g, %eight : f32\n"
                       "%y = math.powf %acc, %e : f32"),
        Domain::noDenormals);
  for (const char *exponent :
       {"0.0", "1.0", "2.0", "5.0", "16.0", "-1.0", "-3.0", "0.5", "-0.5",
        "1.5", "17.0", "18.0", "0x7F800000", "0xFF800000"})
    check(regionEpilogue("%e = arith.constant " + std::string(exponent) +
                         " : f32\n"
                         "%y = math.powf %acc, %e : f32"),
          Domain::noDenormals);
}

TEST_P(EpilogueFunctionsTest, Comparisons) {
  for (const char *predicate :
       {"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge",
        "ult", "ule", "une", "uno"})
    check(regionEpilogue("%c = arith.cmpf " + std::string(predicate) +
                         ", %acc, %g : f32\n"
                         "%y = arith.select %c, %acc, %g : f32"));
}

TEST_P(EpilogueFunctionsTest, ConversionsAndLogic) {
  check(regionEpilogue("%zero = arith.constant 0.0 : f32\n"
                       "%a = arith.cmpf ogt, %acc, %zero : f32\n"
                       "%b = arith.cmpf olt, %acc, %g : f32\n"
                       "%c = arith.andi %a, %b : i1\n"
                       "%d = arith.xori %c, %a : i1\n"
                       "%e = arith.ori %d, %b : i1\n"
                       "%y = arith.uitofp %e : i1 to f32"));
  check(regionEpilogue("%least = arith.constant -1000.0 : f32\n"
                       "%most = arith.constant 1000.0 : f32\n"
                       "%a = arith.maxnumf %acc, %least : f32\n"
                       "%b = arith.minnumf %a, %most : f32\n"
                       "%i = arith.fptosi %b : f32 to i32\n"
                       "%f = arith.sitofp %i : i32 to f32\n"
                       "%y = math.fma %f, %g, %b : f32"));
}

TEST_P(EpilogueFunctionsTest, ProductsOfFma) {
  // What rounding took from the product; nothing without FMA.
  check(regionEpilogue("%c = arith.constant 1.1 : f32\n"
                       "%p = arith.mulf %acc, %c : f32\n"
                       "%n = arith.negf %p : f32\n"
                       "%y = math.fma %acc, %c, %n : f32"));
  // A product that overflows, and a sum that does not.
  check(regionEpilogue("%c = arith.constant -3.0e38 : f32\n"
                       "%y = math.fma %acc, %c, %c : f32"));
}

/// What is zero but for rounding, which decides whether functions of it are
/// numbers.
TEST_P(EpilogueFunctionsTest, FunctionsNextToTheEdgesOfTheirDomains) {
  const std::string fromErf = "%one = arith.constant 1.0 : f32\n"
                              "%a = math.erf %acc : f32\n"
                              "%b = math.erfc %acc : f32\n"
                              "%s = arith.addf %a, %b : f32\n"
                              "%zero = arith.subf %one, %s : f32\n";
  const std::string fromExp = "%a = math.exp %acc : f32\n"
                              "%b = math.log %a : f32\n"
                              "%zero = arith.subf %b, %acc : f32\n";
  for (const std::string &zero : {fromErf, fromExp}) {
    for (const char *name : {"math.sqrt", "math.rsqrt", "math.log"})
      check(regionEpilogue(zero + "%y = " + name + " %zero : f32"));
    check(regionEpilogue(zero + "%y = arith.divf %acc, %zero : f32"));
  }
}

TEST_P(EpilogueFunctionsTest, TheSignOfNaNIsNone) {
  check(regionEpilogue("%one = arith.constant 1.0 : f32\n"
                       "%a = math.absf %acc : f32\n"
                       "%n = arith.negf %a : f32\n"
                       "%l = math.log %n : f32\n"
                       "%y = math.copysign %one, %l : f32"),
        Domain::noDenormals);
}

TEST_P(EpilogueFunctionsTest, FastMathFlagsPermitAndAskForNothing) {
  check(regionEpilogue("%one = arith.constant 1.0 : f32\n"
                       "%a = math.absf %acc : f32\n"
                       "%d = arith.addf %a, %one : f32\n"
                       "%y = arith.divf %acc, %d fastmath<fast> : f32"));
}

LINTEL_ON(allLevels(), EpilogueFunctionsTest);

} // namespace
