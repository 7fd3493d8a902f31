// Operations on floats and vectors of floats, as a formula writes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/ArrayRef.h"

namespace lintel::ir {

/// Builds operations on values of one type, a float or a vector of them.
class FloatMath {
public:
  FloatMath(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), type(type) {}

  mlir::Value constant(double value);
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
  /// a * b + c, rounded once.
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value c) {
    return mlir::math::FmaOp::create(builder, loc, a, b, c);
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
  /// The larger, or smaller, of `x` and `bound`; NaN stays NaN. One
  /// instruction.
  mlir::Value atLeast(mlir::Value x, double bound);
  mlir::Value atMost(mlir::Value x, double bound);
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
  /// Horner's scheme in multiply-adds; `coefficients` with the lowest power
  /// first, at least one.
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> coefficients);

private:
  mlir::Value replaceWhere(mlir::arith::CmpFPredicate isBeyond, mlir::Value x,
                           double bound);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
};

} // namespace lintel::ir
