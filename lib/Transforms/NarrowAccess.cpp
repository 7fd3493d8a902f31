// Loads and stores of vectors of 16-bit floats.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/NarrowAccess.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace lintel::ir {
namespace {

namespace LLVM = mlir::LLVM;
using mlir::Value;

/// Tensors are aligned to their elements.
constexpr unsigned kElementBytes = 2;

/// Null unless `type` is a vector of 16-bit floats.
mlir::VectorType bitsOf(mlir::VectorType type) {
  mlir::Type element = type.getElementType();
  if (!element.isBF16() && !element.isF16())
    return {};
  return type.clone(mlir::IntegerType::get(type.getContext(), 16));
}

template <class Op> struct NarrowPattern : mlir::ConvertOpToLLVMPattern<Op> {
  using Adaptor = typename Op::Adaptor;

  explicit NarrowPattern(const mlir::LLVMTypeConverter &converter)
      : mlir::ConvertOpToLLVMPattern<Op>(converter, /*benefit=*/2) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::VectorType bits = bitsOf(op.getVectorType());
    if (!bits)
      return rewriter.notifyMatchFailure(op, "not of 16-bit floats");
    Value address =
        this->getStridedElementPtr(rewriter, op.getLoc(), op.getMemRefType(),
                                   adaptor.getBase(), adaptor.getIndices());
    emit(op, adaptor, address, bits, rewriter);
    return mlir::success();
  }

  virtual void emit(Op op, Adaptor adaptor, Value address,
                    mlir::VectorType bits,
                    mlir::ConversionPatternRewriter &rewriter) const = 0;

  static Value cast(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Type type, Value value) {
    return LLVM::BitcastOp::create(builder, loc, type, value);
  }
};

struct LowerLoad : NarrowPattern<mlir::vector::LoadOp> {
  using NarrowPattern::NarrowPattern;
  void emit(mlir::vector::LoadOp op, Adaptor, Value address,
            mlir::VectorType bits,
            mlir::ConversionPatternRewriter &rewriter) const override {
    Value loaded = LLVM::LoadOp::create(
        rewriter, op.getLoc(), bits, address,
        static_cast<unsigned>(op.getAlignment().value_or(kElementBytes)),
        /*isVolatile=*/false, op.getNontemporal());
    rewriter.replaceOp(op,
                       cast(rewriter, op.getLoc(), op.getVectorType(), loaded));
  }
};

struct LowerStore : NarrowPattern<mlir::vector::StoreOp> {
  using NarrowPattern::NarrowPattern;
  void emit(mlir::vector::StoreOp op, Adaptor adaptor, Value address,
            mlir::VectorType bits,
            mlir::ConversionPatternRewriter &rewriter) const override {
    Value value = cast(rewriter, op.getLoc(), bits, adaptor.getValueToStore());
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
        op, value, address,
        static_cast<unsigned>(op.getAlignment().value_or(kElementBytes)),
        /*isVolatile=*/false, op.getNontemporal());
  }
};

struct LowerMaskedLoad : NarrowPattern<mlir::vector::MaskedLoadOp> {
  using NarrowPattern::NarrowPattern;
  void emit(mlir::vector::MaskedLoadOp op, Adaptor adaptor, Value address,
            mlir::VectorType bits,
            mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::Location loc = op.getLoc();
    Value rest = cast(rewriter, loc, bits, adaptor.getPassThru());
    Value loaded = LLVM::MaskedLoadOp::create(
        rewriter, loc, bits, address, adaptor.getMask(), rest, kElementBytes);
    rewriter.replaceOp(op, cast(rewriter, loc, op.getVectorType(), loaded));
  }
};

struct LowerMaskedStore : NarrowPattern<mlir::vector::MaskedStoreOp> {
  using NarrowPattern::NarrowPattern;
  void emit(mlir::vector::MaskedStoreOp op, Adaptor adaptor, Value address,
            mlir::VectorType bits,
            mlir::ConversionPatternRewriter &rewriter) const override {
    Value value = cast(rewriter, op.getLoc(), bits, adaptor.getValueToStore());
    rewriter.replaceOpWithNewOp<LLVM::MaskedStoreOp>(
        op, value, address, adaptor.getMask(), kElementBytes);
  }
};

} // namespace

void populateNarrowAccessPatterns(const mlir::LLVMTypeConverter &converter,
                                  mlir::RewritePatternSet &patterns) {
  patterns.add<LowerLoad, LowerStore, LowerMaskedLoad, LowerMaskedStore>(
      converter);
}

} // namespace lintel::ir
