// Integers beside floats, or beside vectors of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"

namespace lintel::ir {

/// `element`, or as many of it as `like` holds if that is a vector or tensor.
inline mlir::Type typeLike(mlir::Type like, mlir::Type element) {
  auto shaped = llvm::dyn_cast<mlir::ShapedType>(like);
  return shaped ? mlir::Type(shaped.clone(element)) : element;
}

/// `value` as an i32, or as a vector of it, beside a value of type `like`.
inline mlir::Value integerConstant(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::Type like, int32_t value) {
  mlir::TypedAttr attribute = builder.getI32IntegerAttr(value);
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(
          typeLike(like, builder.getI32Type())))
    attribute = mlir::DenseElementsAttr::get(
        vector, llvm::cast<mlir::Attribute>(attribute));
  return mlir::arith::ConstantOp::create(builder, loc, attribute);
}

} // namespace lintel::ir
