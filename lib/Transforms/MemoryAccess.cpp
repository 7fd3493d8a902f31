// Views of memory, and what loads, stores and prefetches through them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/MemoryAccess.h"

#include "Lintel/ElementType.h"
#include "Transforms/ElementsInMemory.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <utility>

namespace lintel::ir {
namespace {

namespace LLVM = mlir::LLVM;
using mlir::Value;

/// As what a vector is loaded and stored: 16-bit floats as integers, and
/// integers without a sign.
mlir::VectorType typeInMemory(mlir::VectorType type) {
  mlir::Type element = type.getElementType();
  if (!isNarrowFloat(element))
    return type.clone(scalarOf(element));
  return type.clone(mlir::IntegerType::get(type.getContext(), 16));
}

/// Tensors are aligned to their elements.
unsigned alignmentOf(mlir::VectorType type) {
  return type.getElementType().getIntOrFloatBitWidth() / 8;
}

/// As an operation says, or else as tensors are.
template <class Access>
unsigned alignmentOf(Access op, mlir::VectorType inMemory) {
  return static_cast<unsigned>(
      op.getAlignment().value_or(alignmentOf(inMemory)));
}

/// Where the parts of a descriptor stand.
enum DescriptorPart : int64_t { alignedPointer = 1, offset = 2, strides = 4 };

/// What was put into a descriptor, without a trace of it where that is known.
Value partOf(mlir::OpBuilder &builder, mlir::Location loc, Value descriptor,
             llvm::ArrayRef<int64_t> part) {
  Value whole = descriptor;
  while (auto insert = whole.getDefiningOp<LLVM::InsertValueOp>()) {
    if (insert.getPosition() == part)
      return insert.getValue();
    whole = insert.getContainer();
  }
  return LLVM::ExtractValueOp::create(builder, loc, descriptor, part);
}

std::optional<int64_t> knownValue(Value value) {
  llvm::APInt known;
  if (value && mlir::matchPattern(value, mlir::m_ConstantInt(&known)))
    return known.getSExtValue();
  return std::nullopt;
}

/// Sums and products of indices of which some are known.
class IndexSum {
public:
  IndexSum(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type index)
      : builder(builder), loc(loc), index(index) {}

  /// Adds `value` times `times`, which is known where `timesValue` is not
  /// given.
  void add(Value value, int64_t times, Value timesValue = {}) {
    if (std::optional<int64_t> factor = knownValue(timesValue)) {
      times = *factor;
      timesValue = {};
    }
    if (std::optional<int64_t> number = knownValue(value)) {
      if (!timesValue) {
        addKnown(*number, times);
        return;
      }
      std::swap(value, timesValue);
      times = *number;
      timesValue = {};
    }
    if (times == 0 && !timesValue)
      return;
    if (timesValue || times != 1)
      value = LLVM::MulOp::create(builder, loc, value,
                                  timesValue ? timesValue : constant(times));
    unknown = unknown ? Value(LLVM::AddOp::create(builder, loc, unknown, value))
                      : value;
  }

  Value constant(int64_t value) const {
    return LLVM::ConstantOp::create(builder, loc, index,
                                    builder.getIntegerAttr(index, value));
  }

  /// Wraps around as the instruction would.
  void addKnown(int64_t value, int64_t times) {
    known = static_cast<int64_t>(static_cast<uint64_t>(known) +
                                 static_cast<uint64_t>(value) *
                                     static_cast<uint64_t>(times));
  }

  Value unknown; ///< none if all is known
  int64_t known = 0;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type index;
};

Value advanced(mlir::OpBuilder &builder, mlir::Location loc, Value pointer,
               mlir::Type element, const IndexSum &by) {
  const auto advance = [&](LLVM::GEPArg index) {
    pointer = LLVM::GEPOp::create(builder, loc, pointer.getType(), element,
                                  pointer, llvm::ArrayRef<LLVM::GEPArg>{index});
  };
  if (by.unknown)
    advance(by.unknown);
  if (by.known == 0)
    return pointer;
  // An index in the operation itself has fewer bits than an int32_t.
  constexpr unsigned kIndexBits = LLVM::kGEPConstantBitWidth;
  if (llvm::isIntN(kIndexBits, by.known))
    advance(static_cast<int32_t>(by.known));
  else
    advance(by.constant(by.known));
  return pointer;
}

/// Knows where an element of a memref is.
template <class Op> struct MemoryPattern : mlir::ConvertOpToLLVMPattern<Op> {
  using Adaptor = typename Op::Adaptor;

  explicit MemoryPattern(const mlir::LLVMTypeConverter &converter)
      : mlir::ConvertOpToLLVMPattern<Op>(converter, /*benefit=*/2) {}

  Value addressOf(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc,
                  mlir::MemRefType type, Value descriptor,
                  mlir::ValueRange indices) const {
    auto [stridesOfType, offsetOfType] = type.getStridesAndOffset();
    IndexSum sum(rewriter, loc, this->getIndexType());
    if (mlir::ShapedType::isStatic(offsetOfType))
      sum.known = offsetOfType;
    else
      sum.add(partOf(rewriter, loc, descriptor, {offset}), 1);
    for (auto [position, stride] : llvm::enumerate(stridesOfType)) {
      Value given;
      if (!mlir::ShapedType::isStatic(stride))
        given = partOf(rewriter, loc, descriptor,
                       {strides, static_cast<int64_t>(position)});
      sum.add(indices[position], stride, given);
    }
    return advanced(
        rewriter, loc, partOf(rewriter, loc, descriptor, {alignedPointer}),
        this->getTypeConverter()->convertType(type.getElementType()), sum);
  }
};

/// A view that only accesses use begins where its pointer points to. Of its
/// descriptor there is what they read.
struct LowerView : MemoryPattern<mlir::memref::ReinterpretCastOp> {
  using MemoryPattern::MemoryPattern;

