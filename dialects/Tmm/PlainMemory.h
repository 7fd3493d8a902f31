// Memory that is no more than a pointer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace lintel::tmm {

/// Fails, with an error on `op`, unless elements of `type`, of rank 0, begin
/// where its pointer points: whoever lowers `op` looks at that alone, neither
/// at an offset nor at a memory space.
inline mlir::LogicalResult verifyPlainMemory(mlir::Operation *op,
                                             mlir::MemRefType type) {
  if (type.getLayout().isIdentity() && !type.getMemorySpace())
    return mlir::success();
  return op->emitOpError("takes plain memory, e.g. ")
         << mlir::MemRefType::get({}, type.getElementType()) << ", not "
         << type;
}

} // namespace lintel::tmm
