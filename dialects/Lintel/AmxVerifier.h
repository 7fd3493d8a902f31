// What operations with unit = amx refuse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"

namespace lintel::ir {

/// Tile registers leave the sums in memory, and read whole cache lines of both
/// factors.
mlir::LogicalResult verifyAmxTile(MicrokernelOp op);

/// Tile registers only ask in streams.
mlir::LogicalResult verifyTileStreams(MicrokernelOp op);

/// Sums of tile registers stand register by register.
mlir::LogicalResult verifySumsOfTiles(mlir::Operation *op, mlir::Value ldacc);

/// A register holds as many columns of sums as a vector does.
mlir::LogicalResult verifyVectorsOfTiles(ApplyEpilogueOp op);

} // namespace lintel::ir
