// How a tile of sums is spread over the tile registers of AMX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/WholeUnits.h"

#include <cstdint>

namespace lintel {

/// Registers of up to 16 rows of 64 bytes. Sums come first, then the tiles of
/// the factor that has fewer of them, which stay through a step of the k loop.
/// Tiles of the other factor follow: those of B each other through one
/// register, those of A, whose heights may differ, in one each. What is left
/// over stays zero: a register that holds something costs speed where the
/// core's other hyperthread works, and with a second one of B tiles were 2 to
/// 20 % slower elsewhere as well (decision 77).
struct AmxTile {
  static constexpr int64_t kRegisters = 8;
  static constexpr int64_t kRows = 16;    ///< of a register
  static constexpr int64_t kColumns = 16; ///< of a register of sums

  int64_t rowTiles = 1;
  int64_t columnTiles = 1;

  static AmxTile of(int64_t rows, int64_t columns) {
    return {ceilDiv(rows, kRows), ceilDiv(columns, kColumns)};
  }
  int64_t sums() const { return rowTiles * columnTiles; }
  bool holdsA() const { return rowTiles <= columnTiles; }
  /// Tiles of A may differ in height, so that each has a register of its own.
  int64_t registers() const {
    return sums() + rowTiles + (holdsA() ? 1 : columnTiles);
  }
  bool fits() const { return registers() <= kRegisters; }

  int64_t sumRegister(int64_t row, int64_t column) const {
    return row * columnTiles + column;
  }
  int64_t aRegister(int64_t row) const {
    return sums() + (holdsA() ? row : columnTiles + row);
  }
  int64_t bRegister(int64_t column) const {
    return holdsA() ? sums() + rowTiles : sums() + column;
  }
  /// Where column `column` of the sums begins in memory, in rows of which each
  /// holds those of one register: so a register is in one piece, and loaded 3 %
  /// faster (decision 78). All registers side by side take `height` rows.
  static constexpr int64_t sumColumn(int64_t column, int64_t height) {
    return column / kColumns * height * kColumns + column % kColumns;
  }
  /// Of `rows` rows, the first that a row of tiles holds; their heights differ
  /// by at most one.
  int64_t firstRow(int64_t rowTile, int64_t rows) const {
    return rowTile * rows / rowTiles;
  }
};

} // namespace lintel
