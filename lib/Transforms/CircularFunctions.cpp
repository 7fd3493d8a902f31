// Sine and cosine as polynomials.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/CircularFunctions.h"

#include "Transforms/ExpandF32.h"
#include "Transforms/FloatMath.h"
#include "Transforms/IntegerConstant.h"

#include <numbers>

namespace lintel::ir {
namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

// x = j pi / 2 + r with |r| <= pi / 4: the reduction of Cody and Waite,
// "Software Manual for the Elementary Functions" (1980). MLIR's own rounds j
// down, so that of small negative numbers nothing is left, and takes pi for one
// float: sin(1000) may be 6e-5 off.
//
// Adding kMagic rounds to an integer, whose last bits are those of the sum.
constexpr double kMagic = 0x1.8p+23;
// The first two have 8 and 9 bits: their products with j up to 2^15 are exact,
// so that targets without FMA lose nothing either.
constexpr double kHalfPiParts[] = {0x1.92p+0, 0x1.fbp-12, 0x1.5110b4p-22};
// 2 / pi is a float that is off, and so is j: from 364422 on, where |r| may be
// as large as this, results are wrong; in the end r could be anything. It is
// cut, so that they are sines of something. Without FMA the product of j and
// the first part no longer is exact from 131113 on, and wrong by up to 0.008.
constexpr double kLargestRest = 0.8;
// sin(r) = r p(r^2) and cos(r) = p(r^2): Taylor's series with the last terms
// moved to the least largest error on that range, from S. Moshier's Cephes
// library (1989), sinf.c. Lowest power first.
constexpr double kSine[] = {1.0, -1.6666654611e-1, 8.3321608736e-3,
                            -1.9515295891e-4};
constexpr double kCosine[] = {1.0, -0.5, 4.166664568298827e-2,
                              -1.388731625493765e-3, 2.443315711809948e-5};

/// The circular functions of x, by quadrants.
class Quadrants {
public:
  Quadrants(mlir::OpBuilder &builder, mlir::Location loc, Value x)
      : builder(builder), loc(loc), type(x.getType()), m(builder, loc, type) {
    Value magic = m.constant(kMagic);
    Value shifted =
        m.multiplyAdd(x, m.constant(2 * std::numbers::inv_pi), magic);
    quadrant = arith::BitcastOp::create(
        builder, loc, typeLike(type, builder.getI32Type()), shifted);
    Value j = m.subtract(shifted, magic);
    r = x;
    for (double part : kHalfPiParts)
      r = m.multiplyAdd(j, m.constant(-part), r);
    r = m.atMost(m.atLeast(r, -kLargestRest), kLargestRest);
  }

  /// That of x + `further` pi / 2, which is sin(x) for 0 and cos(x) for 1.
  Value sine(int32_t further) {
    Value index =
        arith::AddIOp::create(builder, loc, quadrant, integer(further));
    Value square = m.multiply(r, r);
    Value even = m.multiply(r, m.polynomial(square, kSine));
    Value odd = m.polynomial(square, kCosine);
    Value chosen = m.select(hasBit(index, 1), odd, even);
    Value negated = m.apply<arith::NegFOp>(chosen);
    return m.select(hasBit(index, 2), negated, chosen);
  }

private:
  Value integer(int32_t value) {
    return integerConstant(builder, loc, type, value);
  }
  Value hasBit(Value index, int32_t bit) {
    Value masked = arith::AndIOp::create(builder, loc, index, integer(bit));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, masked,
                                 integer(0));
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
  FloatMath m;
  Value quadrant, r;
};

template <class Op> struct ExpandCircular : ExpandF32<Op> {
  ExpandCircular(mlir::MLIRContext *context, int32_t quarters)
      : ExpandF32<Op>(context), quarters(quarters) {}

  mlir::Value expand(mlir::OpBuilder &builder, Op op) const override {
    Value x = op.getOperand();
    return Quadrants(builder, op.getLoc(), x).sine(quarters);
  }

  int32_t quarters;
};

} // namespace

void populateCircularFunctionPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandCircular<math::SinOp>>(patterns.getContext(), 0);
  patterns.add<ExpandCircular<math::CosOp>>(patterns.getContext(), 1);
}

} // namespace lintel::ir
