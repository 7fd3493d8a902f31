// The products of the emulated instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace lintel {

inline constexpr int kTileRows = 16;
inline constexpr int kTileRowBytes = 64;

/// A register: its shape (0 x 0: not configured) and its data, zero beyond it.
struct EmulatedTile {
  int rows = 0;
  int bytes = 0; ///< of a row
  alignas(64) uint8_t data[kTileRows][kTileRowBytes] = {};
};

// acc += a * b, for tiles whose shapes fit: acc has the rows of a and the bytes
// of b, a has 4 bytes for each row of b.
void multiplyBF16(EmulatedTile &acc, const EmulatedTile &a,
                  const EmulatedTile &b);
void multiplyFP16(EmulatedTile &acc, const EmulatedTile &a,
                  const EmulatedTile &b);
/// A and B: int8_t or uint8_t.
template <class A, class B>
void multiplyBytes(EmulatedTile &acc, const EmulatedTile &a,
                   const EmulatedTile &b);

} // namespace lintel
