// Products of integers of 8 bits, four in a lane.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/QuadProducts.h"

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

class QuadProducts : public ProductStep {
public:
  using ProductStep::ProductStep;

protected:
  Value loadQuads(Value view, mlir::ValueRange at, Value mask) {
    return loadVector(view, at, /*perLane=*/4, mask);
  }

  /// One i32 a lane.
  Value splatQuad(Value view, mlir::ValueRange at) {
    return splat(left ? restAt(view, at) : loadBits(view, at, 4));
  }

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

  /// One to three elements, the last of them again in place of what is missing:
  /// B is padded with zeros, so that any number will do that stands in the row.
  Value restAt(Value view, mlir::ValueRange at) {
    IndexMath math(builder, loc);
    mlir::Type i32 = builder.getI32Type();
    Value last = math.sub(left, math.constant(1));
    Value quad;
    for (int64_t i = 0; i < 3; ++i) {
      llvm::SmallVector<Value> place(at);
      place.back() = math.add(place.back(), math.min(math.constant(i), last));
      Value byte =
          arith::ExtUIOp::create(builder, loc, i32, loadBits(view, place, 1));
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
};

/// Products of unsigned integers and signed ones.
class UnsignedQuads : public QuadProducts {
public:
  using QuadProducts::QuadProducts;

  Parts loadB(Value view, mlir::ValueRange at, Value mask) override {
    return {loadQuads(view, at, mask)};
  }
  Parts loadA(Value view, mlir::ValueRange at, Value mask) override {
    return {asUnsigned(loadQuads(view, at, mask), isSigned(view))};
  }
  Parts splatA(Value view, mlir::ValueRange at) override {
    return {asUnsigned(splatQuad(view, at), isSigned(view))};
  }

private:
  /// Flipping the sign bit adds 128.
  Value asUnsigned(Value quads, bool flips) {
    Value bytes = reinterpret(quads, vectorOf(element, 4));
    return flips ? arith::XOrIOp::create(builder, loc, bytes,
                                         constant(vectorOf(element, 4), 128))
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
    return target.isa == IsaLevel::avx512 ? "llvm.x86.avx512.vpdpbusd.512"
                                          : "llvm.x86.avx512.vpdpbusd.256";
  }
};

/// Any CPU: products of pairs of 16 bits, which do not saturate as those of
/// pairs of 8 bits do. The even elements of the quads are one part, the odd
/// ones another.
class WidenedQuads : public QuadProducts {
public:
  using QuadProducts::QuadProducts;

  Parts loadB(Value view, mlir::ValueRange at, Value mask) override {
    return halves(loadQuads(view, at, mask), /*areSigned=*/true);
  }
  Parts loadA(Value view, mlir::ValueRange at, Value mask) override {
    return halves(loadQuads(view, at, mask), isSigned(view));
  }
  Parts splatA(Value view, mlir::ValueRange at) override {
    const bool isWidened =
        mlir::getElementTypeOrSelf(view.getType()).isInteger(16);
    return isWidened ? splatHalves(view, at)
                     : halves(splatQuad(view, at), isSigned(view));
  }

  size_t parts() const override { return 2; }

protected:
  Value multiplyAdd(Value x, Value y, Value sum) override {
    return arith::AddIOp::create(builder, loc, sum, multiplyPairs(x, y));
  }

private:
  Parts halves(Value quads, bool areSigned) {
    const WidenedHalves widened =
        widenHalves(builder, loc, reinterpret(quads, pairType()), areSigned);
    return {widened.even, widened.odd};
  }

  /// Of a row that was widened as it was packed, where they stand one after the
  /// other. What is missing at the end of K meets zeros of B.
  Parts splatHalves(Value view, mlir::ValueRange at) {
    IndexMath math(builder, loc);
    llvm::SmallVector<Value> place(at);
    Value even = splat(loadBits(view, place, 2));
    place.back() = math.add(place.back(), math.constant(2));
    Value odd = splat(loadBits(view, place, 2));
    return {reinterpret(even, pairType()), reinterpret(odd, pairType())};
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
    return target.isa == IsaLevel::avx512 ? "llvm.x86.avx512.pmaddubs.w.512"
                                          : "llvm.x86.avx2.pmadd.ub.sw";
  }
};

} // namespace

WidenedHalves widenHalves(mlir::OpBuilder &builder, mlir::Location loc,
                          Value bytes, bool areSigned) {
  auto type = llvm::cast<mlir::VectorType>(bytes.getType());
  const auto constant = [&](uint64_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        mlir::DenseElementsAttr::get(type, llvm::APInt(16, value)));
  };
  Value eight = constant(8);
  if (!areSigned)
    return {arith::AndIOp::create(builder, loc, bytes, constant(255)),
            arith::ShRUIOp::create(builder, loc, bytes, eight)};
  Value raised = arith::ShLIOp::create(builder, loc, bytes, eight);
  return {arith::ShRSIOp::create(builder, loc, raised, eight),
          arith::ShRSIOp::create(builder, loc, bytes, eight)};
}

std::unique_ptr<ProductStep>
createQuadProducts(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Type element, const Target &target,
                   Accumulate accumulate, Value left) {
  if (accumulate == Accumulate::s16)
    return std::make_unique<SaturatingPairs>(builder, loc, element, target,
                                             left);
  if (target.multipliesQuads())
    return std::make_unique<DotQuads>(builder, loc, element, target, left);
  return std::make_unique<WidenedQuads>(builder, loc, element, target, left);
}

} // namespace lintel::ir
