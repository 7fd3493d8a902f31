// lintel-to-llvm: everything left becomes the LLVM dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lintel/KernelABI.h"
#include "Lintel/LintelDialect.h"
#include "Tmm/TmmDialect.h"
#include "Transforms/BFloat16Bits.h"
#include "Transforms/ElementsInMemory.h"
#include "Transforms/KernelForm.h"
#include "Transforms/MemoryAccess.h"
#include "Transforms/ModuleTarget.h"
#include "Transforms/Passes.h"
#include "Transforms/RotatedLoops.h"
#include "Transforms/ScalarPatterns.h"
#include "Transforms/VectorLength.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

#include <cstddef>

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELTOLLVM
#include "Transforms/Passes.h.inc"

namespace {

namespace LLVM = mlir::LLVM;

/// Where a field stands: in KernelArgs, or in a table that KernelArgs points
/// to.
struct FieldPlace {
  size_t offset;    ///< bytes into KernelArgs
  bool inTable;     ///< follow the pointer there, to element `position`
  size_t subOffset; ///< bytes into KernelTensor
};

FieldPlace placeOf(KernelField field) {
  auto direct = [](size_t offset) { return FieldPlace{offset, false, 0}; };
  switch (field) {
  case KernelField::x:
    return direct(offsetof(KernelArgs, x));
  case KernelField::ldx:
    return direct(offsetof(KernelArgs, ldx));
  case KernelField::w:
    return direct(offsetof(KernelArgs, w));
  case KernelField::m:
    return direct(offsetof(KernelArgs, m));
  case KernelField::mc:
    return direct(offsetof(KernelArgs, mc));
  case KernelField::nc:
    return direct(offsetof(KernelArgs, nc));
  case KernelField::kc:
    return direct(offsetof(KernelArgs, kc));
  case KernelField::grid_m:
    return direct(offsetof(KernelArgs, gridM));
  case KernelField::grid_n:
    return direct(offsetof(KernelArgs, gridN));
  case KernelField::grid_k:
    return direct(offsetof(KernelArgs, gridK));
  case KernelField::phase:
    return direct(offsetof(KernelArgs, phase));
  case KernelField::block_order:
    return direct(offsetof(KernelArgs, blockOrder));
  case KernelField::tile_order:
    return direct(offsetof(KernelArgs, tileOrder));
  case KernelField::same_rows:
    return direct(offsetof(KernelArgs, sameRows));
  case KernelField::workspace:
    return direct(offsetof(KernelArgs, workspace));
  case KernelField::workspace_stride:
    return direct(offsetof(KernelArgs, workspaceStride));
  case KernelField::partials:
    return direct(offsetof(KernelArgs, partials));
  case KernelField::column_sums:
    return direct(offsetof(KernelArgs, columnSums));
  case KernelField::row_sums:
    return direct(offsetof(KernelArgs, rowSums));
  case KernelField::output:
    return {offsetof(KernelArgs, outputs), true, offsetof(KernelTensor, data)};
  case KernelField::output_stride:
    return {offsetof(KernelArgs, outputs), true,
            offsetof(KernelTensor, stride)};
  case KernelField::operand:
    return {offsetof(KernelArgs, operands), true, offsetof(KernelTensor, data)};
  case KernelField::operand_stride:
    return {offsetof(KernelArgs, operands), true,
            offsetof(KernelTensor, stride)};
  }
  llvm_unreachable("every field has a place");
}

struct LowerKernelArg : mlir::ConvertOpToLLVMPattern<KernelArgOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  mlir::LogicalResult
  matchAndRewrite(KernelArgOp op, OpAdaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::Location loc = op.getLoc();
    FieldPlace place = placeOf(op.getField());
    auto pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    mlir::Value base = adaptor.getArgs();
    size_t offset = place.offset;
    if (place.inTable) {
      base = LLVM::LoadOp::create(rewriter, loc, pointer,
                                  at(rewriter, loc, base, offset));
      offset = op.getPosition() * sizeof(KernelTensor) + place.subOffset;
    }
    mlir::Value address = at(rewriter, loc, base, offset);
    auto memref = llvm::dyn_cast<mlir::MemRefType>(op.getType());
    if (!memref) {
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, getIndexType(), address);
      return mlir::success();
    }
    mlir::Value data = LLVM::LoadOp::create(rewriter, loc, pointer, address);
    rewriter.replaceOp(op,
                       mlir::Value(mlir::MemRefDescriptor::fromStaticShape(
                           rewriter, loc, *getTypeConverter(), memref, data)));
    return mlir::success();
  }

  static mlir::Value at(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value base, size_t offset) {
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    return LLVM::GEPOp::create(
        builder, loc, pointer, builder.getI8Type(), base,
        llvm::ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)},
        LLVM::GEPNoWrapFlags::inbounds);
  }
};

