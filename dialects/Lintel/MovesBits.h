// Operations that every CPU does with what it cannot compute with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace lintel::ir {

/// True for the arith operations that only move bits.
inline bool movesBits(mlir::Operation *op) {
  namespace arith = mlir::arith;
  return llvm::isa<arith::ConstantOp, arith::BitcastOp, arith::SelectOp>(op);
}

} // namespace lintel::ir
