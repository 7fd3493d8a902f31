// Rounding to the narrow formats.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/Number.h"

namespace lintel {

/// The distance of the numbers around `value`, denormal ones too.
static double lastPlace(double value, Format format) {
  const double magnitude = std::max(std::abs(value), smallestNormalOf(format));
  return std::ldexp(epsilonOf(format), std::ilogb(magnitude));
}

/// The instruction that rounds to bf16 takes denormals for zero.
static double flushed(Number number, Format format) {
  const bool isZero = number.value == 0 && number.error == 0;
  return format == Format::bf16 && !isZero && leastMagnitude(number) < FLT_MIN
             ? FLT_MIN
             : 0;
}

Number narrowed(Number number, Format format) {
  if (!std::isfinite(number.value))
    return number;
  const double flush = flushed(number, format);
  if (number.error == 0) {
    const double place = lastPlace(number.value, format);
    return settle({std::nearbyint(number.value / place) * place, flush},
                  format);
  }
  const double farthest = std::abs(number.value) + number.error;
  if (std::isfinite(farthest))
    number.error += lastPlace(farthest, format) / 2 + flush;
  return settle(number, format);
}

} // namespace lintel
