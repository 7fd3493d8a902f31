// The arc tangent of a number, and of a point, as a polynomial.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/ArcTangent.h"

#include "Transforms/ExpandF32.h"
#include "Transforms/FloatConstant.h"
#include "Transforms/PolynomialMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <numbers>

namespace lintel::ir {
namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

// atan(t) = t p(t^2) for t up to 1, fitted to the least largest relative error
// (2.6e-8) of those that are 1 at 0. Lowest power first. MLIR's own is 38 units
// in the last place off near 21/32.
constexpr double kArcTangent[] = {
    1.0,           -0x1.5554dcp-2, 0x1.9978f4p-3, -0x1.230adcp-3,
    0x1.b4e12ap-4, -0x1.3556b2p-4, 0x1.61fddp-5,  -0x1.0c2c08p-6,
    0x1.7ed218p-9};

/// atan(t) for t from 0 to 1.
Value upToOne(mlir::OpBuilder &builder, mlir::Location loc, Value t) {
  Value square = arith::MulFOp::create(builder, loc, t, t);
  Value factor = polynomial(builder, loc, square, kArcTangent);
  return arith::MulFOp::create(builder, loc, t, factor);
}

/// Beyond 1, atan(x) is pi / 2 - atan(1 / x). NaN is not beyond.
struct ExpandAtan : ExpandF32<math::AtanOp> {
  using ExpandF32::ExpandF32;

  mlir::Value expand(mlir::OpBuilder &builder, math::AtanOp op) const override {
    Value x = op.getOperand();
    mlir::Type type = x.getType();
    mlir::Location loc = op.getLoc();
    Value one = floatConstant(builder, loc, type, 1.0);
    Value right = floatConstant(builder, loc, type, std::numbers::pi / 2);
    Value size = math::AbsFOp::create(builder, loc, x);
    Value beyond = arith::CmpFOp::create(builder, loc,
                                         arith::CmpFPredicate::OGT, size, one);
    Value inverse = arith::DivFOp::create(builder, loc, one, size);
    Value t = arith::SelectOp::create(builder, loc, beyond, inverse, size);
    Value angle = upToOne(builder, loc, t);
    Value rest = arith::SubFOp::create(builder, loc, right, angle);
    Value unsignedAngle =
        arith::SelectOp::create(builder, loc, beyond, rest, angle);
    return math::CopySignOp::create(builder, loc, unsignedAngle, x);
  }
};

/// Of the point (x, y), by the smaller of |x| and |y| over the larger. MLIR's
/// own divides y by x, and takes the half of the plane from the sign of that:
/// NaN at the origin, and wrong where the quotient is 0 or infinite.
struct ExpandAtan2 : ExpandF32<math::Atan2Op> {
  using ExpandF32::ExpandF32;

  mlir::Value expand(mlir::OpBuilder &builder,
                     math::Atan2Op op) const override {
    Value y = op.getLhs(), x = op.getRhs();
    mlir::Type type = x.getType();
    mlir::Location loc = op.getLoc();
    const auto constant = [&](double value) {
      return floatConstant(builder, loc, type, value);
    };
    const auto compare = [&](arith::CmpFPredicate predicate, Value a, Value b) {
      return arith::CmpFOp::create(builder, loc, predicate, a, b).getResult();
    };
    const auto select = [&](Value condition, Value a, Value b) {
      return arith::SelectOp::create(builder, loc, condition, a, b).getResult();
    };
    Value width = math::AbsFOp::create(builder, loc, x);
    Value height = math::AbsFOp::create(builder, loc, y);
    Value steep = compare(arith::CmpFPredicate::OGT, height, width);
    Value small = select(steep, width, height);
    Value large = select(steep, height, width);
    // Of equals, where a quotient of zeros or infinities would be NaN.
    Value equal = compare(arith::CmpFPredicate::OEQ, small, large);
    Value zero = compare(arith::CmpFPredicate::OEQ, large, constant(0));
    Value quotient = arith::DivFOp::create(builder, loc, small, large);
    Value t = select(equal, select(zero, constant(0), constant(1)), quotient);
    Value angle = upToOne(builder, loc, t);
    const auto lessAngle = [&](double whole) {
      return arith::SubFOp::create(builder, loc, constant(whole), angle)
          .getResult();
    };
    angle = select(steep, lessAngle(std::numbers::pi / 2), angle);
    Value sign = math::CopySignOp::create(builder, loc, constant(1), x);
    Value left = compare(arith::CmpFPredicate::OLT, sign, constant(0));
    angle = select(left, lessAngle(std::numbers::pi), angle);
    Value signedAngle = math::CopySignOp::create(builder, loc, angle, y);
    // NaN in either; a sum has the NaN of both.
    Value broken = compare(arith::CmpFPredicate::UNO, x, y);
    return arith::SelectOp::create(builder, loc, broken,
                                   arith::AddFOp::create(builder, loc, x, y),
                                   signedAngle);
  }
};

} // namespace

void populateArcTangentPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandAtan, ExpandAtan2>(patterns.getContext());
}

} // namespace lintel::ir
