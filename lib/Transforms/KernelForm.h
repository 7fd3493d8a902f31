// What kernels are made of, once they are loops over vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace lintel::ir {

/// Whether a module has nothing but the types that our passes make kernels of,
/// those operations of func, memref, scf and vector that they do, and any of
/// arith, math and llvm: fewer than lintel-verify-kernel lets through. Patterns
/// that lower these do so or refuse at once; others may find half way that they
/// cannot, and what they did must be taken back.
bool isOfKernelForm(mlir::ModuleOp module);

} // namespace lintel::ir
