// The epilogue over a tile in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"

namespace lintel::ir {

/// Replaces the op by loops over the rows and vectors of its tile.
void lowerApplyEpilogue(ApplyEpilogueOp op);

} // namespace lintel::ir
