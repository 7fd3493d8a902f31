// What kernels are made of, once they are loops over vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace lintel::ir {

/// Whether a module has nothing but the operations and types that our passes
/// make kernels of: fewer than lintel-verify-kernel lets through, which asks
/// what can be lowered. Patterns that lower these do so or refuse at once;
/// others may find half way that they cannot, and what they did must be taken
/// back.
bool isOfKernelForm(mlir::ModuleOp module);

} // namespace lintel::ir
