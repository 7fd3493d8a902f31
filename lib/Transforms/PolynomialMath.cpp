// Bounds and polynomials, on floats and vectors of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/PolynomialMath.h"

#include "Transforms/FloatConstant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"

namespace lintel::ir {

using mlir::Value;
namespace arith = mlir::arith;

// Compared with the bound first, a comparison and its selection are one minimum
// or maximum on x86, which gives its second operand for NaN.
static Value replaceWhere(arith::CmpFPredicate isBeyond,
                          mlir::OpBuilder &builder, mlir::Location loc, Value x,
                          double bound) {
  Value end = floatConstant(builder, loc, x.getType(), bound);
  Value beyond = arith::CmpFOp::create(builder, loc, isBeyond, end, x);
  return arith::SelectOp::create(builder, loc, beyond, end, x);
}

Value atLeast(mlir::OpBuilder &builder, mlir::Location loc, Value x,
              double bound) {
  return replaceWhere(arith::CmpFPredicate::OGT, builder, loc, x, bound);
}

Value atMost(mlir::OpBuilder &builder, mlir::Location loc, Value x,
             double bound) {
  return replaceWhere(arith::CmpFPredicate::OLT, builder, loc, x, bound);
}

Value polynomial(mlir::OpBuilder &builder, mlir::Location loc, Value x,
                 llvm::ArrayRef<double> coefficients) {
  mlir::Type type = x.getType();
  Value sum = floatConstant(builder, loc, type, coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = mlir::math::FmaOp::create(
        builder, loc, sum, x, floatConstant(builder, loc, type, coefficient));
  return sum;
}

} // namespace lintel::ir
