// Which operations become instructions and not library calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/InlineMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

namespace lintel::ir {
namespace {

/// Half-precision conversions are calls on CPUs without instructions for them.
bool touchesHalfPrecision(mlir::Operation *op) {
  auto half = [](mlir::Type type) {
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    return element.isBF16() || element.isF16();
  };
  return llvm::any_of(op->getOperandTypes(), half) ||
         llvm::any_of(op->getResultTypes(), half);
}

} // namespace

bool hasInlineLowering(mlir::Operation *op) {
  if (llvm::isa<mlir::math::MathDialect>(op->getDialect()))
    return llvm::isa<
        mlir::math::AbsFOp, mlir::math::AbsIOp, mlir::math::SqrtOp,
        mlir::math::CopySignOp, mlir::math::FmaOp, mlir::math::FloorOp,
        mlir::math::CeilOp, mlir::math::TruncOp, mlir::math::RoundEvenOp,
        mlir::math::IsNaNOp, mlir::math::IsInfOp, mlir::math::IsFiniteOp>(op);
  if (llvm::isa<mlir::arith::ArithDialect>(op->getDialect()))
    return !llvm::isa<mlir::arith::RemFOp>(op) && !touchesHalfPrecision(op);
  return true;
}

} // namespace lintel::ir
