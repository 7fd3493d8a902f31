// The functions of a kernel that work on one tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/KernelWriter.h"

namespace lintel::ir {

/// What a micro-kernel's caller passes on; what is null is known when
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

  /// The ones that are passed, in this order.
  llvm::SmallVector<mlir::Value> present() const;
};

/// Builds the micro-kernels (args, present operands of a tile), the epilogue
/// (args, accOffset, row, column, rows) where one is called, and, where
/// x is packed, the packing of a strip (args, row, rows, k0, depth,
/// packedOffset). Where threads share K: the sum over the slices of a tile
/// (args, accOffset, rows, sliceStride), which it leaves in the first.
void buildTileFunctions(KernelWriter &writer);

} // namespace lintel::ir
