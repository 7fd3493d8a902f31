// Rounding to integers without instructions for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/RoundingFunctions.h"

#include "Transforms/ExpandF32.h"
#include "Transforms/FloatConstant.h"
#include "Transforms/IntegerConstant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace lintel::ir {
namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

/// `rounded`, which may have lost the sign of zero, with that of x, which all
/// these roundings keep. `x` itself where |x| >= 2^23: there every f32 is an
/// integer, and the conversion behind `rounded` may have overflowed. NaN keeps
/// its value too.
Value keepSignAndLarge(mlir::OpBuilder &builder, mlir::Location loc, Value x,
                       Value rounded) {
  Value signedResult = math::CopySignOp::create(builder, loc, rounded, x);
  Value magnitude = math::AbsFOp::create(builder, loc, x);
  Value limit = floatConstant(builder, loc, x.getType(), 8388608.0);
  Value small = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                      magnitude, limit);
  return arith::SelectOp::create(builder, loc, small, signedResult, x);
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
    Value x = op.getOperand();
    mlir::Location loc = op.getLoc();
    Value whole = cut(builder, loc, x);
    Value moved = arith::AddFOp::create(
        builder, loc, whole, floatConstant(builder, loc, x.getType(), step));
    Value off = arith::CmpFOp::create(builder, loc, predicate, whole, x);
    Value rounded = arith::SelectOp::create(builder, loc, off, moved, whole);
    return keepSignAndLarge(builder, loc, x, rounded);
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
    Value x = op.getOperand();
    mlir::Location loc = op.getLoc();
    Value magic = floatConstant(builder, loc, x.getType(), 8388608.0);
    Value magnitude = math::AbsFOp::create(builder, loc, x);
    Value sum = arith::AddFOp::create(builder, loc, magnitude, magic);
    Value rounded = arith::SubFOp::create(builder, loc, sum, magic);
    return keepSignAndLarge(builder, loc, x, rounded);
  }
};

/// Round half away from zero: x less its cut value is exact, so a half is seen
/// as one. MLIR's own expansion goes through i64, whose vectors are too long.
struct ExpandRound : ExpandF32<math::RoundOp> {
  using ExpandF32::ExpandF32;

  mlir::Value expand(mlir::OpBuilder &builder,
                     math::RoundOp op) const override {
    Value x = op.getOperand();
    mlir::Type type = x.getType();
    mlir::Location loc = op.getLoc();
    Value whole = math::TruncOp::create(builder, loc, x);
    Value rest = arith::SubFOp::create(builder, loc, x, whole);
    Value distance = math::AbsFOp::create(builder, loc, rest);
    Value away =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGE, distance,
                              floatConstant(builder, loc, type, 0.5));
    Value step = math::CopySignOp::create(
        builder, loc, floatConstant(builder, loc, type, 1.0), x);
    Value moved = arith::AddFOp::create(builder, loc, whole, step);
    return arith::SelectOp::create(builder, loc, away, moved, whole);
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
