// Products of integers of 8 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/IntegerProducts.h"

#include "Transforms/IndexMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace lintel::ir {
namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace vector = mlir::vector;

class IntegerProducts : public ProductStep {
public:
  using ProductStep::ProductStep;

protected:
  static bool isSigned(Value view) {
    return llvm::cast<mlir::MemRefType>(view.getType())
        .getElementType()
        .isSignlessInteger();
  }

  Value constant(mlir::VectorType type, int64_t value) {
    const llvm::APInt bits(type.getElementTypeBitWidth(),
                           static_cast<uint64_t>(value));
    return arith::ConstantOp::create(builder, loc,
                                     mlir::DenseElementsAttr::get(type, bits));
  }

  Value call(llvm::StringRef intrinsic, mlir::Type result,
             mlir::ValueRange operands) {
    return mlir::LLVM::CallIntrinsicOp::create(
               builder, loc, result, builder.getStringAttr(intrinsic), operands)
        .getResults();
  }

  /// Multiplies words, and adds the two products of each lane.
  Value multiplyPairs(Value x, Value y) {
    return call(intrinsicOfPairs(), vectorOf(builder.getI32Type()), {x, y});
  }
  mlir::VectorType pairType() { return vectorOf(builder.getI16Type(), 2); }

private:
  llvm::StringRef intrinsicOfPairs() const {
    switch (target.isa) {
    case IsaLevel::avx512:
      return "llvm.x86.avx512.pmaddw.d.512";
    case IsaLevel::avx2:
      return "llvm.x86.avx2.pmadd.wd";
    case IsaLevel::x86_64:
      break;
    }
    return "llvm.x86.sse2.pmadd.wd";
  }
};

/// Four unsigned integers and four signed ones a lane.
class UnsignedQuads : public IntegerProducts {
public:
  using IntegerProducts::IntegerProducts;

  Parts loadB(Value view, mlir::ValueRange at, Value mask) override {
    return {loadVector(view, at, kQuad, mask)};
  }
  Parts loadA(Value view, mlir::ValueRange at, Value mask) override {
    return {asUnsigned(loadVector(view, at, kQuad, mask), isSigned(view))};
  }
  Parts splatA(Value view, mlir::ValueRange at) override {
    Value quad = left ? restAt(view, at) : loadBits(view, at, kQuad);
    return {asUnsigned(splat(quad), isSigned(view))};
  }

private:
  static constexpr int64_t kQuad = 4;

  /// One to three elements, the last of them again in place of what is missing:
  /// B is padded with zeros, so that any number will do that stands in the row.
  Value restAt(Value view, mlir::ValueRange at) {
    IndexMath math(builder, loc);
    Value last = math.sub(left, math.constant(1));
    Value quad;
    for (int64_t i = 0; i < 3; ++i) {
      llvm::SmallVector<Value> place(at);
      place.back() = math.add(place.back(), math.min(math.constant(i), last));
      Value byte = loadSingle(view, place, 32);
      if (!quad) {
        quad = byte;
        continue;
      }
      Value shift = arith::ConstantOp::create(
          builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(8 * i)));
      byte = arith::ShLIOp::create(builder, loc, byte, shift);
      quad = arith::OrIOp::create(builder, loc, quad, byte);
    }
    return quad;
  }

  /// Flipping the sign bit adds 128.
  Value asUnsigned(Value quads, bool flips) {
    Value bytes = reinterpret(quads, vectorOf(element, kQuad));
    return flips
               ? arith::XOrIOp::create(builder, loc, bytes,
                                       constant(vectorOf(element, kQuad), 128))
               : bytes;
  }
};

/// AVX512-VNNI and AVX-VNNI add four products to a sum.
class DotQuads : public UnsignedQuads {
public:
  using UnsignedQuads::UnsignedQuads;

protected:
  Value multiplyAdd(Value x, Value y, Value sum) override {
    return call(intrinsic(), sum.getType(), {sum, x, y});
  }

private:
  llvm::StringRef intrinsic() const {
    return target.isa >= IsaLevel::avx512 ? "llvm.x86.avx512.vpdpbusd.512"
                                          : "llvm.x86.avx512.vpdpbusd.256";
  }
};

/// Any CPU: two elements a lane, widened to 16 bits, whose products do not
/// saturate when they are added. Widening a vector as it is loaded takes one
/// instruction from SSE4.1 on.
class WidenedBytes : public IntegerProducts {
public:
  using IntegerProducts::IntegerProducts;

  Parts loadB(Value view, mlir::ValueRange at, Value mask) override {
    return {widened(loadVector(view, at, kPair, mask), /*areSigned=*/true)};
  }
  Parts loadA(Value view, mlir::ValueRange at, Value mask) override {
    return {widened(loadVector(view, at, kPair, mask), isSigned(view))};
  }
  Parts splatA(Value view, mlir::ValueRange at) override {
    const bool isPacked =
        mlir::getElementTypeOrSelf(view.getType()).isInteger(16);
    // What is missing of a packed pair meets zeros of B.
    if (isPacked)
      return {reinterpret(splat(loadBits(view, at, kPair)), pairType())};
    return {widened(
        splat(left ? loadSingle(view, at, 16) : loadBits(view, at, kPair)),
        isSigned(view))};
  }

protected:
  Value multiplyAdd(Value x, Value y, Value sum) override {
    return arith::AddIOp::create(builder, loc, sum, multiplyPairs(x, y));
  }

private:
  static constexpr int64_t kPair = 2;

  Value widened(Value bytes, bool areSigned) {
    bytes = reinterpret(bytes, vectorOf(element, kPair));
    if (areSigned)
      return arith::ExtSIOp::create(builder, loc, pairType(), bytes);
    return arith::ExtUIOp::create(builder, loc, pairType(), bytes);
  }
};

/// AVX2 and AVX512-BW add pairs of products in 16 bits, which saturate.
/// Multiplied by ones, the two pairs of a lane are added in 32.
class SaturatingPairs : public UnsignedQuads {
public:
  using UnsignedQuads::UnsignedQuads;

protected:
  Value multiplyAdd(Value x, Value y, Value sum) override {
    Value pairs = call(intrinsic(), pairType(), {x, y});
    return arith::AddIOp::create(builder, loc, sum,
                                 multiplyPairs(pairs, constant(pairType(), 1)));
  }

private:
  llvm::StringRef intrinsic() const {
    return target.isa >= IsaLevel::avx512 ? "llvm.x86.avx512.pmaddubs.w.512"
                                          : "llvm.x86.avx2.pmadd.ub.sw";
  }
};

} // namespace

std::unique_ptr<ProductStep>
createIntegerProducts(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Type element, const Target &target,
                      Accumulate accumulate, Value left) {
  if (accumulate == Accumulate::s16)
    return std::make_unique<SaturatingPairs>(builder, loc, element, target,
                                             left);
  if (target.multipliesQuads())
    return std::make_unique<DotQuads>(builder, loc, element, target, left);
  return std::make_unique<WidenedBytes>(builder, loc, element, target, left);
}

} // namespace lintel::ir
