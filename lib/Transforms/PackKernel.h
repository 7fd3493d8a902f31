// The SPMD kernel that packs a weight.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace lintel::ir {

/// Inserts before `function` a kernel of the same name that does what `op`, its
/// only operation, says: reads the weight through the arguments x and ldx and
/// writes the packed weight to output 0. Thread tid packs the panels tid, tid +
/// nthreads, ... `function` is left for the caller to erase. Returns the
/// kernel.
mlir::func::FuncOp buildPackKernel(PackOp op, mlir::func::FuncOp function);

} // namespace lintel::ir
