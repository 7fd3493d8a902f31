// Which operations become instructions and not library calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Operation.h"

namespace lintel::ir {

/// False for an `arith` or `math` operation that code generation would turn
/// into a library call, which a kernel may not make.
bool hasInlineLowering(mlir::Operation *op);

} // namespace lintel::ir
