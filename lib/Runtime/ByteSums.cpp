// Sums of integers of 8 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/ByteSums.h"

#include <emmintrin.h>

namespace lintel {
namespace {

constexpr int64_t kVectorBytes = 16;

/// Of unsigned bytes, each turned over at the bits of `flip`: psadbw adds up
/// unsigned ones alone, and a signed byte is its flipped one less 128.
uint32_t sumFlipped(const uint8_t *bytes, int64_t count, uint8_t flip) {
  const __m128i flips = _mm_set1_epi8(static_cast<char>(flip));
  __m128i halves = _mm_setzero_si128();
  int64_t k = 0;
  for (; k + kVectorBytes <= count; k += kVectorBytes) {
    const __m128i loaded =
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes + k));
    halves = _mm_add_epi64(halves, _mm_sad_epu8(_mm_xor_si128(loaded, flips),
                                                _mm_setzero_si128()));
  }
  const __m128i high = _mm_unpackhi_epi64(halves, halves);
  auto sum =
      static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_add_epi64(halves, high)));
  for (; k < count; ++k)
    sum += bytes[k] ^ flip;
  return sum;
}

} // namespace

void sumRows(DType dtype, const void *data, int64_t stride, int64_t rows,
             int64_t depth, int32_t *sums) {
  const auto *bytes = static_cast<const uint8_t *>(data);
  const uint8_t flip = dtype == DType::s8 ? 0x80 : 0;
  const uint32_t excess = static_cast<uint32_t>(depth) * flip;
  for (int64_t row = 0; row < rows; ++row)
    sums[row] = static_cast<int32_t>(
        sumFlipped(bytes + row * stride, depth, flip) - excess);
}

} // namespace lintel
