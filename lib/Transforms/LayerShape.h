// The problem behind a lintel.linear, as far as schedules look at it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"
#include "lintel/Problem.h"

namespace lintel::ir {

/// The element type of w.
mlir::Type weightType(LinearOp op);

/// Shape and types alone; legality and ranking do not look at the region.
Expected<Problem> shapeOf(LinearOp op);

} // namespace lintel::ir
