// Which operations become instructions and not library calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/InlineMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

namespace lintel::ir {
namespace {

bool touchesHalfPrecision(mlir::Operation *op) {
  auto half = [](mlir::Type type) {
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    return element.isBF16() || element.isF16();
  };
  return llvm::any_of(op->getOperandTypes(), half) ||
         llvm::any_of(op->getResultTypes(), half);
}

mlir::Type elementOf(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value.getType());
}

/// Between a 16-bit float and f32, or of bits alone.
bool isInlineWithHalfPrecision(mlir::Operation *op, const Target &target) {
  if (llvm::isa<mlir::arith::ConstantOp, mlir::arith::BitcastOp,
                mlir::arith::SelectOp>(op))
    return true;
  if (convertsHalf(op))
    return target.hasHalfConversions();
  if (narrowsToBF16(op))
    return target.has(Extension::avx512Bf16);
  auto widening = llvm::dyn_cast<mlir::arith::ExtFOp>(op);
  return widening && elementOf(widening.getIn()).isBF16() &&
         elementOf(widening.getResult()).isF32();
}

} // namespace

bool narrowsToBF16(mlir::Operation *op) {
  auto narrowing = llvm::dyn_cast<mlir::arith::TruncFOp>(op);
  return narrowing && elementOf(narrowing.getIn()).isF32() &&
         elementOf(narrowing.getResult()).isBF16();
}

bool convertsHalf(mlir::Operation *op) {
  if (!llvm::isa<mlir::arith::ExtFOp, mlir::arith::TruncFOp>(op))
    return false;
  mlir::Type from = elementOf(op->getOperand(0)),
             to = elementOf(op->getResult(0));
  return (from.isF16() && to.isF32()) || (from.isF32() && to.isF16());
}

bool hasInlineLowering(mlir::Operation *op, const Target &target) {
  if (llvm::isa_and_present<mlir::math::MathDialect>(op->getDialect()))
    return llvm::isa<
        mlir::math::AbsFOp, mlir::math::AbsIOp, mlir::math::SqrtOp,
        mlir::math::CopySignOp, mlir::math::FmaOp, mlir::math::FloorOp,
        mlir::math::CeilOp, mlir::math::TruncOp, mlir::math::RoundEvenOp,
        mlir::math::IsNaNOp, mlir::math::IsInfOp, mlir::math::IsFiniteOp>(op);
  if (!llvm::isa_and_present<mlir::arith::ArithDialect>(op->getDialect()))
    return true;
  if (touchesHalfPrecision(op))
    return isInlineWithHalfPrecision(op, target);
  return !llvm::isa<mlir::arith::RemFOp>(op);
}

} // namespace lintel::ir
