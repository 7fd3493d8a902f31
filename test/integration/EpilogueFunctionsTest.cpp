// Every stage and function of epilogues, over all floats worth a thought.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "FloatGrid.h"
#include "KernelTest.h"

#include <cmath>
#include <limits>

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

TEST_P(EpilogueFunctionsTest, SinesOfNegativeZero) {
  // Are -0, whose inverse shows it.
  check(regionEpilogue("%one = arith.constant 1.0 : f32\n"
                       "%n = arith.negf %acc : f32\n"
                       "%s = math.sin %n : f32\n"
                       "%y = arith.divf %one, %s : f32"));
}

TEST_P(EpilogueFunctionsTest, FunctionsOfTwoNumbers) {
  for (const char *name :
       {"arith.addf", "arith.subf", "arith.mulf", "arith.divf",
        "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf",
        "math.copysign", "math.atan2"})
    checkBinary(name);
  checkBinary("math.powf", Domain::noDenormals);
}

TEST_P(EpilogueFunctionsTest, Clamps) {
  check(regionEpilogue("%m = arith.constant 0.75 : f32\n"
                       "%y = math.clampf %acc to [%g, %m] : f32"));
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
