// A value in double precision with a bound on a kernel's rounding errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lintel {

/// `value` as the reference computes it; a kernel that rounds as it should is
/// within `error` of it. An infinite error says that nothing is known of a
/// kernel's number; infinities and NaN have this error or none.
struct Number {
  double value = 0;
  double error = 0;
};

/// The type that a kernel holds a value in.
enum class Format : uint8_t { f32, integer, bf16, f16 };

/// The distance between 1 and the next number.
inline double epsilonOf(Format format) {
  switch (format) {
  case Format::f32:
    return 0x1p-23;
  case Format::bf16:
    return 0x1p-7;
  case Format::f16:
    return 0x1p-10;
  case Format::integer:
    break;
  }
  return 0x1p-52;
}
/// From here on a value rounds to infinity.
inline double overflowOf(Format format) {
  switch (format) {
  case Format::f32:
    return 0x1.ffffffp127;
  case Format::bf16:
    return 0x1.ffp127;
  case Format::f16:
    return 0x1.ffep15;
  case Format::integer:
    break;
  }
  return std::numeric_limits<double>::infinity();
}
inline double smallestNormalOf(Format format) {
  switch (format) {
  case Format::f32:
  case Format::bf16:
    return FLT_MIN;
  case Format::f16:
    return 0x1p-14;
  case Format::integer:
    break;
  }
  return DBL_MIN;
}
inline bool isNarrow(Format format) {
  return format == Format::bf16 || format == Format::f16;
}

/// How far a kernel's math functions may be off, in epsilons of their result.
/// The largest errors found are 3.0 (erf) and 2.5 (cosh, tanh) with FMA, and
/// without 3.4 (tanh), 3.2 (erf) and 2.9 (cosh), of other functions 2.6: so
/// this is over twice what is needed. Powers, erfc, sin and cos have bounds of
/// their own.
inline constexpr double kFunctionUlps = 8;

inline constexpr double kInfiniteError =
    std::numeric_limits<double>::infinity();

/// Whether rounding may have made anything of a number.
inline bool isUnknown(Number number) { return number.error == kInfiniteError; }

/// `number` held in `format`: overflow becomes infinity, as in a kernel. Next
/// to the largest number a kernel may overflow or not.
inline Number settle(Number number, Format format) {
  const double magnitude = std::abs(number.value);
  const double overflow = overflowOf(format);
  if (std::isnan(number.error))
    number.error = std::isfinite(number.value) ? kInfiniteError : 0;
  if (magnitude - number.error < overflow &&
      magnitude + number.error >= overflow)
    return {number.value, kInfiniteError};
  if (magnitude >= overflow)
    number.value = std::copysign(kInfiniteError, number.value);
  if (!std::isfinite(number.value) && !isUnknown(number))
    number.error = 0;
  return number;
}

/// The result of an operation whose own error is at most `ulps` epsilons. Below
/// the smallest normal number precision is lost, and a kernel may flush to
/// zero.
inline Number approximated(Number number, Format format, double ulps) {
  double magnitude = std::abs(number.value);
  if (std::isfinite(magnitude))
    number.error += ulps * epsilonOf(format) * magnitude;
  if (magnitude < smallestNormalOf(format))
    number.error += smallestNormalOf(format);
  return settle(number, format);
}

/// An f32 number rounded to a narrow format, to nearest and even. One that is
/// exact becomes what every kernel makes of it, but for denormals of bf16,
/// which some flush to zero. Where a kernel's may differ they may fall to
/// different sides, half a last place away: the value is then left as it is.
Number narrowed(Number number, Format format);

/// The result of an operation that IEEE 754 rounds correctly: a result that f32
/// holds, of operands that are exact, has no error.
inline Number rounded(Number number, Format format) {
  if (isNarrow(format))
    return narrowed(number, format);
  if (format == Format::f32 && number.error == 0 &&
      double(float(number.value)) == number.value)
    return settle(number, format);
  return approximated(number, format, 1);
}

/// The result of one operation that cannot be fused with another: of operands
/// that are exact every kernel computes the same bits. `number.value` is the
/// result in double precision; rounding it again to f32 gives what rounding
/// once would, for sums, products, quotients and square roots.
inline Number roundedAlone(Number number, Format format) {
  if (format != Format::f32 || number.error != 0)
    return rounded(number, format);
  return settle({double(float(number.value)), 0}, format);
}

//===----------------------------------------------------------------------===//
// What operations make of the errors of their operands
//===----------------------------------------------------------------------===//

/// |number| less its error: 0 if it could be zero.
inline double leastMagnitude(Number number) {
  return std::max(std::abs(number.value) - number.error, 0.0);
}
/// Exact or not.
inline bool mayBeZero(Number number) { return leastMagnitude(number) == 0; }

