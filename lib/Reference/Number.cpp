// Rounding to the narrow formats.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/Number.h"

namespace lintel {

/// The distance of the numbers around `value`, denormal ones too.
static double lastPlace(double value, Format format) {
  const double magnitude = std::max(std::abs(value), smallestNormalOf(format));
  return std::ldexp(epsilonOf(format), std::ilogb(magnitude));
}

Number narrowed(Number number, Format format) {
  if (!std::isfinite(number.value))
    return number;
  if (number.error == 0) {
    const double place = lastPlace(number.value, format);
    return settle({std::nearbyint(number.value / place) * place, 0}, format);
  }
  const double farthest = std::abs(number.value) + number.error;
  if (std::isfinite(farthest))
    number.error += lastPlace(farthest, format) / 2;
  return settle(number, format);
}

} // namespace lintel
