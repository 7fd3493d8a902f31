// Loads and stores of vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/VectorAccess.h"

#include "Lintel/ElementType.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace lintel::ir {
namespace {

namespace LLVM = mlir::LLVM;
using mlir::Value;

/// As what a vector is computed with: integers have no sign there.
mlir::VectorType typeInRegisters(mlir::VectorType type) {
  return type.clone(scalarOf(type.getElementType()));
}

/// As what a vector is loaded and stored: 16-bit floats as integers.
mlir::VectorType typeInMemory(mlir::VectorType type) {
  mlir::Type element = type.getElementType();
  if (!element.isBF16() && !element.isF16())
    return typeInRegisters(type);
  return type.clone(mlir::IntegerType::get(type.getContext(), 16));
}

bool takesWholeBytes(mlir::Type element) {
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
}

/// Tensors are aligned to their elements.
unsigned alignmentOf(mlir::VectorType type) {
  return type.getElementType().getIntOrFloatBitWidth() / 8;
}

template <class Op> struct AccessPattern : mlir::ConvertOpToLLVMPattern<Op> {
  using Adaptor = typename Op::Adaptor;

  explicit AccessPattern(const mlir::LLVMTypeConverter &converter)
      : mlir::ConvertOpToLLVMPattern<Op>(converter, /*benefit=*/2) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::VectorType type = op.getVectorType();
    if (type.getRank() != 1 || !takesWholeBytes(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "not a row of numbers");
    Value address =
        this->getStridedElementPtr(rewriter, op.getLoc(), op.getMemRefType(),
                                   adaptor.getBase(), adaptor.getIndices());
    emit(op, adaptor, address, typeInMemory(type), rewriter);
    return mlir::success();
  }

  virtual void emit(Op op, Adaptor adaptor, Value address,
                    mlir::VectorType inMemory,
                    mlir::ConversionPatternRewriter &rewriter) const = 0;

  static Value cast(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Type type, Value value) {
    return value.getType() == type
               ? value
               : LLVM::BitcastOp::create(builder, loc, type, value);
  }
};

struct LowerLoad : AccessPattern<mlir::vector::LoadOp> {
  using AccessPattern::AccessPattern;
  void emit(mlir::vector::LoadOp op, Adaptor, Value address,
            mlir::VectorType inMemory,
            mlir::ConversionPatternRewriter &rewriter) const override {
    Value loaded =
        LLVM::LoadOp::create(rewriter, op.getLoc(), inMemory, address,
                             static_cast<unsigned>(op.getAlignment().value_or(
                                 alignmentOf(inMemory))),
                             /*isVolatile=*/false, op.getNontemporal());
    rewriter.replaceOp(op, cast(rewriter, op.getLoc(),
                                typeInRegisters(op.getVectorType()), loaded));
  }
};

struct LowerStore : AccessPattern<mlir::vector::StoreOp> {
  using AccessPattern::AccessPattern;
  void emit(mlir::vector::StoreOp op, Adaptor adaptor, Value address,
            mlir::VectorType inMemory,
            mlir::ConversionPatternRewriter &rewriter) const override {
    Value value =
        cast(rewriter, op.getLoc(), inMemory, adaptor.getValueToStore());
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
        op, value, address,
        static_cast<unsigned>(
            op.getAlignment().value_or(alignmentOf(inMemory))),
        /*isVolatile=*/false, op.getNontemporal());
  }
};

struct LowerMaskedLoad : AccessPattern<mlir::vector::MaskedLoadOp> {
  using AccessPattern::AccessPattern;
  void emit(mlir::vector::MaskedLoadOp op, Adaptor adaptor, Value address,
            mlir::VectorType inMemory,
            mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::Location loc = op.getLoc();
    Value rest = cast(rewriter, loc, inMemory, adaptor.getPassThru());
    Value loaded = LLVM::MaskedLoadOp::create(rewriter, loc, inMemory, address,
                                              adaptor.getMask(), rest,
                                              alignmentOf(inMemory));
    rewriter.replaceOp(
        op, cast(rewriter, loc, typeInRegisters(op.getVectorType()), loaded));
  }
};

struct LowerMaskedStore : AccessPattern<mlir::vector::MaskedStoreOp> {
  using AccessPattern::AccessPattern;
  void emit(mlir::vector::MaskedStoreOp op, Adaptor adaptor, Value address,
            mlir::VectorType inMemory,
            mlir::ConversionPatternRewriter &rewriter) const override {
    Value value =
        cast(rewriter, op.getLoc(), inMemory, adaptor.getValueToStore());
    rewriter.replaceOpWithNewOp<LLVM::MaskedStoreOp>(
        op, value, address, adaptor.getMask(), alignmentOf(inMemory));
  }
};

} // namespace

void populateVectorAccessPatterns(const mlir::LLVMTypeConverter &converter,
                                  mlir::RewritePatternSet &patterns) {
  patterns.add<LowerLoad, LowerStore, LowerMaskedLoad, LowerMaskedStore>(
      converter);
}

} // namespace lintel::ir
