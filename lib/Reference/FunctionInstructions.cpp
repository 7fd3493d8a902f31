// Functions that kernels approximate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reference/Lanes.h"

#include <numbers>

namespace lintel {

namespace {

using std::numbers::ln10, std::numbers::ln2;

/// Where a value may be zero, a slope against its reciprocal has no bound.
double reciprocalSlope(Number a) { return 1 / leastMagnitude(a); }
/// What is less than zero for certain has no root, however steep.
double inverseRootSlope(Number a, double root) {
  return std::isnan(root) ? reciprocalSlope(a) : root * reciprocalSlope(a);
}
/// That of e^x where it is steepest; none where all kernels overflow.
double exponentialSlope(Number a) {
  return a.value - a.error > 129 ? 0 : std::exp(a.value + a.error);
}
/// The same of 2^x.
double binaryExponentialSlope(Number a) {
  return a.value - a.error > 129 ? 0 : ln2 * std::exp2(a.value + a.error);
}

// Upper bounds of the slopes of erf and tanh, from the first terms of the
// series of exp(x^2) and cosh(x): both functions are flat where they saturate.
double erfSlope(Number a) {
  double square = leastMagnitude(a) * leastMagnitude(a);
  return 2 * std::numbers::inv_sqrtpi / (1 + square + square * square / 2);
}
/// Unlike those, relative to a result that may be as small as a float can be.
double erfcSlope(Number a) {
  const double least = leastMagnitude(a);
  return 2 * std::numbers::inv_sqrtpi * std::exp(-least * least);
}
double tanhSlope(Number a) {
  double square = leastMagnitude(a) * leastMagnitude(a);
  double cosh = 1 + square / 2 + square * square / 24;
  return 1 / (cosh * cosh);
}

Number arcTangent2(Number y, Number x) {
  double value = std::atan2(y.value, x.value);
  if (areCertain(y, x))
    return {value, 0};
  if (isUnknown(y) || isUnknown(x))
    return {value, kInfiniteError};
  if (x.value - x.error < 0 && leastMagnitude(y) == 0)
    return {value, 2 * std::numbers::pi}; // across the cut
  double square = leastMagnitude(x) * leastMagnitude(x) +
                  leastMagnitude(y) * leastMagnitude(y);
  return {value,
          (std::abs(x.value) * y.error + std::abs(y.value) * x.error) / square};
}

/// The least magnitude of what all bases and exponents in question make.
double leastPower(Number a, Number b) {
  double least = kInfiniteError;
  for (double base : {leastMagnitude(a), std::abs(a.value) + a.error})
    for (double exponent : {b.value - b.error, b.value + b.error})
      least = std::min(least, std::pow(base, exponent));
  return least;
}

/// Whether an infinite power is infinite for all of them, and of one sign.
bool surelyOverflows(Number a, Number b, Format format) {
  return (a.error == 0 || !mayBeZero(a)) &&
         leastPower(a, b) >= overflowOf(format);
}

/// How far x^b may be off for an x that may be off. Steepest at the largest x
/// from b = 1 on, else at the smallest.
double powerError(Number a, double b) {
  if (a.error == 0 || b == 0)
    return 0;
  const double steepest =
      b >= 1 ? std::abs(a.value) + a.error : leastMagnitude(a);
  return std::abs(b) * std::pow(steepest, b - 1) * a.error;
}

/// Kernels compute exp(b log a), where an error of the exponent is one of the
/// result: half an epsilon of the product and up to one of the logarithm (0.97
/// without FMA). Whole powers may be |b| factors, up to 16 of them, the inverse
/// and the products rounded by half an epsilon each: at b = -16 the largest
/// error found is 14.5.
double powerUlps(double b, double exponent, bool isWhole) {
  const double size = std::abs(exponent);
  const double factors = isWhole && std::abs(b) <= 16 ? std::abs(b) : 0;
  return kFunctionUlps + (std::isfinite(size) ? 3 * size : 0) + factors;
}

Number power(Number a, Number b, Format format) {
  double value = std::pow(a.value, b.value);
  double logarithm = std::log(std::abs(a.value));
  const bool isWhole = b.error == 0 && std::trunc(b.value) == b.value;
  const bool mayBeNegative = a.value - a.error < 0;
  const bool mustBeNegative = a.value + a.error < 0;
  // NaN or a number, depending on the sign of the base or on the exponent, or
  // on whether that is 0.
  if (isUnknown(a) || isUnknown(b) ||
      (mayBeNegative && !isWhole && (!mustBeNegative || b.error != 0)) ||
      (!std::isfinite(value) && b.error != 0 && mayBeZero(b)))
    return {value, kInfiniteError};
  if (std::isnan(value))
    return {value, 0};
  if (std::isinf(value))
    return {value, surelyOverflows(a, b, format) ? 0 : kInfiniteError};
  double error = powerError(a, b.value);
  if (b.error != 0) {
    // Of any base in question, from its power to that with another exponent.
    const double steepest =
        std::max(std::abs(std::log(leastMagnitude(a))),
                 std::abs(std::log(std::abs(a.value) + a.error)));
    const double growth = std::exp(steepest * b.error);
    error = error * growth + std::abs(value) * (growth - 1);
  }
  return approximated({value, error}, format,
                      powerUlps(b.value, b.value * logarithm, isWhole));
}

/// Of sin and cos, whose errors are those of a unit of `size`. Without FMA
/// kernels reduce arguments beyond 2^15 with an error relative to them: the
/// largest found is 5.1 epsilons of |a| 2^-15. From 131113 on, just beyond
/// 2^17, it is 0.005 and more, and in the end the result could be anything.
Number circular(double value, double size, Number a, Format format) {
  constexpr double kExact = 0x1p15, kLargest = 0x1p17;
  const double argument = std::abs(a.value);
  if (!std::isfinite(argument))
    return {value, a.error}; // NaN
  const double growth = argument > kExact ? argument / (kExact / 2) : 1;
  Number result = sloped(value, a, 1);
  result.error += argument + a.error <= kLargest
                      ? kFunctionUlps * epsilonOf(format) * growth * size
                      : kInfiniteError;
  return approximated(result, format, 0);
}

/// Kernels multiply by exp(-a^2) beyond 0, and without FMA a^2 is rounded by
/// half an epsilon, which is one of the result: the largest error found is 34
/// epsilons, at 8.9.
Number complementaryError(Number a, Format format) {
  constexpr double kZero = 16; // beyond, no float is as small
  const double root = std::clamp(a.value, 0.0, kZero);
  return approximated(sloped(std::erfc(a.value), a, erfcSlope(a)), format,
                      kFunctionUlps + root * root);
}

/// None where all kernels overflow, too.
double hyperbolicSlope(Number a) {
  return leastMagnitude(a) > 129 ? 0 : std::cosh(std::abs(a.value) + a.error);
}
double asinhSlope(Number a) { return 1 / std::hypot(1, leastMagnitude(a)); }
/// What is below 1 for certain has none, however steep it is there.
double acoshSlope(Number a) {
  if (a.value + a.error < 1)
    return 0;
  const double least = a.value - a.error;
  return least > 1 ? 1 / std::sqrt((least - 1) * (least + 1)) : kInfiniteError;
}
/// The same beyond 1.
double atanhSlope(Number a) {
  if (leastMagnitude(a) > 1)
    return 0;
  const double most = std::abs(a.value) + a.error;
  return most < 1 ? 1 / ((1 - most) * (1 + most)) : kInfiniteError;
}

void runExponential(Opcode opcode, const Lanes &lanes) {
  switch (opcode) {
  case Opcode::exp:
    return lanes.function([](double v) { return std::exp(v); },
                          [](Number a, double) { return exponentialSlope(a); });
  case Opcode::exp2:
    return lanes.function(
        [](double v) { return std::exp2(v); },
        [](Number a, double) { return binaryExponentialSlope(a); });
  case Opcode::expm1:
    return lanes.function([](double v) { return std::expm1(v); },
                          [](Number a, double) { return exponentialSlope(a); });
  case Opcode::sinh:
    return lanes.function([](double v) { return std::sinh(v); },
                          [](Number a, double) { return hyperbolicSlope(a); });
  default: // cosh
    return lanes.function([](double v) { return std::cosh(v); },
                          [](Number a, double) { return hyperbolicSlope(a); });
  }
}

void runLogarithm(Opcode opcode, const Lanes &lanes) {
  switch (opcode) {
  case Opcode::log:
    return lanes.function([](double v) { return std::log(v); },
                          [](Number a, double) { return reciprocalSlope(a); });
  case Opcode::log2:
    return lanes.function(
        [](double v) { return std::log2(v); },
        [](Number a, double) { return reciprocalSlope(a) / ln2; });
  case Opcode::log10:
    return lanes.function(
        [](double v) { return std::log10(v); },
        [](Number a, double) { return reciprocalSlope(a) / ln10; });
  case Opcode::log1p:
    return lanes.function(
        [](double v) { return std::log1p(v); },
        [](Number a, double) { return reciprocalSlope(sum(a, {1, 0})); });
  case Opcode::asinh:
    return lanes.function([](double v) { return std::asinh(v); },
                          [](Number a, double) { return asinhSlope(a); });
  case Opcode::acosh:
    return lanes.function([](double v) { return std::acosh(v); },
                          [](Number a, double) { return acoshSlope(a); });
  default: // atanh
    return lanes.function([](double v) { return std::atanh(v); },
                          [](Number a, double) { return atanhSlope(a); });
  }
}

void runOfTwo(Opcode opcode, const Lanes &lanes) {
  const auto value = [&](size_t i) {
    return opcode == Opcode::atan2
               ? approximated(arcTangent2(lanes.a[i], lanes.b[i]), lanes.format,
                              kFunctionUlps)
               : power(lanes.a[i], lanes.b[i], lanes.format);
  };
  lanes.each(value);
}

} // namespace

void runFunction(const Instruction &instruction, const Lanes &lanes) {
  const Format format = lanes.format;
  switch (instruction.opcode) {
  case Opcode::rsqrt:
    return lanes.function(
        [](double v) { return 1 / std::sqrt(v); },
        [](Number a, double value) { return inverseRootSlope(a, value); });
  case Opcode::tanh:
    return lanes.function([](double v) { return std::tanh(v); },
                          [](Number a, double) { return tanhSlope(a); });
  case Opcode::erf:
    return lanes.function([](double v) { return std::erf(v); },
                          [](Number a, double) { return erfSlope(a); });
  case Opcode::atan:
    return lanes.function([](double v) { return std::atan(v); },
                          [](Number, double) { return 1.0; });
  case Opcode::erfc:
    return lanes.each(
        [&](size_t i) { return complementaryError(lanes.a[i], format); });
  case Opcode::sin:
    return lanes.each([&](size_t i) {
      const Number a = lanes.a[i];
      // Next to 0 the sine is as small as its argument.
      const double size = std::min(std::abs(a.value) + a.error, 1.0);
      return circular(std::sin(a.value), size, a, format);
    });
  case Opcode::cos:
    return lanes.each([&](size_t i) {
      return circular(std::cos(lanes.a[i].value), 1, lanes.a[i], format);
    });
  case Opcode::log:
  case Opcode::log2:
  case Opcode::log10:
  case Opcode::log1p:
  case Opcode::asinh:
  case Opcode::acosh:
  case Opcode::atanh:
    return runLogarithm(instruction.opcode, lanes);
  case Opcode::atan2:
  case Opcode::pow:
    return runOfTwo(instruction.opcode, lanes);
  default:
    return runExponential(instruction.opcode, lanes);
  }
}

} // namespace lintel
