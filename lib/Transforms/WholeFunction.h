// Functions that hold one operation and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace lintel::ir {

/// Fails, with an error on the operation, unless it is all that its function
/// does: a kernel is one operation over the function's own arguments, whose
/// results leave as they are.
mlir::LogicalResult checkWholeFunction(mlir::Operation *op);

/// The same unless the kernel of the operation can take its function's place:
/// what something else would have to know of the function must not be lost.
mlir::LogicalResult checkReplaceable(mlir::Operation *op,
                                     mlir::func::FuncOp function);

} // namespace lintel::ir
