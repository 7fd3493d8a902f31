// The epilogue of a tile while the next one is multiplied.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/AmxTile.h"
#include "Lintel/LintelDialect.h"
#include "Transforms/IndexMath.h"
#include "Transforms/TileAccess.h"

namespace lintel::ir {

/// The rows of each register of a pending tile of `pendingRows` rows that a
/// micro-kernel of `rows` rows and `depth` elements of K takes along: one a
/// step, as long as all registers have one.
mlir::Value rowsTakenAlong(IndexMath &math, int64_t rows,
                           mlir::Value pendingRows, mlir::Value depth,
                           int64_t stepDepth);

/// Applies the epilogue to the pending tile of a micro-kernel on tile
/// registers, vector by vector: each is a row of a register.
class PendingEpilogue {
public:
  /// Reads what rows share, at the builder's insertion point.
  PendingEpilogue(MicrokernelOp op, mlir::OpBuilder &builder, IndexMath &math);

  /// Row `row` of the registers of a row of registers, as apply() knows it.
  TileRow rowOf(int64_t rowTile, mlir::Value row);
  /// The vector of that row in a column of registers.
  void apply(const TileRow &access, int64_t rowTile, mlir::Value row,
             int64_t columnTile);

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
  mlir::Value sums; ///< a view of all of them, register by register
  llvm::SmallVector<mlir::Value> scalars;
  /// The operands that rows share, for each column of registers.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> columns;
};

} // namespace lintel::ir
