// Functions that the reference does not know, and of constants, against the C
// library's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

#include "Runtime/KernelCall.h"
#include "Runtime/PackedWeight.h"
#include "Schedule/Workspace.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

using namespace lintel;
using namespace lintel::integration;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Zeros, denormals, powers of two to the largest, a fine grid near 1,
/// infinities and NaN, of both signs.
std::vector<float> manyFloats() {
  std::vector<float> values = {0, kInfinity, kNaN,
                               std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::denorm_min()};
  for (int exponent = -149; exponent < 128; ++exponent)
    values.push_back(std::ldexp(1.25f, exponent));
  for (int step = 1; step < 2048; ++step)
    values.push_back(static_cast<float>(step) / 512);
  const size_t positive = values.size();
  for (size_t i = 0; i < positive; ++i)
    values.push_back(-values[i]);
  return values;
}

/// How far `value` is from `truth`, in units of the last place of the float
/// next to that; 0 of NaN that is to be one, infinite where only one is.
double unitsOff(float value, double truth) {
  const auto nearest = static_cast<float>(truth);
  if (std::isnan(truth) || std::isinf(nearest))
    return (std::isnan(truth) && std::isnan(value)) || value == nearest
               ? 0
               : kInfinity;
  const float size = std::abs(nearest);
  const double unit =
      double(std::nextafter(size, kInfinity)) - static_cast<double>(size);
  return std::abs(value - truth) / unit;
}

class FunctionValuesTest : public LevelTest {
protected:
  /// %y of `body` for each pair of an exact sum %acc and an operand %g beside
  /// it.
  std::vector<float> computed(const std::string &body,
                              const std::vector<float> &sums,
                              const std::vector<float> &beside) {
    epilogue = regionEpilogue(body);
    const Problem layer = problem(1, int64_t(sums.size()), 1);
    const Schedule schedule = someCodes(layer, target, 1, turn).front();
    const auto kernel = kernelFor(target, layer, schedule);
    if (!kernel) {
      ADD_FAILURE() << body << ": " << kernel.error().message();
      return {};
    }
    const PackedWeight weight =
        PackedWeight::pack(PackedLayout::of(layer, schedule.panel()),
                           sums.data(), 1)
            .value();
    std::vector<float> results(sums.size());
    const KernelTensor output = {results.data(), layer.n()};
    const KernelTensor operand = {const_cast<float *>(beside.data()),
                                  layer.n()};
    const float one = 1;
    const Status ran = runPlan(
        makePlan((*kernel)->function(), schedule, layer, 1,
                 workspaceBytesPerThread(schedule, layer, target, 1)),
        *sequentialExecutor(), &one, 1, 1, weight.data(), &output, &operand);
    EXPECT_TRUE(ran) << body << ": " << ran.error().message();
    return results;
  }

  /// The same of operands alone.
  std::vector<float> computed(const std::string &body,
                              const std::vector<float> &operands) {
    return computed(body, std::vector<float>(operands.size(), 1), operands);
  }

  /// Checks a function of %g, within so many units of the last place.
  void check(const std::string &body,
             const std::function<double(double)> &function, double units,
             const std::vector<float> &operands = manyFloats()) {
    const std::vector<float> results = computed(body, operands);
    for (size_t i = 0; i < results.size(); ++i) {
      const double truth = function(operands[i]);
      if (unitsOff(results[i], truth) <= units &&
          (std::isnan(truth) ||
           std::signbit(results[i]) == std::signbit(truth)))
        continue;
      ADD_FAILURE() << body << ": " << results[i] << " of " << operands[i]
                    << "; right is " << truth;
      return;
    }
  }
};

std::string constant(float value) {
  return fmt::format("arith.constant 0x{:08X} : f32\n",
                     std::bit_cast<uint32_t>(value));
}

TEST_P(FunctionValuesTest, CubeRoots) {
  check("%y = math.cbrt %g : f32", [](double x) { return std::cbrt(x); }, 1);
}

TEST_P(FunctionValuesTest, TangentsAndInversesOfSines) {
  std::vector<float> moderate;
  for (float value : manyFloats())
    if (std::abs(value) < 100)
      moderate.push_back(value);
  check(
      "%y = math.tan %g : f32", [](double x) { return std::tan(x); }, 8,
      moderate);
  check("%y = math.asin %g : f32", [](double x) { return std::asin(x); }, 8);
  check("%y = math.acos %g : f32", [](double x) { return std::acos(x); }, 8);
}

/// The inverse of a number is rounded, too, and that error raised to the power.
TEST_P(FunctionValuesTest, WholePowers) {
  for (int64_t exponent : {0L, 1L, 2L, 3L, 5L, 16L, -1L, -2L, -3L, -5L, -16L})
    check(
        fmt::format("%n = arith.constant {} : i32\n"
                    "%y = math.fpowi %g, %n : f32, i32",
                    exponent),
        [&](double x) { return std::pow(x, exponent); },
        2 + 2 * std::abs(double(exponent)));
}

/// Beyond 16 by logarithms, which take denormals for the smallest normal
/// number, and exponentials, which have none.
TEST_P(FunctionValuesTest, LargeWholePowers) {
  for (int64_t exponent : {17L, 30L, -17L, -30L, -33L}) {
    const auto power = [&](double x) { return std::pow(x, exponent); };
    std::vector<float> operands;
    for (float value : manyFloats())
      if (const double size = std::abs(power(value));
          std::fpclassify(value) != FP_SUBNORMAL &&
          (size == 0 || !(size < 0x1p-120)))
        operands.push_back(value);
    check(fmt::format("%n = arith.constant {} : i32\n"
                      "%y = math.fpowi %g, %n : f32, i32",
                      exponent),
          power, 300, operands);
  }
}

/// The sign of a power is that of the integer, which a float may not hold.
TEST_P(FunctionValuesTest, SignsOfLargeWholePowers) {
  const std::vector<float> ones = {1, -1, -1, -1, -1};
  for (const auto &[exponent, isOdd] :
       {std::pair(16777217L, true), std::pair(-16777217L, true),
        std::pair(16777216L, false), std::pair(2147483647L, true),
        std::pair(-2147483648L, false)}) {
    const std::string made = fmt::format("arith.constant {} : i32\n", exponent);
    const float expected = isOdd ? -1.0f : 1.0f;
    for (const std::string &number :
         {"%n = " + made,
          // No constant, but always the same.
          "%k = " + made +
              "%z = arith.fptosi %acc : f32 to i32\n"
              "%n = arith.muli %k, %z : i32\n"})
      check(
          number + "%y = math.fpowi %g, %n : f32, i32",
          [&](double x) { return x > 0 ? 1.0f : expected; }, 0, ones);
  }
}

/// LLVM's folding of constants has NaN for the origin.
TEST_P(FunctionValuesTest, AnglesOfConstants) {
  for (float y : {0.0f, -0.0f, 1.0f, kInfinity})
    for (float x : {0.0f, -0.0f, -1.0f, -kInfinity})
      check("%h = " + constant(y) + "%w = " + constant(x) +
                "%y = math.atan2 %h, %w : f32",
            [&](double) { return std::atan2(double(y), double(x)); }, 1,
            {1, 2, 3});
}

LINTEL_ON(allLevels(), FunctionValuesTest);

} // namespace
