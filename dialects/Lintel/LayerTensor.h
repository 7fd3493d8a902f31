// What the tensors of a layer may be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

namespace lintel::ir {

/// What a tensor, or memref, of a layer is to it.
enum class LayerTensor { x, w, operand, output };

/// Fails, with an error on `op` that calls it `name`, unless the tensor can be
/// told to a kernel: by where it begins, and how far its rows are apart, and
/// those of an output do not overlap. A packed weight can.
mlir::LogicalResult verifyLayout(mlir::Operation *op, LayerTensor tensor,
                                 llvm::StringRef name, mlir::Type type);

/// The same unless its elements are of a type that kernels read or write there.
mlir::LogicalResult verifyElements(mlir::Operation *op, LayerTensor tensor,
                                   llvm::StringRef name, mlir::Type element);

} // namespace lintel::ir
