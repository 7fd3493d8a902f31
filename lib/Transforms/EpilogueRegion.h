// Instantiating an epilogue's scalar region on scalars or vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Region.h"
#include "llvm/ADT/SmallVector.h"

namespace lintel::ir {

/// Clones the body of `region` at the builder's insertion point with its block
/// arguments replaced by `arguments`, and returns what it yields. With `lanes`
/// 0 the operations stay scalar; else each becomes the same operation on
/// vector<lanes x T>, and constants become splats.
llvm::SmallVector<mlir::Value> instantiateEpilogue(mlir::OpBuilder &builder,
                                                   mlir::Region &region,
                                                   mlir::ValueRange arguments,
                                                   int64_t lanes);

} // namespace lintel::ir
