// Reading epilogue operands and writing outputs at one place of the output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "Transforms/IndexMath.h"
#include "lintel/Broadcast.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace lintel::ir {

/// Lane i of the mask is set when `first + i < count`. Integers of `bits` are
/// compared, which have to hold `count - first`: as wide as the elements that
/// are masked they take one instruction, and at most 32.
mlir::Value laneMask(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value count, mlir::Value first, int64_t lanes,
                     unsigned bits = 32);

/// True if `count` is known to be a multiple of `lanes`, so that no vector is
/// cut.
bool isMultiple(mlir::Value count, int64_t lanes);

/// A mask for each of `vectors` vectors of a row of `columns` columns; null
/// where every lane is known to be inside, and where the target has no masks:
/// there rows have to be whole.
llvm::SmallVector<mlir::Value>
columnMasks(mlir::OpBuilder &builder, mlir::Location loc, const Target &target,
            mlir::Value columns, int64_t vectors);

/// Where a row begins in each tensor that has rows, in elements: operands
/// first, then outputs; null for an operand that has none.
using RowOffsets = llvm::SmallVector<mlir::Value>;

/// One row of a tile, from the column on that its offsets are of.
struct TileRow {
  /// Per operand: the view of a full one, the value of a row or scalar one,
  /// 16-bit floats as integers, null for a column one, which rows share.
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<mlir::Value> outputs; ///< views
  RowOffsets offsets;
};

/// Emits the accesses of the tile whose first column is `column`. Offsets count
/// from there. In all of them `lanes` 0 means one scalar, and a null mask means
/// that every lane is inside the output.
class TileAccess {
public:
  TileAccess(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value args,
             mlir::Value column, mlir::ArrayAttr broadcasts,
             mlir::Region &epilogue);

  /// The scalar operands, which all rows share; null for the others.
  llvm::SmallVector<mlir::Value> loadScalars(int64_t lanes);
  /// From the tile's first column on.
  RowOffsets offsetsOf(mlir::Value row);
  /// From so many columns further on.
  RowOffsets movedBy(const RowOffsets &row, mlir::Value columns);
  /// Of the row below, by additions where offsetsOf() multiplies.
  RowOffsets below(const RowOffsets &row);
  TileRow rowFrom(RowOffsets offsets, int64_t lanes,
                  llvm::ArrayRef<mlir::Value> scalars);
  TileRow rowAt(mlir::Value row, int64_t lanes,
                llvm::ArrayRef<mlir::Value> scalars);
  TileRow nextRow(const TileRow &row, int64_t lanes);
  /// The column operands at `offset`, 16-bit floats as integers; null for the
  /// others.
  llvm::SmallVector<mlir::Value> loadColumns(mlir::Value offset, int64_t lanes,
                                             mlir::Value mask);
  /// All operands of `row` at `offset`, the column operands taken from
  /// `columns`.
  llvm::SmallVector<mlir::Value> load(const TileRow &row, mlir::Value offset,
                                      int64_t lanes, mlir::Value mask,
                                      llvm::ArrayRef<mlir::Value> columns);
  /// Stores what the epilogue yields to the outputs of `row` at `offset`.
  void store(llvm::ArrayRef<mlir::Value> values, const TileRow &row,
             mlir::Value offset, mlir::Value mask);
  /// True at run time if the tile is whole, `columns` of `width`, and all its
  /// rows in all outputs begin with a cache line. `column` and `width` are
  /// multiples of one.
  mlir::Value fillsLines(mlir::Value columns, int64_t width);
  /// Like store(), past the caches. Only where fillsLines(), of whole vectors.
  void stream(llvm::ArrayRef<mlir::Value> values, const TileRow &row,
              mlir::Value offset);

private:
  /// The elements from `offset` on of a tensor of KernelArgs.
  mlir::Value elements(mlir::Value pointer, mlir::Value offset);
  mlir::Value loadFrom(mlir::Value view, mlir::Value offset, int64_t lanes,
                       mlir::Value mask);
  /// 16-bit floats as integers: LLVM broadcasts a bf16 by way of f32 and back.
  mlir::Value toBits(mlir::Value value);
  mlir::Value loadOne(mlir::Value pointer, mlir::Value offset, int64_t lanes);
  /// What toBits() or loadOne() gave, as an element or a vector of `element`.
  mlir::Value fromBits(mlir::Value value, mlir::Type element);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexMath math;
  mlir::Value column;
  llvm::SmallVector<Broadcast> broadcasts;
  // Read once, where the accessor is made. Column operands are views from
  // `column` on.
  llvm::SmallVector<mlir::Value> operandPointers, operandStrides,
      outputPointers, outputStrides;
};

} // namespace lintel::ir
