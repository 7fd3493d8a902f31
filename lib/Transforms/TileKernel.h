// The SPMD kernel around one linear layer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace lintel::ir {

/// Inserts before `function` the driver, of the same name, and its private
/// functions; `function` is left for the caller to erase. Returns the driver.
/// `op` has a schedule, a target, static N and K, and the element types of a
/// layer (DataTypes).
mlir::func::FuncOp buildKernel(LinearOp op, mlir::func::FuncOp function);

} // namespace lintel::ir
