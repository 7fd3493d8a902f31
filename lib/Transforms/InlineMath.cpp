// Which operations become instructions and not library calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/InlineMath.h"

#include "Lintel/ElementType.h"
#include "Lintel/MovesBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace lintel::ir {
namespace {

/// Whether an operand or a result is, or holds, of such a type.
bool touches(mlir::Operation *op, llvm::function_ref<bool(mlir::Type)> wanted) {
  const auto holds = [&](mlir::Type type) {
    return wanted(mlir::getElementTypeOrSelf(type));
  };
  return llvm::any_of(op->getOperandTypes(), holds) ||
         llvm::any_of(op->getResultTypes(), holds);
}

/// Of others targets compute by calls, if at all.
bool hasInstructions(mlir::Type type) {
  return type.isIndex() || isFloatOfLayers(type) || type.isF64() ||
         (type.isSignlessInteger() && !type.isInteger(0));
}

bool isWideInteger(mlir::Type type) {
  return type.isSignlessInteger() && type.getIntOrFloatBitWidth() > 64;
}

/// Integers of more than 64 bits are computed with in parts, but for what has a
/// library function.
bool mayCallForWideIntegers(mlir::Operation *op) {
  namespace arith = mlir::arith;
  return llvm::isa<arith::DivSIOp, arith::DivUIOp, arith::FPToSIOp,
                   arith::FPToUIOp, arith::RemSIOp, arith::RemUIOp,
                   arith::SIToFPOp, arith::UIToFPOp>(op) &&
         touches(op, isWideInteger);
}

mlir::Type elementOf(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value.getType());
}

/// Between a 16-bit float and f32.
bool isInlineWithNarrowFloats(mlir::Operation *op, const Target &target) {
  if (convertsHalf(op))
    return target.hasHalfConversions();
  if (narrowsToBF16(op))
    return target.has(Extension::avx512Bf16);
  auto widening = llvm::dyn_cast<mlir::arith::ExtFOp>(op);
  return widening && elementOf(widening.getIn()).isBF16() &&
         elementOf(widening.getResult()).isF32();
}

/// Rounding to integers takes SSE4.1.
bool hasRoundings(const Target &target) {
  return target.isa != IsaLevel::x86_64;
}

bool isInlineMath(mlir::Operation *op, const Target &target) {
  namespace math = mlir::math;
  if (touches(op, isNarrowFloat))
    return false;
  if (llvm::isa<math::FmaOp>(op))
    return target.hasFma();
  if (llvm::isa<math::FloorOp, math::CeilOp, math::TruncOp, math::RoundEvenOp>(
          op))
    return hasRoundings(target);
  return llvm::isa<math::AbsFOp, math::AbsIOp, math::SqrtOp, math::CopySignOp,
                   math::IsNaNOp, math::IsFiniteOp>(op);
}

bool isInlineFma(mlir::vector::FMAOp op, const Target &target) {
  const mlir::Type element = op.getVectorType().getElementType();
  if (element.isF16())
    return target.has(Extension::avx512Fp16);
  return target.hasFma() && (element.isF32() || element.isF64());
}

/// Sums of 16-bit floats, and comparisons of them, are made in f32, by calls on
/// targets that do not convert them.
bool isInlineReduction(mlir::Operation *op) {
  return !touches(op, [](mlir::Type type) {
    return isNarrowFloat(type) || !hasInstructions(type);
  });
}

/// Others are exchanged by calls, or not at all.
bool isExchangedInline(mlir::Type type) {
  return type.isIndex() || type.isInteger(8) || type.isInteger(16) ||
         type.isInteger(32) || type.isInteger(64);
}

/// No target rounds as an operation asks for.
bool asksForRounding(mlir::Operation *op) {
  auto rounding = llvm::dyn_cast<mlir::arith::ArithRoundingModeInterface>(op);
  return rounding && rounding.getRoundingModeAttr();
}

/// What lintel-to-llvm has a pattern for, and no library a function.
bool isInlineArith(mlir::Operation *op) {
  namespace arith = mlir::arith;
  return llvm::isa<
      arith::AddFOp, arith::AddIOp, arith::AddUIExtendedOp, arith::AndIOp,
      arith::CmpFOp, arith::CmpIOp, arith::DivFOp, arith::DivSIOp,
      arith::DivUIOp, arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp,
      arith::FPToSIOp, arith::FPToUIOp, arith::IndexCastOp,
      arith::IndexCastUIOp, arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp,
      arith::MaximumFOp, arith::MinNumFOp, arith::MinSIOp, arith::MinUIOp,
      arith::MinimumFOp, arith::MulFOp, arith::MulIOp, arith::MulSIExtendedOp,
      arith::MulUIExtendedOp, arith::NegFOp, arith::OrIOp, arith::RemSIOp,
      arith::RemUIOp, arith::SIToFPOp, arith::ShLIOp, arith::ShRSIOp,
      arith::ShRUIOp, arith::SubFOp, arith::SubIOp, arith::TruncFOp,
      arith::TruncIOp, arith::UIToFPOp, arith::XOrIOp>(op);
}

} // namespace

bool worksOnBF16(mlir::Operation *op) {
  return touches(op, [](mlir::Type type) { return type.isBF16(); });
}

bool narrowsToBF16(mlir::Operation *op) {
  auto narrowing = llvm::dyn_cast<mlir::arith::TruncFOp>(op);
  return narrowing && elementOf(narrowing.getIn()).isF32() &&
         elementOf(narrowing.getResult()).isBF16();
}

bool integerToNarrowFloat(mlir::Operation *op) {
  return llvm::isa<mlir::arith::SIToFPOp, mlir::arith::UIToFPOp>(op) &&
         isNarrowFloat(elementOf(op->getResult(0)));
}

bool convertsHalf(mlir::Operation *op) {
  if (!llvm::isa<mlir::arith::ExtFOp, mlir::arith::TruncFOp>(op))
    return false;
  mlir::Type from = elementOf(op->getOperand(0)),
             to = elementOf(op->getResult(0));
  return (from.isF16() && to.isF32()) || (from.isF32() && to.isF16());
}

bool hasInlineLowering(mlir::Operation *op, const Target &target) {
  if (auto fma = llvm::dyn_cast<mlir::vector::FMAOp>(op))
    return isInlineFma(fma, target);
  if (llvm::isa<mlir::vector::ReductionOp>(op))
    return isInlineReduction(op);
  if (auto atomic = llvm::dyn_cast<mlir::memref::AtomicRMWOp>(op)) {
    mlir::Type element = atomic.getMemRefType().getElementType();
    return element.isF32() || element.isF64() || isExchangedInline(element);
  }
  if (auto atomic = llvm::dyn_cast<mlir::memref::GenericAtomicRMWOp>(op))
    return isExchangedInline(atomic.getMemref().getType().getElementType());
  const bool isMath =
      llvm::isa_and_present<mlir::math::MathDialect>(op->getDialect());
  if (!isMath &&
      !llvm::isa_and_present<mlir::arith::ArithDialect>(op->getDialect()))
    return true;
  if (movesBits(op))
    return true;
  if (touches(op, [](mlir::Type type) { return !hasInstructions(type); }) ||
      mayCallForWideIntegers(op) || asksForRounding(op))
    return false;
  if (isMath)
    return isInlineMath(op, target);
  if (touches(op, isNarrowFloat))
    return isInlineWithNarrowFloats(op, target);
  return isInlineArith(op);
}

} // namespace lintel::ir
