// Elements of the types that tensors hold, and the numbers that they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/Element.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lintel {

template <> BFloat16 narrowTo(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) // rounding could make an infinity of it
    return {uint16_t(bits >> 16 | 0x40)};
  const uint32_t justBelowHalf = 0x7fff, odd = bits >> 16 & 1;
  return {uint16_t((bits + justBelowHalf + odd) >> 16)};
}

template <> Float16 narrowTo(float value) {
  const uint16_t sign = std::bit_cast<uint32_t>(value) >> 16 & 0x8000;
  const float magnitude = std::abs(value);
  const uint32_t bits = std::bit_cast<uint32_t>(magnitude);
  if (std::isnan(value))
    return {uint16_t(sign | 0x7e00)};
  if (magnitude >= 65520) // halfway between the largest and 2^16
    return {uint16_t(sign | 0x7c00)};
  if (magnitude < 0x1p-14f) {
    // The last place of 0.5 in f32 is that of a denormal f16: adding rounds.
    const uint32_t rounded = std::bit_cast<uint32_t>(magnitude + 0.5f) -
                             std::bit_cast<uint32_t>(0.5f);
    return {uint16_t(sign | rounded)};
  }
  constexpr uint32_t bias = uint32_t(112) << 23;
  const uint32_t justBelowHalf = 0xfff, odd = bits >> 13 & 1;
  return {uint16_t(sign | (bits - bias + justBelowHalf + odd) >> 13)};
}

template <class Integer> static Integer toInteger(double value) {
  constexpr double least = std::numeric_limits<Integer>::min(),
                   most = std::numeric_limits<Integer>::max();
  if (!(value > least)) // NaN, too
    return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(std::nearbyint(std::min(value, most)));
}

template <> int8_t narrowTo(float value) { return toInteger<int8_t>(value); }
template <> uint8_t narrowTo(float value) { return toInteger<uint8_t>(value); }
template <> int32_t narrowTo(float value) { return toInteger<int32_t>(value); }

} // namespace lintel
