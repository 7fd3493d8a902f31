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
/// within `error` of it. Infinities and NaN have error 0.
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

/// How far a kernel's math functions may be off, in epsilons of their result:
/// twice what the polynomials in use need, far below what a wrong one shows.
inline constexpr double kFunctionUlps = 32;

/// `number` held in `format`: overflow becomes infinity, as in a kernel.
inline Number settle(Number number, Format format) {
  if (std::abs(number.value) >= overflowOf(format))
    number.value =
        std::copysign(std::numeric_limits<double>::infinity(), number.value);
  if (!std::isfinite(number.value))
    return {number.value, 0};
  if (std::isnan(number.error))
    number.error = std::numeric_limits<double>::infinity();
  return number;
}

/// The result of an operation whose own error is at most `ulps` epsilons. Below
/// the smallest normal number precision is lost, and a kernel may flush to
/// zero; next to the largest one a kernel may overflow or not.
inline Number approximated(Number number, Format format, double ulps) {
  double magnitude = std::abs(number.value);
  number.error += ulps * epsilonOf(format) * magnitude;
  if (magnitude < smallestNormalOf(format))
    number.error += smallestNormalOf(format);
  const double overflow = overflowOf(format);
  if (magnitude - number.error < overflow &&
      magnitude + number.error >= overflow)
    return {number.value, std::numeric_limits<double>::infinity()};
  return settle(number, format);
}

/// An f32 number rounded to a narrow format, to nearest and even. One that is
/// exact becomes what every kernel makes of it. Where a kernel's may differ
/// they may fall to different sides, half a last place away: the value is then
/// left as it is.
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

inline Number sum(Number a, Number b) {
  return {a.value + b.value, a.error + b.error};
}
inline Number difference(Number a, Number b) {
  return {a.value - b.value, a.error + b.error};
}

inline double productError(Number a, Number b) {
  if (a.error == 0 && b.error == 0)
    return 0;
  return std::abs(a.value) * b.error + std::abs(b.value) * a.error +
         a.error * b.error;
}
inline Number product(Number a, Number b) {
  return {a.value * b.value, productError(a, b)};
}
inline Number fusedProductSum(Number a, Number b, Number c) {
  return {std::fma(a.value, b.value, c.value), productError(a, b) + c.error};
}

/// |number| less its error: 0 if it could be zero.
inline double leastMagnitude(Number number) {
  return std::max(std::abs(number.value) - number.error, 0.0);
}

inline Number quotient(Number a, Number b) {
  double value = a.value / b.value;
  if (a.error == 0 && b.error == 0)
    return {value, 0};
  return {value, (a.error + std::abs(value) * b.error) / leastMagnitude(b)};
}

/// The remainder jumps by |b| where the quotient crosses an integer.
inline Number remainder(Number a, Number b) {
  bool exact = a.error == 0 && b.error == 0;
  return {std::fmod(a.value, b.value), exact ? 0 : std::abs(b.value) + b.error};
}

inline Number negated(Number a) { return {-a.value, a.error}; }
inline Number magnitude(Number a) { return {std::abs(a.value), a.error}; }

inline Number withSign(Number a, Number sign) {
  bool certain = sign.error == 0 || leastMagnitude(sign) > 0;
  return {std::copysign(a.value, sign.value),
          certain ? a.error : 2 * std::abs(a.value) + a.error};
}

/// The larger or smaller; NaN if either is NaN. -0 is less than 0.
inline Number maximum(Number a, Number b) {
  const bool zeroOverNegative =
      a.value == 0 && b.value == 0 && std::signbit(a.value);
  double value = std::isnan(a.value) ? a.value
                 : b.value > a.value || std::isnan(b.value) || zeroOverNegative
                     ? b.value
                     : a.value;
  return {value, std::max(a.error, b.error)};
}
inline Number minimum(Number a, Number b) {
  return negated(maximum(negated(a), negated(b)));
}
/// The larger or smaller; NaN only if both are NaN.
inline Number maxnum(Number a, Number b) {
  return {std::fmax(a.value, b.value), std::max(a.error, b.error)};
}
inline Number minnum(Number a, Number b) {
  return {std::fmin(a.value, b.value), std::max(a.error, b.error)};
}

/// f(a) for an f that never decreases, such as floor.
template <class Function> Number monotone(Number a, Function f) {
  double value = f(a.value);
  if (a.error == 0)
    return {value, 0};
  return {value, std::max(std::abs(f(a.value + a.error) - value),
                          std::abs(f(a.value - a.error) - value))};
}

/// A value whose slope against `a` is `slope`.
inline Number sloped(double value, Number a, double slope) {
  return {value, a.error == 0 ? 0 : std::abs(slope) * a.error};
}

} // namespace lintel
