// The epilogue over a tile in registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"

namespace lintel::ir {

/// Applies the epilogue of `op` to its sums, row by row the vectors of a tile
/// in registers, and writes the outputs. Of the last row only where it is
/// valid.
void applyEpilogueOnRegisters(mlir::OpBuilder &builder, MicrokernelOp op,
                              mlir::ValueRange sums);

} // namespace lintel::ir