inline bool isSurelyNaN(Number number) {
  return std::isnan(number.value) && number.error == 0;
}
/// Whether all kernels make the same of them: both are exact, or one is NaN, of
/// which arithmetic makes NaN.
inline bool areCertain(Number a, Number b) {
  return (a.error == 0 && b.error == 0) || isSurelyNaN(a) || isSurelyNaN(b);
}

/// Whether rounding leaves no doubt which of them is the larger, if there is
/// one.
inline bool areApart(Number a, Number b) {
  const double slack = a.error + b.error;
  return std::isfinite(slack) && !(std::abs(a.value - b.value) <= slack);
}

/// 0 of an infinity or NaN from itself; infinite from a number to NaN.
inline double distanceBetween(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  const double distance = std::abs(a - b);
  return std::isnan(distance) ? kInfiniteError : distance;
}

inline double sumError(Number a, Number b) {
  return areCertain(a, b) ? 0 : a.error + b.error;
}
inline Number sum(Number a, Number b) {
  return {a.value + b.value, sumError(a, b)};
}
inline Number difference(Number a, Number b) {
  return {a.value - b.value, sumError(a, b)};
}

/// An infinity stays one, but times what could be zero.
inline double productError(Number a, Number b) {
  if (areCertain(a, b))
    return 0;
  const bool isInfinite = std::isinf(a.value) || std::isinf(b.value);
  if (isUnknown(a) || isUnknown(b) ||
      (isInfinite && (mayBeZero(a) || mayBeZero(b))))
    return kInfiniteError;
  return isInfinite ? 0
                    : std::abs(a.value) * b.error +
                          std::abs(b.value) * a.error + a.error * b.error;
}
inline Number product(Number a, Number b) {
  return {a.value * b.value, productError(a, b)};
}
inline Number fusedProductSum(Number a, Number b, Number c) {
  const double error = productError(a, b) + c.error;
  return {std::fma(a.value, b.value, c.value), isSurelyNaN(c) ? 0 : error};
}

/// What divides by zero is an infinity or NaN, and of the infinity the sign is
/// known only if those of both operands are.
inline Number quotient(Number a, Number b) {
  double value = a.value / b.value;
  if (areCertain(a, b))
    return {value, 0};
  if (isUnknown(a) || isUnknown(b) ||
      (mayBeZero(b) && (b.error != 0 || mayBeZero(a))))
    return {value, kInfiniteError};
  if (!std::isfinite(value))
    return {value, 0};
  return {value, (a.error + std::abs(value) * b.error) / leastMagnitude(b)};
}

inline Number negated(Number a) { return {-a.value, a.error}; }
inline Number magnitude(Number a) { return {std::abs(a.value), a.error}; }

/// Which sign a NaN has depends on how it was made.
inline Number withSign(Number a, Number sign) {
  bool certain =
      !std::isnan(sign.value) && (sign.error == 0 || leastMagnitude(sign) > 0);
  return {std::copysign(a.value, sign.value),
          certain ? a.error : 2 * std::abs(a.value) + a.error};
}

/// The larger or smaller; NaN if either is NaN. -0 is less than 0.
inline Number maximum(Number a, Number b) {
  const bool zeroOverNegative =
      a.value == 0 && b.value == 0 && std::signbit(a.value);
  const bool isSecond =
      !std::isnan(a.value) &&
      (b.value > a.value || std::isnan(b.value) || zeroOverNegative);
  const Number chosen = isSecond ? b : a;
  if (areCertain(a, b))
    return {chosen.value, 0};
  return areApart(a, b) ? chosen
                        : Number{chosen.value, std::max(a.error, b.error)};
}
inline Number minimum(Number a, Number b) {
  return negated(maximum(negated(a), negated(b)));
}
/// The larger or smaller; NaN only if both are NaN.
inline Number maxnum(Number a, Number b) {
  const bool areNumbers = !std::isnan(a.value) && !std::isnan(b.value);
  if (areNumbers && areApart(a, b))
    return a.value > b.value ? a : b;
  return {std::fmax(a.value, b.value), std::max(a.error, b.error)};
}
inline Number minnum(Number a, Number b) {
  return negated(maxnum(negated(a), negated(b)));
}

/// f(a) for an f that never decreases, such as floor.
template <class Function> Number monotone(Number a, Function f) {
  double value = f(a.value);
  if (a.error == 0 || isUnknown(a))
    return {value, a.error};
  return {value, std::max(std::abs(f(a.value + a.error) - value),
                          std::abs(f(a.value - a.error) - value))};
}

/// A value whose slope against `a` is `slope`.
inline Number sloped(double value, Number a, double slope) {
  if (a.error == 0 || isUnknown(a))
    return {value, a.error};
  return {value, std::abs(slope) * a.error};
}

} // namespace lintel
