// Which elements stand in memory as they do in a vector.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"

namespace lintel::ir {

/// Whether an element has as many bits as memory has from one to the next.
bool isDenseInMemory(mlir::Type element);

/// Fails, with an error on `op`, if it moves a vector whose elements stand
/// otherwise in memory: a memref gives an i24 four bytes, and a vector three.
mlir::LogicalResult checkElementsInMemory(mlir::Operation *op);

} // namespace lintel::ir
