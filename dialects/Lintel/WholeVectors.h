// Tiles that vectors cover.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"

#include "mlir/IR/Operation.h"

#include <cstdint>

namespace lintel::ir {

/// Fails, with an error on `op`, unless the columns of its tile are whole
/// vectors of the target.
inline mlir::LogicalResult verifyWholeVectors(mlir::Operation *op,
                                              int64_t columns,
                                              const lintel::Target &target) {
  if (columns % target.lanes() == 0)
    return mlir::success();
  return op->emitOpError("needs a tile of whole vectors: its ")
         << columns << " columns must be a multiple of " << target.lanes()
         << ", the lanes of " << llvm::StringRef(toString(target.isa));
}

} // namespace lintel::ir
