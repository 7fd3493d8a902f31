// The products of the emulated instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After the operation sections of TDPBF16PS, TDPFP16PS and TDPBSSD in Intel's
// Software Developer's Manual, volume 2: for each element of acc, products of
// the even and of the odd elements of K are summed apart, from zero, by FP32
// FMAs in the order of K; the two sums are added, and the result is added to
// acc. All with DAZ = FTZ = 1 and rounding to nearest even, MXCSR neither read
// nor written.
#include "TileEmulation/TileArithmetic.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <immintrin.h>
#include <limits>

namespace lintel {
namespace {

/// MXCSR as the instructions compute, while it lives: all exceptions masked,
/// nearest even. Flags that were raised are forgotten.
class InstructionRounding {
public:
  InstructionRounding() : found(_mm_getcsr()) { _mm_setcsr(kMasked); }
  ~InstructionRounding() { _mm_setcsr(found); }
  InstructionRounding(const InstructionRounding &) = delete;
  InstructionRounding &operator=(const InstructionRounding &) = delete;

private:
  static constexpr unsigned kMasked = 0x1f80;
  unsigned found;
};

/// Denormals count as zeros of their sign.
float withoutDenormal(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value)
                                                : value;
}

/// `value` to 24 bits; zero of its sign if that is below the normal floats.
/// FTZ looks at the result rounded as if exponents had no end, so small values
/// are rounded where floats have all 24 bits.
float roundedAndFlushed(double value) {
  constexpr double kScale = 0x1p100;
  constexpr double kSmallest = std::numeric_limits<float>::min();
  if (std::fabs(value) < kSmallest &&
      std::fabs(float(value * kScale)) < kSmallest * kScale)
    return std::copysign(0.0f, static_cast<float>(value));
  return static_cast<float>(value);
}

/// a + b as FP32, b not denormal. Rounding the double sum again is exact
/// rounding of the sum: for operands of 24 bits, 2 * 24 + 2 bits in between
/// suffice. A product of two bf16 or f16 has at most 22 bits, so the FMA is a
/// sum too.
float add(double a, float b) { return roundedAndFlushed(a + double(b)); }

struct BF16 {
  static float value(uint16_t bits) {
    return withoutDenormal(std::bit_cast<float>(uint32_t(bits) << 16));
  }
};

struct FP16 {
  /// Denormals keep their value: they are normal floats.
  static float value(uint16_t bits) {
    const uint32_t sign = uint32_t(bits & 0x8000) << 16;
    const uint32_t exponent = (bits >> 10) & 31, fraction = bits & 1023;
    if (exponent == 0) {
      const float magnitude = float(fraction) * 0x1p-24f;
      return sign ? -magnitude : magnitude;
    }
    const uint32_t biased = exponent == 31 ? 255 : exponent + 127 - 15;
    return std::bit_cast<float>(sign | biased << 23 | fraction << 13);
  }
};

template <class T> T elementAt(const uint8_t *row, int index) {
  T value;
  std::memcpy(&value, row + index * sizeof(T), sizeof(T));
  return value;
}

template <class T> void setElement(uint8_t *row, int index, T value) {
  std::memcpy(row + index * sizeof(T), &value, sizeof(T));
}

constexpr int kMostColumns = kTileRowBytes / 4;

/// The values of a tile of halves; those of a pair stand side by side.
struct Values {
  template <class Half> static Values of(const EmulatedTile &tile) {
    Values values;
    for (int row = 0; row < tile.rows; ++row)
      for (int i = 0; i < tile.bytes / 2; ++i)
        values.at[row][i] = Half::value(elementAt<uint16_t>(tile.data[row], i));
    return values;
  }
  float at[kTileRows][2 * kMostColumns];
};

/// Not inlined, so that no arithmetic leaves the InstructionRounding around it.
/// Columns are the inner loop: their sums do not wait for each other.
template <class Half>
[[gnu::noinline]] void multiplyHalves(EmulatedTile &acc, const EmulatedTile &a,
                                      const EmulatedTile &b) {
  const Values x = Values::of<Half>(a), y = Values::of<Half>(b);
  const int columns = acc.bytes / 4;
  for (int row = 0; row < acc.rows; ++row) {
    float even[kMostColumns] = {}, odd[kMostColumns] = {};
    for (int k = 0; k < b.rows; ++k)
      for (int i = 0; i < columns; ++i) {
        even[i] = add(double(x.at[row][2 * k]) * y.at[k][2 * i], even[i]);
        odd[i] = add(double(x.at[row][2 * k + 1]) * y.at[k][2 * i + 1], odd[i]);
      }
    for (int i = 0; i < columns; ++i)
      setElement(acc.data[row], i,
                 add(withoutDenormal(elementAt<float>(acc.data[row], i)),
                     add(even[i], odd[i])));
  }
}

} // namespace

void multiplyBF16(EmulatedTile &acc, const EmulatedTile &a,
                  const EmulatedTile &b) {
  InstructionRounding rounding;
  multiplyHalves<BF16>(acc, a, b);
}

void multiplyFP16(EmulatedTile &acc, const EmulatedTile &a,
                  const EmulatedTile &b) {
  InstructionRounding rounding;
  multiplyHalves<FP16>(acc, a, b);
}

template <class A, class B>
void multiplyBytes(EmulatedTile &acc, const EmulatedTile &a,
                   const EmulatedTile &b) {
  for (int row = 0; row < acc.rows; ++row)
    for (int column = 0; column < acc.bytes / 4; ++column) {
      // Unsigned, so that sums wrap around.
      auto sum = elementAt<uint32_t>(acc.data[row], column);
      for (int k = 0; k < b.rows; ++k)
        for (int part = 0; part < 4; ++part)
          sum += static_cast<uint32_t>(
              int32_t(elementAt<A>(a.data[row], 4 * k + part)) *
              int32_t(elementAt<B>(b.data[k], 4 * column + part)));
      setElement(acc.data[row], column, sum);
    }
}

template void multiplyBytes<int8_t, int8_t>(EmulatedTile &,
                                            const EmulatedTile &,
                                            const EmulatedTile &);
template void multiplyBytes<int8_t, uint8_t>(EmulatedTile &,
                                             const EmulatedTile &,
                                             const EmulatedTile &);
template void multiplyBytes<uint8_t, int8_t>(EmulatedTile &,
                                             const EmulatedTile &,
                                             const EmulatedTile &);
template void multiplyBytes<uint8_t, uint8_t>(EmulatedTile &,
                                              const EmulatedTile &,
                                              const EmulatedTile &);

} // namespace lintel