  mlir::LogicalResult
  matchAndRewrite(mlir::memref::ReinterpretCastOp op, OpAdaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    auto source = llvm::dyn_cast<mlir::MemRefType>(op.getSource().getType());
    if (!source || source.getRank() != 0)
      return rewriter.notifyMatchFailure(op, "not a view of a pointer");
    // Others may ask for the pointer that was allocated.
    if (!llvm::all_of(op->getUses(), isAccess))
      return rewriter.notifyMatchFailure(op, "not for accesses alone");
    mlir::Location loc = op.getLoc();
    auto view = mlir::MemRefDescriptor::poison(
        rewriter, loc, getTypeConverter()->convertType(op.getType()));
    const auto [begin, offset] = beginOf(op, adaptor, rewriter);
    view.setAlignedPtr(rewriter, loc, begin);
    view.setOffset(
        rewriter, loc,
        createIndexAttrConstant(rewriter, loc, getIndexType(), offset));
    mlir::ValueRange operands = adaptor.getStrides();
    const auto named = op.getType().getStridesAndOffset().first;
    for (auto [i, known] : llvm::enumerate(op.getStaticStrides())) {
      Value stride;
      if (mlir::ShapedType::isDynamic(known)) {
        stride = operands.front();
        operands = operands.drop_front();
      } else if (mlir::ShapedType::isDynamic(named[i])) {
        stride = createIndexAttrConstant(rewriter, loc, getIndexType(), known);
      }
      if (stride)
        view.setStride(rewriter, loc, i, stride);
    }
    rewriter.replaceOp(op, Value(view));
    return mlir::success();
  }

private:
  /// The pointer, and the offset that is left: one that the type names is added
  /// by whoever goes by the type.
  std::pair<Value, int64_t>
  beginOf(mlir::memref::ReinterpretCastOp op, OpAdaptor adaptor,
          mlir::ConversionPatternRewriter &rewriter) const {
    mlir::Location loc = op.getLoc();
    Value pointer =
        partOf(rewriter, loc, adaptor.getSource(), {alignedPointer});
    const int64_t named = op.getType().getStridesAndOffset().second;
    if (mlir::ShapedType::isStatic(named))
      return {pointer, named};
    IndexSum by(rewriter, loc, getIndexType());
    if (adaptor.getOffsets().empty())
      by.known = op.getStaticOffsets().front();
    else
      by.add(adaptor.getOffsets().front(), 1);
    mlir::Type element =
        getTypeConverter()->convertType(op.getType().getElementType());
    return {advanced(rewriter, loc, pointer, element, by), 0};
  }

  static bool isAccess(const mlir::OpOperand &use) {
    if (auto store = llvm::dyn_cast<mlir::memref::StoreOp>(use.getOwner()))
      return store.getValue() != use.get();
    return llvm::isa<mlir::vector::LoadOp, mlir::vector::StoreOp,
                     mlir::vector::MaskedLoadOp, mlir::vector::MaskedStoreOp,
                     mlir::memref::LoadOp, mlir::memref::PrefetchOp>(
        use.getOwner());
  }
};

/// A load, a store or a prefetch of one element.
template <class Op> struct ElementPattern : MemoryPattern<Op> {
  using MemoryPattern<Op>::MemoryPattern;
  using Adaptor = typename Op::Adaptor;

  mlir::LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    emit(op, adaptor,
         this->addressOf(rewriter, op.getLoc(), op.getMemRefType(),
                         adaptor.getMemref(), adaptor.getIndices()),
         rewriter);
    return mlir::success();
  }

  virtual void emit(Op op, Adaptor adaptor, Value address,
                    mlir::ConversionPatternRewriter &rewriter) const = 0;
};

struct LowerElementLoad : ElementPattern<mlir::memref::LoadOp> {
  using ElementPattern::ElementPattern;
  void emit(mlir::memref::LoadOp op, Adaptor, Value address,
            mlir::ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(
        op, getTypeConverter()->convertType(op.getType()), address,
        static_cast<unsigned>(op.getAlignment().value_or(0)),
        /*isVolatile=*/false, op.getNontemporal());
  }
};

struct LowerElementStore : ElementPattern<mlir::memref::StoreOp> {
  using ElementPattern::ElementPattern;
  void emit(mlir::memref::StoreOp op, Adaptor adaptor, Value address,
            mlir::ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
        op, adaptor.getValue(), address,
        static_cast<unsigned>(op.getAlignment().value_or(0)),
        /*isVolatile=*/false, op.getNontemporal());
  }
};

