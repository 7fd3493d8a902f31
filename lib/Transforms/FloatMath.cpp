// Constants, bounds and polynomials, on floats and vectors of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/FloatMath.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

namespace lintel::ir {

using mlir::Value;
namespace arith = mlir::arith;

Value FloatMath::constant(double value) {
  mlir::TypedAttr attribute =
      builder.getFloatAttr(mlir::getElementTypeOrSelf(type), value);
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
    attribute = mlir::DenseElementsAttr::get(
        vector, llvm::cast<mlir::Attribute>(attribute));
  return arith::ConstantOp::create(builder, loc, attribute);
}

/// Compared with the bound first, a comparison and its selection are one
/// minimum or maximum on x86, which gives its second operand for NaN.
Value FloatMath::replaceWhere(arith::CmpFPredicate isBeyond, Value x,
                              double bound) {
  Value end = constant(bound);
  return select(compare(isBeyond, end, x), end, x);
}

Value FloatMath::atLeast(Value x, double bound) {
  return replaceWhere(arith::CmpFPredicate::OGT, x, bound);
}

Value FloatMath::atMost(Value x, double bound) {
  return replaceWhere(arith::CmpFPredicate::OLT, x, bound);
}

Value FloatMath::polynomial(Value x, llvm::ArrayRef<double> coefficients) {
  Value sum = constant(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = multiplyAdd(sum, x, constant(coefficient));
  return sum;
}

} // namespace lintel::ir
