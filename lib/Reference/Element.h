// Elements of the types that tensors hold, and the numbers that they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/DType.h"

#include <bit>
#include <cstdint>

namespace lintel {

/// The bits of one element.
struct BFloat16 {
  uint16_t bits = 0;
};
struct Float16 {
  uint16_t bits = 0;
};

// Widening is exact, denormals and infinities included. Written without
// branches, so that loops over it become vectors on any CPU.
inline int32_t widen(int8_t value) { return value; }
inline int32_t widen(uint8_t value) { return value; }
inline int32_t widen(int32_t value) { return value; }
inline float widen(float value) { return value; }
inline float widen(BFloat16 value) {
  return std::bit_cast<float>(uint32_t(value.bits) << 16);
}
inline float widen(Float16 value) {
  constexpr uint32_t sign = 0x8000, infinity = 0x7f800000;
  // The exponent is 112 larger in f32; infinity and NaN, which are 2^16 and
  // above then, keep the largest.
  const float magnitude =
      std::bit_cast<float>(uint32_t(value.bits & ~sign) << 13) * 0x1p112f;
  const uint32_t bits = std::bit_cast<uint32_t>(magnitude);
  return std::bit_cast<float>((magnitude >= 0x1p16f ? bits | infinity : bits) |
                              uint32_t(value.bits & sign) << 16);
}

/// Rounded to the nearest element, to even between two; overflow becomes
/// infinity, and NaN stays NaN. Integers saturate, and NaN becomes the least.
template <class Element> Element narrowTo(float value);
template <> inline float narrowTo(float value) { return value; }
template <> BFloat16 narrowTo(float value);
template <> Float16 narrowTo(float value);
template <> int8_t narrowTo(float value);
template <> uint8_t narrowTo(float value);
template <> int32_t narrowTo(float value);

/// Calls f with an element of the type.
template <class F> auto withElement(DType dtype, F f) {
  switch (dtype) {
  case DType::bf16:
    return f(BFloat16());
  case DType::f16:
    return f(Float16());
  case DType::s8:
    return f(int8_t());
  case DType::u8:
    return f(uint8_t());
  case DType::s32:
    return f(int32_t());
  case DType::f32:
  case DType::s16: // no tensor has it
    break;
  }
  return f(float());
}

/// Element `index` of an array of `dtype`.
inline double elementAt(DType dtype, const void *data, int64_t index) {
  return withElement(dtype, [&](auto element) -> double {
    return widen(static_cast<const decltype(element) *>(data)[index]);
  });
}

} // namespace lintel
