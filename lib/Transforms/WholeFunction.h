// Functions that hold one operation and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Operation.h"

namespace lintel::ir {

/// Fails, with an error on the operation, unless it is all that its function
/// does: a kernel is one operation over the function's own arguments, whose
/// results leave as they are.
mlir::LogicalResult checkWholeFunction(mlir::Operation *op);

} // namespace lintel::ir
