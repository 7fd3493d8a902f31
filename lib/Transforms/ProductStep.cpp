// What one step of a micro-kernel's k loop reads and multiplies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/ProductStep.h"

#include "Transforms/HalfPrecision.h"
#include "Transforms/IndexMath.h"
#include "Transforms/IntegerProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

namespace lintel::ir {

using mlir::Value;
namespace arith = mlir::arith;
namespace vector = mlir::vector;

Value multiplyAdd(mlir::OpBuilder &builder, mlir::Location loc,
                  const Target &target, Value x, Value y, Value sum) {
  if (target.hasFma())
    return vector::FMAOp::create(builder, loc, x, y, sum);
  Value product = arith::MulFOp::create(builder, loc, x, y);
  return arith::AddFOp::create(builder, loc, sum, product);
}

Value addSums(mlir::OpBuilder &builder, mlir::Location loc, Value a, Value b) {
  if (mlir::getElementTypeOrSelf(a.getType()).isInteger())
    return arith::AddIOp::create(builder, loc, a, b);
  return arith::AddFOp::create(builder, loc, a, b);
}

llvm::SmallVector<Value> addChains(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::ValueRange sums, size_t chains) {
  llvm::SmallVector<Value> joined;
  for (; !sums.empty(); sums = sums.drop_front(chains)) {
    Value sum = sums.front();
    for (Value other : sums.slice(1, chains - 1))
      sum = addSums(builder, loc, sum, other);
    joined.push_back(sum);
  }
  return joined;
}

ProductStep::ProductStep(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Type element, const Target &target, Value left)
    : builder(builder), loc(loc), element(element), target(target), left(left) {
}

void ProductStep::accumulate(const Parts &a, const Parts &b,
                             llvm::MutableArrayRef<Value> sums) {
  for (auto [part, factors] : llvm::enumerate(llvm::zip(a, b))) {
    Value &sum = sums[part % sums.size()];
    sum = multiplyAdd(std::get<0>(factors), std::get<1>(factors), sum);
  }
}

Value ProductStep::multiplyAdd(Value x, Value y, Value sum) {
  return ir::multiplyAdd(builder, loc, target, x, y, sum);
}

mlir::VectorType ProductStep::vectorOf(mlir::Type type, int64_t perLane) const {
  return mlir::VectorType::get(target.lanes() * perLane, type);
}

Value ProductStep::splat(Value scalar, int64_t perLane) {
  return vector::BroadcastOp::create(
      builder, loc, vectorOf(scalar.getType(), perLane), scalar);
}

Value ProductStep::loadVector(Value view, mlir::ValueRange at, int64_t perLane,
                              Value mask) {
  mlir::VectorType type = vectorOf(
      llvm::cast<mlir::MemRefType>(view.getType()).getElementType(), perLane);
  if (!mask)
    return vector::LoadOp::create(builder, loc, type, view, at);
  // Constants are signless.
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(vectorOf(element, perLane)));
  mlir::DenseElementsAttr there;
  if (mlir::matchPattern(mask, mlir::m_Constant(&there))) {
    const int64_t count = llvm::count(there.getValues<bool>(), true);
    assert(llvm::all_of(llvm::drop_begin(there.getValues<bool>(), count),
                        [](bool is) { return !is; }) &&
           "what a constant mask leaves out is at the end");
    return reinterpret(loadPrefix(view, at, zero, count), type);
  }
  return vector::MaskedLoadOp::create(builder, loc, type, view, at, mask,
                                      reinterpret(zero, type));
}

Value ProductStep::loadPrefix(Value view, mlir::ValueRange at, Value zeros,
                              int64_t count) {
  auto type = llvm::cast<mlir::VectorType>(zeros.getType());
  const int64_t size = type.getNumElements();
  mlir::Type loaded =
      llvm::cast<mlir::MemRefType>(view.getType()).getElementType();
  IndexMath math(builder, loc);
  llvm::SmallVector<Value> place(at);
  Value all = zeros;
  int64_t done = 0;
  for (int64_t piece = size / 2; piece > 0; piece /= 2) {
    if ((count & piece) == 0)
      continue;
    Value some = reinterpret(
        vector::LoadOp::create(
            builder, loc, mlir::VectorType::get(piece, loaded), view, place),
        mlir::VectorType::get(piece, element));
    llvm::SmallVector<int64_t> widened(size, vector::ShuffleOp::kPoisonIndex);
    llvm::SmallVector<int64_t> merged(llvm::to_vector(llvm::seq(size)));
    for (int64_t i = 0; i < piece; ++i) {
      widened[i] = i;
      merged[done + i] = size + i;
    }
    Value wide = vector::ShuffleOp::create(builder, loc, some, some, widened);
    all = vector::ShuffleOp::create(builder, loc, all, wide, merged);
    place.back() = math.add(place.back(), math.constant(piece));
    done += piece;
  }
  return all;
}

Value ProductStep::loadBits(Value view, mlir::ValueRange at, int64_t count) {
  mlir::Type loaded =
      llvm::cast<mlir::MemRefType>(view.getType()).getElementType();
  Value elements = vector::LoadOp::create(
      builder, loc, mlir::VectorType::get(count, loaded), view, at);
  mlir::Type integer = builder.getIntegerType(static_cast<unsigned>(count) *
                                              loaded.getIntOrFloatBitWidth());
  return vector::ExtractOp::create(
      builder, loc, reinterpret(elements, mlir::VectorType::get(1, integer)),
      int64_t(0));
}

Value ProductStep::loadSingle(Value view, mlir::ValueRange at, unsigned bits) {
  return arith::ExtUIOp::create(builder, loc, builder.getIntegerType(bits),
                                loadBits(view, at, 1));
}

