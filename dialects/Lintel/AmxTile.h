// How a tile of sums is spread over the tile registers of AMX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace lintel {

/// Registers of up to 16 rows of 64 bytes. Sums come first, then the tiles of
/// the factor that has fewer of them, which stay through a step of the k loop;
/// those of the other factor follow each other through the rest.
struct AmxTile {
  static constexpr int64_t kRegisters = 8;
  static constexpr int64_t kRows = 16;    ///< of a register
  static constexpr int64_t kColumns = 16; ///< of a register of sums

  int64_t rowTiles = 1;
  int64_t columnTiles = 1;

  static AmxTile of(int64_t rows, int64_t columns) {
    return {(rows + kRows - 1) / kRows, (columns + kColumns - 1) / kColumns};
  }
  int64_t sums() const { return rowTiles * columnTiles; }
  bool holdsA() const { return rowTiles <= columnTiles; }
  /// Tiles of A may differ in height, so that each has a register of its own.
  bool fits() const {
    return sums() + rowTiles + (holdsA() ? 1 : columnTiles) <= kRegisters;
  }

  int64_t sumRegister(int64_t row, int64_t column) const {
    return row * columnTiles + column;
  }
  int64_t aRegister(int64_t row) const {
    return sums() + (holdsA() ? row : columnTiles + row);
  }
  int64_t bRegister(int64_t column) const {
    if (!holdsA())
      return sums() + column;
    const int64_t first = sums() + rowTiles;
    return first + column % (kRegisters - first);
  }
  /// Of `rows` rows, the first that a row of tiles holds; their heights differ
  /// by at most one.
  int64_t firstRow(int64_t rowTile, int64_t rows) const {
    return rowTile * rows / rowTiles;
  }
};

} // namespace lintel
