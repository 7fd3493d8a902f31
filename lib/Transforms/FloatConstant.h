// Constants that are floats or vectors of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"

namespace lintel::ir {

/// `value` as a constant of `type`, a float or a vector of floats.
inline mlir::Value floatConstant(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Type type, double value) {
  mlir::TypedAttr attribute =
      builder.getFloatAttr(mlir::getElementTypeOrSelf(type), value);
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
    attribute = mlir::DenseElementsAttr::get(
        vector, llvm::cast<mlir::Attribute>(attribute));
  return mlir::arith::ConstantOp::create(builder, loc, attribute);
}

} // namespace lintel::ir
