// What operations of an epilogue may promise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Operation.h"

namespace lintel::ir {

/// Drops of an epilogue's operation the flags by which the reference does not
/// go, and so no kernel may.
///
/// Of fast-math flags `contract` stays, on sums, differences and products: on
/// conversions it would let MLIR fold a rounding away. Integers wrap, and
/// divisions and shifts cut off, whatever flags promise; LLVM would fold what
/// breaks a promise. Attributes that are none of the operation's own go, too.
void dropPromises(mlir::Operation *op);

} // namespace lintel::ir