Value ProductStep::reinterpret(Value vector, mlir::VectorType type) {
  if (vector.getType() == type)
    return vector;
  return vector::BitCastOp::create(builder, loc, type, vector);
}

namespace {

/// One element a lane, multiplied in f32: f32 as it is, f16 widened.
class SingleProducts : public ProductStep {
public:
  using ProductStep::ProductStep;

  Parts loadB(Value view, mlir::ValueRange at, Value mask) override {
    return {widened(loadVector(view, at, /*perLane=*/1, mask))};
  }

  /// Widened when it is in every lane: broadcasting a narrow element from
  /// memory takes one instruction, widening it another.
  Parts splatA(Value view, mlir::ValueRange at) override {
    return {
        widened(splat(mlir::memref::LoadOp::create(builder, loc, view, at)))};
  }

private:
  /// Packed rows are widened already.
  Value widened(Value narrow) {
    if (mlir::getElementTypeOrSelf(narrow.getType()).isF32())
      return narrow;
    if (!target.hasHalfConversions())
      return widenHalf(builder, loc, narrow);
    return arith::ExtFOp::create(builder, loc, vectorOf(builder.getF32Type()),
                                 narrow);
  }
};

/// AVX512-FP16 multiplies and adds in f16: two columns a lane.
class HalfProducts : public ProductStep {
public:
  using ProductStep::ProductStep;

  Parts loadB(Value view, mlir::ValueRange at, Value mask) override {
    return {loadVector(view, at, /*perLane=*/2, mask)};
  }
  Parts splatA(Value view, mlir::ValueRange at) override {
    return {splat(mlir::memref::LoadOp::create(builder, loc, view, at), 2)};
  }
};

/// Two elements of bf16 a lane.
class PairProducts : public ProductStep {
public:
  using ProductStep::ProductStep;

protected:
  /// One i32 a lane.
  Value loadPairs(Value view, mlir::ValueRange at, Value mask) {
    Value pairs = loadVector(view, at, /*perLane=*/2, mask);
    return reinterpret(pairs, vectorOf(builder.getI32Type()));
  }

  Value splatPairs(Value view, mlir::ValueRange at) {
    return splat(left ? loadSingle(view, at, 32) : loadBits(view, at, 2));
  }
};

/// AVX512-BF16 multiplies pairs and adds both products to a sum in f32.
class DotProducts : public PairProducts {
public:
  using PairProducts::PairProducts;

  Parts loadB(Value view, mlir::ValueRange at, Value mask) override {
    return {loadVector(view, at, /*perLane=*/2, mask)};
  }
  Parts splatA(Value view, mlir::ValueRange at) override {
    return {asPairs(splatPairs(view, at))};
  }

protected:
  Value multiplyAdd(Value x, Value y, Value sum) override {
    // LLVM does not commute the factors, and only the last one can be a
    // broadcast from memory.
    auto dot = mlir::LLVM::CallIntrinsicOp::create(
        builder, loc, sum.getType(),
        builder.getStringAttr("llvm.x86.avx512bf16.dpbf16ps.512"),
        mlir::ValueRange{sum, y, x});
    return dot.getResults();
  }

private:
  Value asPairs(Value bits) { return reinterpret(bits, vectorOf(element, 2)); }
};

/// Any CPU: a bf16 is the upper half of an f32.
class WidenedPairs : public PairProducts {
public:
  using PairProducts::PairProducts;

  Parts loadB(Value view, mlir::ValueRange at, Value mask) override {
    return widened(loadPairs(view, at, mask));
  }
  Parts splatA(Value view, mlir::ValueRange at) override {
    if (!mlir::getElementTypeOrSelf(view.getType()).isF32())
      return widened(splatPairs(view, at));
    Parts packed;
    IndexMath math(builder, loc);
    llvm::SmallVector<Value> place(at);
    while (packed.size() < parts()) {
      packed.push_back(
          splat(mlir::memref::LoadOp::create(builder, loc, view, place)));
      place.back() = math.add(place.back(), math.constant(1));
    }
    return packed;
  }
  size_t parts() const override { return left ? 1 : 2; }

private:
  Parts widened(Value pairs) {
    if (left)
      return {first(pairs)};
    return {first(pairs), second(pairs)};
  }

  Value first(Value pairs) {
    return asFloats(arith::ShLIOp::create(builder, loc, pairs, integers(16)));
  }
  Value second(Value pairs) {
    return asFloats(arith::AndIOp::create(
        builder, loc, pairs, integers(static_cast<int32_t>(0xffff0000))));
  }

  Value integers(int32_t value) {
    mlir::VectorType type = vectorOf(builder.getI32Type());
    return arith::ConstantOp::create(
        builder, loc,
        mlir::DenseElementsAttr::get(
            type,
            llvm::cast<mlir::Attribute>(builder.getI32IntegerAttr(value))));
  }
  Value asFloats(Value bits) {
    return reinterpret(bits, vectorOf(builder.getF32Type()));
  }
};

} // namespace

std::unique_ptr<ProductStep>
ProductStep::create(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Type element, const Target &target,
                    Accumulate accumulate, Value left) {
  if (element.isInteger())
    return createIntegerProducts(builder, loc, element, target, accumulate,
                                 left);
  if (accumulate == Accumulate::f16)
    return std::make_unique<HalfProducts>(builder, loc, element, target, left);
  if (!element.isBF16())
    return std::make_unique<SingleProducts>(builder, loc, element, target,
                                            left);
  if (target.has(Extension::avx512Bf16))
    return std::make_unique<DotProducts>(builder, loc, element, target, left);
  return std::make_unique<WidenedPairs>(builder, loc, element, target, left);
}

} // namespace lintel::ir