struct ToLLVMPass : impl::LintelToLLVMBase<ToLLVMPass> {
  void runOnOperation() override {
    if (mlir::failed(checkStage()))
      return signalPassFailure();
    // A conversion goes along branches, and would leave them as they are. There
    // may be none.
    mlir::IRRewriter rewriter(&getContext());
    (void)mlir::eraseUnreachableBlocks(rewriter, getOperation()->getRegions());
    getOperation().walk(
        [&](mlir::func::FuncOp function) { prepare(function); });
    // What stands inside comes first: each module has its own target.
    auto walked = getOperation().walk([&](mlir::ModuleOp module) {
      return mlir::WalkResult(convert(module));
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    getOperation().walk(
        [](mlir::ModuleOp module) { module->removeAttr(kTargetAttribute); });
    eraseUnread(getOperation());
    if (mlir::failed(checkTypes()))
      signalPassFailure();
  }

  mlir::LogicalResult convert(mlir::ModuleOp module) {
    mlir::MLIRContext *context = &getContext();
    mlir::LLVMTypeConverter converter(context);
    converter.addConversion(
        [&](KernelArgsType) { return LLVM::LLVMPointerType::get(context); });
    mlir::RewritePatternSet patterns(context);
    populate(converter, patterns);
    TargetAttr cpu = targetAttrOf(module);
    if (cpu && !cpu.getValue().has(Extension::avx512Bf16)) {
      if (mlir::failed(checkBFloat16Bits(module, cpu.getValue())))
        return mlir::failure();
      populateBFloat16Bits(converter, patterns);
    }

    mlir::LLVMConversionTarget target(*context);
    target.addLegalOp<mlir::ModuleOp>();
    mlir::ConversionConfig config;
    // LLVM folds what there is to fold; operations that have no lowering are
    // refused though they might fold to nothing.
    config.foldingMode = mlir::DialectConversionFoldingMode::Never;
    // To be able to take patterns back costs a fifth of the conversion.
    config.allowPatternRollback = !isOfKernelForm(module);
    return mlir::applyFullConversion(module, target, std::move(patterns),
                                     config);
  }

  static void populate(mlir::LLVMTypeConverter &converter,
                       mlir::RewritePatternSet &patterns) {
    mlir::populateSCFToControlFlowConversionPatterns(patterns);
    mlir::cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    mlir::arith::populateArithToLLVMConversionPatterns(converter, patterns);
    mlir::populateMathToLLVMConversionPatterns(converter, patterns);
    mlir::populateVectorToLLVMConversionPatterns(converter, patterns);
    mlir::populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    mlir::populateFuncToLLVMConversionPatterns(converter, patterns);
    mlir::ub::populateUBToLLVMConversionPatterns(converter, patterns);
    populateMemoryAccessPatterns(converter, patterns);
    populateScalarPatterns(converter, patterns);
    populateRotatedLoops(patterns);
    patterns.add<LowerKernelArg>(converter);
  }

  mlir::LogicalResult checkStage() {
    auto walked = getOperation().walk([](mlir::Operation *op) {
      if (llvm::isa_and_present<tmm::TmmDialect>(op->getDialect())) {
        op->emitOpError("is not lowered; run lintel-lower-tmm before "
                        "lintel-to-llvm");
        return mlir::WalkResult::interrupt();
      }
      if (!llvm::isa<LinearOp, PackOp, MicrokernelOp, ApplyEpilogueOp>(op))
        return mlir::WalkResult(mlir::failure(
            failed(checkSignature(op)) || failed(checkPassthrough(op)) ||
            failed(checkElementsInMemory(op)) || failed(checkSizes(op))));
      op->emitOpError("is not lowered; run lintel-tile and "
                      "lintel-lower-microkernel before lintel-to-llvm");
      return mlir::WalkResult::interrupt();
    });
    return mlir::failure(walked.wasInterrupted());
  }

  /// lintel-tile leaves functions alone that hold no layer.
  static mlir::LogicalResult checkSignature(mlir::Operation *op) {
    auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
    if (!function || !(llvm::any_of(function.getArgumentTypes(),
                                    llvm::IsaPred<mlir::TensorType>) ||
                       llvm::any_of(function.getResultTypes(),
                                    llvm::IsaPred<mlir::TensorType>)))
      return mlir::success();
    return op->emitOpError("takes or returns tensors and holds no "
                           "lintel.linear, which lintel-tile would have made "
                           "a kernel of");
  }

  /// What else it is, LLVM's translation checks.
  static mlir::LogicalResult checkPassthrough(mlir::Operation *op) {
    mlir::Attribute given = op->getDiscardableAttr("passthrough");
    if (!given || llvm::isa<mlir::ArrayAttr>(given) ||
        !llvm::isa<mlir::func::FuncOp>(op))
      return mlir::success();
    return op->emitOpError("has 'passthrough' = ")
           << given << "; it is an array of LLVM's attributes";
  }

  /// Whether it holds an integer without bits, which LLVM does not have.
  static bool lacksBits(mlir::Type type) {
    if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type))
      return lacksBits(shaped.getElementType());
    if (auto function = llvm::dyn_cast<mlir::FunctionType>(type))
      return llvm::any_of(function.getInputs(), lacksBits) ||
             llvm::any_of(function.getResults(), lacksBits);
    return type.isInteger(0);
  }

