// Rounding to integers without instructions for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/RoundingFunctions.h"

#include "Transforms/ExpandF32.h"
#include "Transforms/FloatMath.h"
#include "Transforms/IntegerConstant.h"

namespace lintel::ir {
namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

/// From here on every f32 is an integer.
constexpr double kAllWhole = 0x1p23;

/// `rounded`, which may have lost the sign of zero, with that of x, which all
/// these roundings keep. `x` itself where it is an integer for its size: there
/// the conversion behind `rounded` may have overflowed. NaN keeps its value
/// too.
Value keepSignAndLarge(FloatMath &m, Value x, Value rounded) {
  Value signedResult = m.copySign(rounded, x);
  Value small = m.compare(arith::CmpFPredicate::OLT, m.magnitude(x),
                          m.constant(kAllWhole));
  return m.select(small, signedResult, x);
}

/// x cut to an integer, by way of i32, which has no -0.
Value cut(mlir::OpBuilder &builder, mlir::Location loc, Value x) {
  Value whole = arith::FPToSIOp::create(
      builder, loc, typeLike(x.getType(), builder.getI32Type()), x);
  return arith::SIToFPOp::create(builder, loc, x.getType(), whole);
}

/// Rounding without SSE4.1: `step` is what to add to the cut value where
/// `predicate` (cut, x) holds.
template <class Op> struct ExpandRounding : ExpandF32<Op> {
  ExpandRounding(mlir::MLIRContext *context, arith::CmpFPredicate predicate,
                 double step)
      : ExpandF32<Op>(context), predicate(predicate), step(step) {}

  mlir::Value expand(mlir::OpBuilder &builder, Op op) const override {
    FloatMath m(builder, op.getLoc(), op.getType());
    Value x = op.getOperand();
    Value whole = cut(builder, op.getLoc(), x);
    Value moved = m.add(whole, m.constant(step));
    Value off = m.compare(predicate, whole, x);
    return keepSignAndLarge(m, x, m.select(off, moved, whole));
  }

  arith::CmpFPredicate predicate;
  double step;
};

/// Round to nearest even without SSE4.1: adding and taking away 2^23 leaves no
/// fraction bits, in the default rounding mode.
struct ExpandRoundEven : ExpandF32<math::RoundEvenOp> {
  using ExpandF32::ExpandF32;

  mlir::Value expand(mlir::OpBuilder &builder,
                     math::RoundEvenOp op) const override {
    FloatMath m(builder, op.getLoc(), op.getType());
    Value x = op.getOperand();
    Value magic = m.constant(kAllWhole);
    Value sum = m.add(m.magnitude(x), magic);
    return keepSignAndLarge(m, x, m.subtract(sum, magic));
  }
};

/// Round half away from zero: x less its cut value is exact, so a half is seen
/// as one. MLIR's own expansion goes through i64, whose vectors are too long.
struct ExpandRound : ExpandF32<math::RoundOp> {
  using ExpandF32::ExpandF32;

  mlir::Value expand(mlir::OpBuilder &builder,
                     math::RoundOp op) const override {
    FloatMath m(builder, op.getLoc(), op.getType());
    Value x = op.getOperand();
    Value whole = m.apply<math::TruncOp>(x);
    Value distance = m.magnitude(m.subtract(x, whole));
    Value away =
        m.compare(arith::CmpFPredicate::OGE, distance, m.constant(0.5));
    Value step = m.copySign(m.constant(1.0), x);
    return m.select(away, m.add(whole, step), whole);
  }
};

} // namespace

void populateRoundHalfAwayPattern(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandRound>(patterns.getContext());
}

void populateBaselineRoundingPatterns(mlir::RewritePatternSet &patterns) {
  mlir::MLIRContext *context = patterns.getContext();
  patterns.add<ExpandRounding<math::FloorOp>>(context,
                                              arith::CmpFPredicate::OGT, -1.0);
  patterns.add<ExpandRounding<math::CeilOp>>(context, arith::CmpFPredicate::OLT,
                                             1.0);
  patterns.add<ExpandRounding<math::TruncOp>>(
      context, arith::CmpFPredicate::AlwaysFalse, 0.0);
  patterns.add<ExpandRoundEven>(context);
}

} // namespace lintel::ir