struct LowerPrefetch : ElementPattern<mlir::memref::PrefetchOp> {
  using ElementPattern::ElementPattern;
  void emit(mlir::memref::PrefetchOp op, Adaptor, Value address,
            mlir::ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::Prefetch>(
        op, address, static_cast<uint32_t>(op.getIsWrite()),
        op.getLocalityHint(), static_cast<uint32_t>(op.getIsDataCache()));
  }
};

template <class Op> struct VectorPattern : MemoryPattern<Op> {
  using MemoryPattern<Op>::MemoryPattern;
  using Adaptor = typename Op::Adaptor;

  mlir::LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::VectorType type = op.getVectorType();
    if (type.getRank() != 1 || !isDenseInMemory(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "not a row of numbers");
    Value address = this->addressOf(rewriter, op.getLoc(), op.getMemRefType(),
                                    adaptor.getBase(), adaptor.getIndices());
    emit(op, adaptor, address, typeInMemory(type), rewriter);
    return mlir::success();
  }

  virtual void emit(Op op, Adaptor adaptor, Value address,
                    mlir::VectorType inMemory,
                    mlir::ConversionPatternRewriter &rewriter) const = 0;

  mlir::Type typeInRegisters(mlir::VectorType type) const {
    return this->getTypeConverter()->convertType(type);
  }

  static Value cast(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Type type, Value value) {
    return value.getType() == type
               ? value
               : LLVM::BitcastOp::create(builder, loc, type, value);
  }
};

struct LowerLoad : VectorPattern<mlir::vector::LoadOp> {
  using VectorPattern::VectorPattern;
  void emit(mlir::vector::LoadOp op, Adaptor, Value address,
            mlir::VectorType inMemory,
            mlir::ConversionPatternRewriter &rewriter) const override {
    Value loaded = LLVM::LoadOp::create(
        rewriter, op.getLoc(), inMemory, address, alignmentOf(op, inMemory),
        /*isVolatile=*/false, op.getNontemporal());
    rewriter.replaceOp(op, cast(rewriter, op.getLoc(),
                                typeInRegisters(op.getVectorType()), loaded));
  }
};

struct LowerStore : VectorPattern<mlir::vector::StoreOp> {
  using VectorPattern::VectorPattern;
  void emit(mlir::vector::StoreOp op, Adaptor adaptor, Value address,
            mlir::VectorType inMemory,
            mlir::ConversionPatternRewriter &rewriter) const override {
    Value value =
        cast(rewriter, op.getLoc(), inMemory, adaptor.getValueToStore());
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
        op, value, address, alignmentOf(op, inMemory),
        /*isVolatile=*/false, op.getNontemporal());
  }
};

struct LowerMaskedLoad : VectorPattern<mlir::vector::MaskedLoadOp> {
  using VectorPattern::VectorPattern;
  void emit(mlir::vector::MaskedLoadOp op, Adaptor adaptor, Value address,
            mlir::VectorType inMemory,
            mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::Location loc = op.getLoc();
    Value rest = cast(rewriter, loc, inMemory, adaptor.getPassThru());
    Value loaded = LLVM::MaskedLoadOp::create(rewriter, loc, inMemory, address,
                                              adaptor.getMask(), rest,
                                              alignmentOf(op, inMemory));
    rewriter.replaceOp(
        op, cast(rewriter, loc, typeInRegisters(op.getVectorType()), loaded));
  }
};

struct LowerMaskedStore : VectorPattern<mlir::vector::MaskedStoreOp> {
  using VectorPattern::VectorPattern;
  void emit(mlir::vector::MaskedStoreOp op, Adaptor adaptor, Value address,
            mlir::VectorType inMemory,
            mlir::ConversionPatternRewriter &rewriter) const override {
    Value value =
        cast(rewriter, op.getLoc(), inMemory, adaptor.getValueToStore());
    rewriter.replaceOpWithNewOp<LLVM::MaskedStoreOp>(
        op, value, address, adaptor.getMask(), alignmentOf(op, inMemory));
  }
};

} // namespace

void populateMemoryAccessPatterns(const mlir::LLVMTypeConverter &converter,
                                  mlir::RewritePatternSet &patterns) {
  patterns.add<LowerView, LowerElementLoad, LowerElementStore, LowerPrefetch,
               LowerLoad, LowerStore, LowerMaskedLoad, LowerMaskedStore>(
      converter);
}

void eraseUnread(mlir::ModuleOp module) {
  module.walk([](LLVM::LLVMFuncOp function) {
    for (mlir::Block &block : llvm::reverse(function.getBody()))
      for (mlir::Operation &op :
           llvm::make_early_inc_range(llvm::reverse(block)))
        if (mlir::isOpTriviallyDead(&op))
          op.erase();
  });
}

} // namespace lintel::ir
