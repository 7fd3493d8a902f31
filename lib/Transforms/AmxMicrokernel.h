// The k loop of a tile on the tile registers of AMX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"
#include "Tmm/TmmDialect.h"

namespace lintel::ir {

/// The shapes that the registers have for tiles of `rows` rows and `columns`
/// columns, a multiple of 16.
tmm::ConfigAttr amxConfig(mlir::MLIRContext *context, int64_t rows,
                          int64_t columns);

/// Replaces a lintel.microkernel whose schedule says unit = amx. The registers
/// are configured by amxConfig(). The finished sums go to `acc`.
void lowerAmxMicrokernel(MicrokernelOp op);

} // namespace lintel::ir