  /// All types that a conversion would go by.
  static llvm::SmallVector<mlir::Type> typesOf(mlir::Operation *op) {
    llvm::SmallVector<mlir::Type> types(op->getResultTypes());
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        llvm::append_range(types, block.getArgumentTypes());
    if (auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op))
      types.push_back(function.getFunctionType());
    if (auto global = llvm::dyn_cast<mlir::memref::GlobalOp>(op))
      types.push_back(global.getType());
    return types;
  }

  /// Patterns make an operation or an index of each element of some vectors,
  /// and memory ends before what a type may say. Nor do they look for integers
  /// that LLVM does not have.
  static mlir::LogicalResult checkSizes(mlir::Operation *op) {
    for (mlir::Type type : typesOf(op)) {
      if (lacksBits(type))
        return op->emitOpError("has ")
               << type << "; LLVM's integers have at least one bit";
      if (auto vector = llvm::dyn_cast<mlir::VectorType>(type);
          vector && isLongerThan(kMostVectorBytes, vector))
        return op->emitOpError("has the vector ")
               << vector << "; vectors of up to " << kMostVectorBytes
               << " bytes are converted";
    }
    return mlir::success();
  }

  /// Of an earlier conversion, which stopped at what this one converts, or of
  /// this one beside an earlier one: most undo each other.
  void cancelCasts() {
    llvm::SmallVector<mlir::UnrealizedConversionCastOp> casts;
    getOperation().walk(
        [&](mlir::UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    mlir::reconcileUnrealizedCasts(casts);
  }

  /// Operations that were of the LLVM dialect before keep their types, and are
  /// of no use where what they work on has another: MLIR leaves casts.
  mlir::LogicalResult checkTypes() {
    cancelCasts();
    auto walked = getOperation().walk([](mlir::UnrealizedConversionCastOp
                                             cast) {
      mlir::Operation *user = cast;
      while (llvm::isa<mlir::UnrealizedConversionCastOp>(user) &&
             !user->use_empty())
        user = *user->user_begin();
      user->emitOpError("takes ")
          << cast.getResultTypes() << ", where lintel-to-llvm has "
          << cast.getOperandTypes()
          << " for it; use operations of the dialects arith, math and vector";
      return mlir::WalkResult::interrupt();
    });
    return mlir::failure(walked.wasInterrupted());
  }

  /// Private functions leave no symbol; no function leaves a misaligned spill
  /// slot. What lintel-tile asked of a function is kept.
  void prepare(mlir::func::FuncOp function) {
    if (function.isDeclaration())
      return; // another module defines it, private though it is
    mlir::OpBuilder builder(&getContext());
    llvm::SmallSetVector<mlir::Attribute, 4> passthrough;
    passthrough.insert(builder.getStringAttr("stackrealign"));
    if (auto given = function->getAttrOfType<mlir::ArrayAttr>("passthrough"))
      passthrough.insert(given.begin(), given.end());
    if (function.isPrivate()) {
      if (!function->hasAttr("llvm.linkage"))
        function->setAttr(
            "llvm.linkage",
            LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal));
      passthrough.insert(builder.getStringAttr("noinline"));
    }
    function->setAttr("passthrough",
                      builder.getArrayAttr(passthrough.getArrayRef()));
  }
};

} // namespace
} // namespace lintel::ir
