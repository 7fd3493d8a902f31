// Conversions of f16 for CPUs that have no instructions for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/HalfPrecision.h"

#include "Transforms/IntegerConstant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace lintel::ir {
namespace {

using mlir::Value;
namespace arith = mlir::arith;

// Bits of f32.
constexpr uint32_t kInfinity = 0x7f800000;
constexpr uint32_t kMagnitude = 0x7fffffff;
/// Of the fraction, f16 keeps all but these.
constexpr int kLostBits = 23 - 10;
/// What the exponents of f32 exceed those of f16 by.
constexpr int kBiasGap = 127 - 15;
/// 2^112, which moves an f16's exponent to where f32 has it.
constexpr uint32_t kRebias = uint32_t(127 + kBiasGap) << 23;
/// 2^16, the least magnitude that has the exponent of f16's infinity, and
/// 2^-14, the least that f16 has in full precision.
constexpr uint32_t kTooLarge = uint32_t(127 + 16) << 23;
constexpr uint32_t kLeastNormal = uint32_t(127 - 14) << 23;
/// 2^-1, one in whose last place is f16's least denormal.
constexpr uint32_t kDenormalUnit = uint32_t(127 - 24 + 23) << 23;

/// Integer arithmetic on the bits of floats, or of vectors of them.
class Bits {
public:
  Bits(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type like)
      : builder(builder), loc(loc), like(like) {}

  mlir::Type typeOf(mlir::Type element) { return typeLike(like, element); }
  Value constant(uint32_t value) {
    return integerConstant(builder, loc, like, static_cast<int32_t>(value));
  }
  Value cast(Value value, mlir::Type element) {
    return arith::BitcastOp::create(builder, loc, typeOf(element), value);
  }
  Value integer(Value value) { return cast(value, builder.getI32Type()); }
  Value single(Value value) { return cast(value, builder.getF32Type()); }
  Value both(Value a, uint32_t b) {
    return arith::AndIOp::create(builder, loc, a, constant(b));
  }
  Value either(Value a, Value b) {
    return arith::OrIOp::create(builder, loc, a, b);
  }
  Value left(Value a, uint32_t bits) {
    return arith::ShLIOp::create(builder, loc, a, constant(bits));
  }
  Value right(Value a, uint32_t bits) {
    return arith::ShRUIOp::create(builder, loc, a, constant(bits));
  }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  /// a > b, of magnitudes.
  Value exceeds(Value a, uint32_t b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, a,
                                 constant(b));
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type like;
};

bool isElement(Value value, bool (mlir::Type::*is)() const) {
  return (mlir::getElementTypeOrSelf(value.getType()).*is)();
}

struct ExpandWidening : mlir::OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(arith::ExtFOp op,
                  mlir::PatternRewriter &rewriter) const override {
    if (!isElement(op.getIn(), &mlir::Type::isF16) ||
        !isElement(op.getResult(), &mlir::Type::isF32))
      return rewriter.notifyMatchFailure(op, "not from f16 to f32");
    rewriter.replaceOp(op, widenHalf(rewriter, op.getLoc(), op.getIn()));
    return mlir::success();
  }
};

struct ExpandNarrowing : mlir::OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(arith::TruncFOp op,
                  mlir::PatternRewriter &rewriter) const override {
    if (!isElement(op.getIn(), &mlir::Type::isF32) ||
        !isElement(op.getResult(), &mlir::Type::isF16) || op.getRoundingmode())
      return rewriter.notifyMatchFailure(op, "not from f32 to nearest f16");
    rewriter.replaceOp(op, narrowToHalf(rewriter, op.getLoc(), op.getIn()));
    return mlir::success();
  }
};

} // namespace

/// Multiplying by 2^112 rebiases the exponent, of denormals too; infinities and
/// NaN still lack the upper bits of theirs.
Value widenHalf(mlir::OpBuilder &builder, mlir::Location loc, Value half) {
  Bits bits(builder, loc, half.getType());
  Value raw =
      arith::ExtUIOp::create(builder, loc, bits.typeOf(builder.getI32Type()),
                             bits.cast(half, builder.getI16Type()));
  Value magnitude = bits.left(bits.both(raw, 0x7fff), kLostBits);
  Value sign = bits.left(bits.both(raw, 0x8000), 16);
  Value finite =
      bits.integer(arith::MulFOp::create(builder, loc, bits.single(magnitude),
                                         bits.single(bits.constant(kRebias))));
  Value special = bits.exceeds(magnitude, (0x7c00 << kLostBits) - 1);
  Value value = bits.select(
      special, bits.either(finite, bits.constant(kInfinity)), finite);
  return bits.single(bits.either(value, sign));
}

/// Normal numbers are rounded by adding half of what is lost less one, and the
/// last bit that stays; denormals by a float addition that leaves no more bits.
Value narrowToHalf(mlir::OpBuilder &builder, mlir::Location loc, Value single) {
  Bits bits(builder, loc, single.getType());
  Value raw = bits.integer(single);
  Value magnitude = bits.both(raw, kMagnitude);

  Value lastBit = bits.both(bits.right(magnitude, kLostBits), 1);
  constexpr uint32_t half = (1u << (kLostBits - 1)) - 1;
  Value rounded = bits.add(
      bits.add(magnitude, bits.constant(half - (uint32_t(kBiasGap) << 23))),
      lastBit);
  Value normal = bits.right(rounded, kLostBits);

  Value shifted =
      arith::AddFOp::create(builder, loc, bits.single(magnitude),
                            bits.single(bits.constant(kDenormalUnit)));
  Value denormal =
      bits.add(bits.integer(shifted), bits.constant(0u - kDenormalUnit));

  Value special = bits.select(bits.exceeds(magnitude, kInfinity),
                              bits.constant(0x7e00), bits.constant(0x7c00));
  Value value =
      bits.select(bits.exceeds(magnitude, kLeastNormal - 1), normal, denormal);
  value = bits.select(bits.exceeds(magnitude, kTooLarge - 1), special, value);
  Value sign = bits.both(bits.right(raw, 16), 0x8000);
  Value narrow =
      arith::TruncIOp::create(builder, loc, bits.typeOf(builder.getI16Type()),
                              bits.either(value, sign));
  return bits.cast(narrow, builder.getF16Type());
}

void populateHalfConversionPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandWidening, ExpandNarrowing>(patterns.getContext());
}

} // namespace lintel::ir
