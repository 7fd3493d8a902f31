// Reading epilogue operands and writing outputs at one place of the output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/IndexMath.h"
#include "lintel/Broadcast.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace lintel::ir {

/// Lane i of the mask is set when `first + i < count`.
mlir::Value laneMask(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value count, mlir::Value first, int64_t lanes);

/// Emits the accesses of one tile. In all of them `lanes` 0 means one scalar,
/// and a null mask means that every lane is inside the output.
class TileAccess {
public:
  TileAccess(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value args,
             mlir::ArrayAttr broadcasts, mlir::Region &epilogue);

  /// The column operands at `column`, which rows share; null for the others.
  llvm::SmallVector<mlir::Value>
  loadColumnOperands(mlir::Value column, int64_t lanes, mlir::Value mask);
  /// All operands at (row, column), taking the column operands from
  /// `perColumn`.
  llvm::SmallVector<mlir::Value>
  loadOperands(mlir::Value row, mlir::Value column, int64_t lanes,
               mlir::Value mask, llvm::ArrayRef<mlir::Value> perColumn);
  /// Stores what the epilogue yields to the outputs at (row, column).
  void storeOutputs(llvm::ArrayRef<mlir::Value> values, mlir::Value row,
                    mlir::Value column, mlir::Value mask);

private:
  /// `lanes` elements from `offset` on of a tensor of KernelArgs.
  mlir::Value elements(mlir::Value pointer, mlir::Value offset, int64_t lanes);
  mlir::Value loadContiguous(unsigned operand, mlir::Value offset,
                             int64_t lanes, mlir::Value mask);
  mlir::Value loadOne(unsigned operand, mlir::Value offset, int64_t lanes);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexMath math;
  llvm::SmallVector<Broadcast> broadcasts;
  // Read once, where the accessor is made.
  llvm::SmallVector<mlir::Value> operandPointers, operandStrides,
      outputPointers, outputStrides;
};

} // namespace lintel::ir
