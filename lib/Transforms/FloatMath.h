// Operations on floats and vectors of floats, as a formula writes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/FloatConstant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace lintel::ir {

/// Builds operations on values of one type.
class FloatMath {
public:
  FloatMath(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), type(type) {}

  mlir::Value constant(double value) {
    return floatConstant(builder, loc, type, value);
  }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return mlir::arith::AddFOp::create(builder, loc, a, b);
  }
  mlir::Value subtract(mlir::Value a, mlir::Value b) {
    return mlir::arith::SubFOp::create(builder, loc, a, b);
  }
  mlir::Value multiply(mlir::Value a, mlir::Value b) {
    return mlir::arith::MulFOp::create(builder, loc, a, b);
  }
  mlir::Value divide(mlir::Value a, mlir::Value b) {
    return mlir::arith::DivFOp::create(builder, loc, a, b);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return mlir::arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  /// NaN is not greater.
  mlir::Value isGreater(mlir::Value a, double b) {
    return compare(mlir::arith::CmpFPredicate::OGT, a, constant(b));
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return mlir::arith::SelectOp::create(builder, loc, condition, a, b);
  }
  mlir::Value magnitude(mlir::Value a) {
    return mlir::math::AbsFOp::create(builder, loc, a);
  }
  /// The magnitude of `a` with the sign of `b`.
  mlir::Value copySign(mlir::Value a, mlir::Value b) {
    return mlir::math::CopySignOp::create(builder, loc, a, b);
  }
  /// Any function of one number.
  template <class Op> mlir::Value apply(mlir::Value a) {
    return Op::create(builder, loc, a);
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
};

} // namespace lintel::ir
