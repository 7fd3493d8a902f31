// The functions of a kernel that work on one tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/KernelWriter.h"

namespace lintel::ir {

/// One of what a function of the kernel takes behind args. A list of them is
/// the order in which they are passed.
struct Parameter {
  enum class Type : uint8_t { index, truth };
  mlir::Value *value; ///< where the function and its callers have it
  Type type;
  bool (*isPassed)(const KernelLayer &);
};

/// The types of args and of the parameters that are passed.
llvm::SmallVector<mlir::Type> inputsOf(llvm::ArrayRef<Parameter> parameters,
                                       KernelWriter &writer);
/// Sets the values of the parameters that are passed.
void readArguments(llvm::ArrayRef<Parameter> parameters,
                   mlir::func::FuncOp function, const KernelLayer &layer);
/// The values of those that are passed; a caller may have others, too.
llvm::SmallVector<mlir::Value>
valuesPassed(llvm::ArrayRef<Parameter> parameters, const KernelLayer &layer);

/// What a micro-kernel's caller passes on, as far as it is not known when
/// compiling.
struct TileOperands {
  mlir::Value a, b, acc, row, column; ///< offsets, and the place in the output
  mlir::Value depth;                  ///< when it is not all of K
  mlir::Value first;                  ///< when K may be cut
  mlir::Value last;                   ///< when some tiles finish elsewhere
  mlir::Value validRows;              ///< when some strips are shorter
  mlir::Value next;                   ///< when the next panel is prefetched
  mlir::Value nextStep;               ///< when strips share it on vectors
  mlir::Value nextAcc;                ///< when the next tile's sums are
  mlir::Value finishes; ///< when the k loop asks for what an epilogue touches
  /// The tile before, when this one applies its epilogue: no rows if there is
  /// none.
  mlir::Value pendingAcc, pendingRow, pendingColumn, pendingRows;

  llvm::SmallVector<Parameter> parameters();
};

/// Builds the micro-kernels (args, parameters of a tile), the epilogue
/// (args, accOffset, row, column, rows) where one is called, and, where
/// x is packed, the packing of a strip (args, row, rows, k0, depth,
/// packedOffset), and where panels are widened, that (args, from, depth, to).
/// Where threads share K: the sum over the slices of a tile
/// (args, accOffset, rows, sliceStride), which it leaves in the first. Where
/// lines that an epilogue touches are asked for, but not by the k loops: that,
/// for a tile (args, row, column, rows).
void buildTileFunctions(KernelWriter &writer);

} // namespace lintel::ir
