// The epilogue of a tile while the next one is multiplied.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/AmxTile.h"
#include "Lintel/LintelDialect.h"
#include "Transforms/IndexMath.h"
#include "Transforms/TileAccess.h"

namespace lintel::ir {

/// Applies the epilogue to the pending tile of a micro-kernel on tile
/// registers, vector by vector: each is a row of a register.
class PendingEpilogue {
public:
  /// Reads what rows share, at the builder's insertion point.
  PendingEpilogue(MicrokernelOp op, mlir::OpBuilder &builder, IndexMath &math);

  /// How many rows each row of registers has for certain: that many steps of
  /// the k loop can take one of each along.
  mlir::Value wholeRows();
  /// Row `row` of the registers of a row of registers, as the functions below
  /// know it.
  TileRow rowOf(int64_t rowTile, mlir::Value row);
  /// The vector of that row in a column of registers.
  void apply(const TileRow &access, int64_t rowTile, mlir::Value row,
             int64_t columnTile);
  /// All rows of registers that there are from row `begin` of each on.
  void applyFrom(mlir::Value begin);

private:
  /// Of the tile, row `row` of a row of registers.
  mlir::Value rowInTile(int64_t rowTile, mlir::Value row);
  int64_t firstRow(int64_t rowTile) {
    return tile.firstRow(rowTile, op.getRows());
  }

  MicrokernelOp op;
  mlir::OpBuilder &builder;
  const mlir::Location loc;
  IndexMath &math;
  const AmxTile tile;
  const int64_t mr;
  TileAccess access;
  llvm::SmallVector<mlir::Value> scalars;
  /// The operands that rows share, for each column of registers.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> columns;
};

} // namespace lintel::ir
