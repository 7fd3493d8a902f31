// What operations with unit = amx refuse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"

namespace lintel::ir {

/// Tile registers leave the sums in memory, and ask for whole cache lines.
mlir::LogicalResult verifyAmxTile(MicrokernelOp op);

/// Tile registers only ask in streams.
mlir::LogicalResult verifyTileStreams(MicrokernelOp op);

/// A register holds as many columns of sums as a vector does.
mlir::LogicalResult verifyVectorsOfTiles(ApplyEpilogueOp op);

} // namespace lintel::ir
