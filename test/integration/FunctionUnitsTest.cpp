// How many units in the last place functions are off the true values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "FloatGrid.h"
#include "KernelTest.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace lintel;
using namespace lintel::integration;

namespace {

/// How many floats `value` is off, in units of the last place of the float next
/// to `truth`.
double unitsOff(float value, double truth) {
  const float nearest = std::abs(static_cast<float>(truth));
  const double unit =
      double(std::nextafter(nearest, std::numeric_limits<float>::max())) -
      nearest;
  return std::abs(value - truth) / unit;
}

/// A logarithm takes denormals for the smallest normal number.
std::vector<float> withoutDenormals(float end) {
  std::vector<float> values = manyValues(end);
  std::erase_if(values, [](float value) {
    return std::fpclassify(value) == FP_SUBNORMAL;
  });
  return values;
}

double reciprocalRoot(double x) { return 1 / std::sqrt(x); }

class FunctionUnitsTest : public LevelTest {
protected:
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
};

TEST_P(FunctionUnitsTest, ErfIsRightToSevenUnitsAndNeverBeyondOne) {
  epilogue = regionEpilogue("%y = math.erf %acc : f32");
  for (const auto &[x, y] : computed(manyValues(4.5f))) {
    ASSERT_LE(unitsOff(y, std::erf(double(x))), 7) << x;
    ASSERT_LE(std::abs(y), 1) << x;
    if (std::abs(x) >= 4) {
      ASSERT_EQ(std::abs(y), 1) << x;
    }
  }
}

TEST_P(FunctionUnitsTest, AtanIsRightToThreeUnits) {
  epilogue = regionEpilogue("%y = math.atan %acc : f32");
  for (const auto &[x, y] : computed(manyValues(3)))
    if (std::isnormal(x)) {
      ASSERT_LE(unitsOff(y, std::atan(double(x))), 3) << x;
    }
}

TEST_P(FunctionUnitsTest, CircularFunctionsAreRightToAUnitOfOne) {
  std::vector<float> values = manyValues(100);
  for (float end : {33000.0f, 132000.0f, 263000.0f}) {
    const std::vector<float> more = manyValues(end);
    values.insert(values.end(), more.begin(), more.end());
  }
  // Without FMA products of j and the parts of pi / 2 are not exact from 2^15
  // on, and from 2^17 on nothing is right.
  const float exactEnd = target.hasFma() ? 0x1p18f : 0x1p15f;
  const float end = target.hasFma() ? 0x1p18f : 0x1p17f;
  const auto checkSize = [&](float x, float y, double truth) {
    if (std::abs(x) <= end) {
      ASSERT_NEAR(y, truth, std::abs(x) <= exactEnd ? 1.5e-7 : 2e-6) << x;
    } else if (std::isfinite(x)) {
      ASSERT_LE(std::abs(y), 1) << x;
    }
  };
  epilogue = regionEpilogue("%y = math.sin %acc : f32");
  for (const auto &[x, y] : computed(values)) {
    ASSERT_NO_FATAL_FAILURE(checkSize(x, y, std::sin(double(x))));
    if (std::abs(x) < 0.78 && std::isnormal(x)) {
      ASSERT_LE(unitsOff(y, std::sin(double(x))), 3) << x;
    }
    if (x != 0 && std::abs(x) <= exactEnd) {
      ASSERT_EQ(std::signbit(y), std::sin(x) < 0) << x;
    }
  }
  epilogue = regionEpilogue("%y = math.cos %acc : f32");
  for (const auto &[x, y] : computed(values))
    ASSERT_NO_FATAL_FAILURE(checkSize(x, y, std::cos(double(x))));
}

TEST_P(FunctionUnitsTest, Exp2IsRightToTwoUnitsWhereItIsNormal) {
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

TEST_P(FunctionUnitsTest, HyperbolicFunctionsAreRightToFiveUnits) {
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

TEST_P(FunctionUnitsTest, ExpIsRightToTwoUnitsWhereItIsNormal) {
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

TEST_P(FunctionUnitsTest, GeluTanhOfNegativesKeepsItsDigits) {
  epilogue = epilogueNamed("gelu_tanh");
  for (const auto &[x, y] : computed(manyValues(9))) {
    const double v = x;
    const double inner =
        std::sqrt(2 / std::numbers::pi) * (v + 0.044715 * v * v * v);
    const double truth = v / (1 + std::exp(-2 * inner));
    ASSERT_LE(std::abs(y - truth), 2e-5 * std::abs(truth)) << x;
  }
}

/// The largest errors found, without FMA, are in parentheses.
TEST_P(FunctionUnitsTest, LogarithmsAndOthersAreRightToAFewUnits) {
  struct Function {
    const char *name;
    double (*truth)(double);
    double units;
    float end;
  };
  for (const Function &function :
       {Function{"math.tanh", std::tanh, 7, 9},           // (6.9)
        Function{"math.log", std::log, 2, 4},             // (1.1)
        Function{"math.log2", std::log2, 2, 4},           // (1.8)
        Function{"math.log10", std::log10, 3, 4},         // (2.7)
        Function{"math.log1p", std::log1p, 3, 0x1.1p24f}, // (2.5)
        Function{"math.expm1", std::expm1, 4, 88},        // (3.4)
        Function{"math.rsqrt", reciprocalRoot, 2, 4}}) {  // (1.5)
    epilogue =
        regionEpilogue("%y = " + std::string(function.name) + " %acc : f32");
    for (const auto &[x, y] : computed(withoutDenormals(function.end))) {
      const double truth = function.truth(x);
      if (std::isnan(truth))
        ASSERT_TRUE(std::isnan(y)) << function.name << " of " << x;
      else if (std::isfinite(static_cast<float>(truth)))
        ASSERT_LE(unitsOff(y, truth), function.units)
            << function.name << " of " << x;
    }
  }
}

/// Beyond 0 kernels take the exponential of a square, which without FMA is
/// rounded: up to 66 units at 8.9, with FMA 3.
TEST_P(FunctionUnitsTest, ErfcKeepsItsDigits) {
  epilogue = regionEpilogue("%y = math.erfc %acc : f32");
  for (const auto &[x, y] : computed(manyValues(9.2f))) {
    const double truth = std::erfc(double(x));
    const double square = target.hasFma() || x < 0 ? 0 : double(x) * x;
    if (truth >= std::numeric_limits<float>::min()) {
      ASSERT_LE(unitsOff(y, truth), 4 + square) << x;
    }
  }
}

/// The unit of an error that is relative may be half an epsilon.
TEST_P(FunctionUnitsTest, PowersAreRightToTheErrorOfTheirExponent) {
  for (double exponent :
       {1.5, -1.5, 17.0, 100.0, 0.5, -0.5, 3.0, 16.0, -3.0, -16.0}) {
    epilogue =
        regionEpilogue("%e = arith.constant " + std::to_string(exponent) +
                       " : f32\n"
                       "%y = math.powf %acc, %e : f32");
    for (const auto &[x, y] : computed(withoutDenormals(4))) {
      const double truth = std::pow(double(x), exponent);
      const double size = std::abs(exponent * std::log(std::abs(double(x))));
      // By products of as many factors, or of inverses.
      const double factors =
          std::abs(exponent) <= 16 ? 2 * std::abs(exponent) : 0;
      if (std::isnan(truth))
        ASSERT_TRUE(std::isnan(y)) << x << "^" << exponent;
      else if (std::isnormal(static_cast<float>(truth)))
        ASSERT_LE(unitsOff(y, truth), 3 * (1 + size) + factors)
            << x << "^" << exponent;
    }
  }
}

TEST_P(FunctionUnitsTest, AnglesOfPointsAreRightToThreeUnits) {
  for (float other : {1.0f, -1.0f, 0.3f, -1e4f})
    for (bool isHeight : {true, false}) {
      epilogue =
          regionEpilogue("%e = arith.constant " + std::to_string(other) +
                         " : f32\n%y = math.atan2 " +
                         (isHeight ? "%acc, %e" : "%e, %acc") + " : f32");
      for (const auto &[sum, y] : computed(manyValues(4))) {
        const double truth = isHeight ? std::atan2(double(sum), double(other))
                                      : std::atan2(double(other), double(sum));
        // Sums of -0 are 0.
        if (sum != 0 && std::isnormal(static_cast<float>(truth))) {
          ASSERT_LE(unitsOff(y, truth), 3)
              << sum << (isHeight ? " over " : " under ") << other;
        }
      }
    }
}

LINTEL_ON(allLevels(), FunctionUnitsTest);

} // namespace
