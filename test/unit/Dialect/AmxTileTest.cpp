// How tiles of sums take the tile registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/AmxTile.h"

#include <gtest/gtest.h>

#include <set>

namespace lintel {
namespace {

TEST(AmxTile, CountsRegistersOfSixteenRowsAndColumns) {
  const AmxTile tile = AmxTile::of(17, 32);
  EXPECT_EQ(tile.rowTiles, 2);
  EXPECT_EQ(tile.columnTiles, 2);
  EXPECT_EQ(tile.sums(), 4);
  EXPECT_EQ(AmxTile::of(16, 16).sums(), 1);
}

TEST(AmxTile, FitsWhatEightRegistersHold) {
  for (auto [rows, columns] : {std::pair{1, 1}, {1, 6}, {2, 2}, {3, 1}})
    EXPECT_TRUE((AmxTile{rows, columns}.fits())) << rows << "x" << columns;
  for (auto [rows, columns] : {std::pair{1, 7}, {2, 3}, {4, 1}, {3, 2}})
    EXPECT_FALSE((AmxTile{rows, columns}.fits())) << rows << "x" << columns;
}

TEST(AmxTile, GivesEveryLiveTileARegisterOfItsOwn) {
  for (int64_t rows = 1; rows <= 8; ++rows)
    for (int64_t columns = 1; columns <= 8; ++columns) {
      const AmxTile tile{rows, columns};
      if (!tile.fits())
        continue;
      std::set<int64_t> taken;
      for (int64_t row = 0; row < rows; ++row) {
        EXPECT_TRUE(taken.insert(tile.aRegister(row)).second);
        for (int64_t column = 0; column < columns; ++column)
          EXPECT_TRUE(taken.insert(tile.sumRegister(row, column)).second);
      }
      for (int64_t column = 0; column < columns; ++column) {
        EXPECT_FALSE(taken.contains(tile.bRegister(column)))
            << rows << "x" << columns << ", column " << column;
        EXPECT_LT(tile.bRegister(column), AmxTile::kRegisters);
      }
      EXPECT_LT(*taken.rbegin(), AmxTile::kRegisters);
      // What is left over stays zero.
      for (int64_t column = 0; column < columns; ++column)
        taken.insert(tile.bRegister(column));
      EXPECT_EQ(static_cast<int64_t>(taken.size()), tile.registers());
    }
}

TEST(AmxTile, SumsOfARegisterStandInOnePiece) {
  // Columns 0 to 15 of all rows, then the next 16.
  EXPECT_EQ(AmxTile::sumColumn(15, 25), 15);
  EXPECT_EQ(AmxTile::sumColumn(16, 25), 25 * 16);
  EXPECT_EQ(AmxTile::sumColumn(33, 25), 2 * 25 * 16 + 1);
  for (int64_t height : {1, 16, 25, 48})
    for (int64_t columns : {16, 32, 96}) {
      // Together they fill the room of a tile, each in a place of its own.
      std::set<int64_t> taken;
      for (int64_t row = 0; row < height; ++row)
        for (int64_t column = 0; column < columns; ++column)
          taken.insert(row * AmxTile::kColumns +
                       AmxTile::sumColumn(column, height));
      EXPECT_EQ(static_cast<int64_t>(taken.size()), height * columns);
      EXPECT_EQ(*taken.begin(), 0);
      EXPECT_EQ(*taken.rbegin(), height * columns - 1);
    }
}

TEST(AmxTile, HeightsDifferByOneAtMost) {
  for (int64_t rows = 1; rows <= 48; ++rows) {
    const AmxTile tile = AmxTile::of(rows, 16);
    EXPECT_EQ(tile.firstRow(0, rows), 0);
    EXPECT_EQ(tile.firstRow(tile.rowTiles, rows), rows);
    for (int64_t row = 0; row < tile.rowTiles; ++row) {
      const int64_t height =
          tile.firstRow(row + 1, rows) - tile.firstRow(row, rows);
      EXPECT_GE(height, rows / tile.rowTiles);
      EXPECT_LE(height, AmxTile::kRows);
      EXPECT_LE(height, rows / tile.rowTiles + 1);
    }
  }
}

} // namespace
} // namespace lintel
