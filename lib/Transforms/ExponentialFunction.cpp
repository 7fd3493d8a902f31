// The exponential functions as a polynomial and a power of two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/ExponentialFunction.h"

#include "Transforms/ExpandF32.h"
#include "Transforms/FloatMath.h"
#include "Transforms/IntegerConstant.h"

#include <limits>
#include <numbers>

namespace lintel::ir {
namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

// exp(x) = 2^n exp(r), where n is the integer next to x / ln 2 and r = x - n ln
// 2: the reduction of Cody and Waite, "Software Manual for the Elementary
// Functions" (1980).
//
// Adding kMagic rounds x / ln 2 to an integer, as floats near it are whole
// numbers, and leaves n + 127 in the sum's low bits, which shifted are those of
// 2^n: of 0 for n = -127, where kSmallest lies. For n = 128 they would be those
// of infinity, but exp is still below that at first. So n ends at 127, and the
// polynomial holds up to r = ln 2; its coefficients are positive, so beyond it
// overflows.
constexpr int kFractionBits = 23;
constexpr double kMagic = 0x1.8p+23 + 127;
constexpr double kLargestN = 127;
constexpr double kSmallest = -88.0;
constexpr double kSmallestOfTwo = -127.0;
constexpr double kLog2E = 0x1.715476p+0;
// n times the first part of ln 2 has at most 7 + 15 bits, so it is exact.
constexpr double kLn2Parts[] = {0x1.62e4p-1, 0x1.7f7d1cp-20};
// exp(r) for r from -ln 2 / 2 to ln 2, fitted to the least largest relative
// error (3.7e-8) of those that are 1 at 0. Lowest power first.
constexpr double kExp[] = {1.0,           0x1.fffffcp-1, 0x1.00004cp-1,
                           0x1.555824p-3, 0x1.54f372p-5, 0x1.109826p-7,
                           0x1.aba9a2p-10};

/// 2^n, where n + kMagic is `shifted`.
Value powerOfTwo(mlir::OpBuilder &builder, mlir::Location loc, Value shifted) {
  mlir::Type type = shifted.getType();
  Value bits = arith::BitcastOp::create(
      builder, loc, typeLike(type, builder.getI32Type()), shifted);
  Value exponent = arith::ShLIOp::create(
      builder, loc, bits, integerConstant(builder, loc, type, kFractionBits));
  return arith::BitcastOp::create(builder, loc, type, exponent);
}

class ExpandExp : public ExpandF32<math::ExpOp> {
public:
  using ExpandF32::ExpandF32;

  mlir::Value expand(mlir::OpBuilder &builder, math::ExpOp op) const override {
    FloatMath m(builder, op.getLoc(), op.getType());
    // exp(-y) is computed of y, without a negation: x and r are sign times
    // what they are above.
    auto negation = op.getOperand().getDefiningOp<arith::NegFOp>();
    const double sign = negation ? -1 : 1;
    Value x = negation ? m.atMost(negation.getOperand(), -kSmallest)
                       : m.atLeast(op.getOperand(), kSmallest);
    Value magic = m.constant(kMagic);
    Value shifted = m.multiplyAdd(x, m.constant(sign * kLog2E), magic);
    shifted = m.atMost(shifted, kMagic + kLargestN);
    Value n = m.subtract(shifted, magic);
    Value r = x;
    for (double part : kLn2Parts)
      r = m.multiplyAdd(n, m.constant(-sign * part), r);
    Value factor = m.polynomial(r, coefficientsOf(sign));
    return m.multiply(factor, powerOfTwo(builder, op.getLoc(), shifted));
  }

private:
  /// Of the polynomial in sign * r.
  static llvm::SmallVector<double> coefficientsOf(double sign) {
    llvm::SmallVector<double> coefficients(std::begin(kExp), std::end(kExp));
    for (size_t odd = 1; odd < coefficients.size(); odd += 2)
      coefficients[odd] *= sign;
    return coefficients;
  }
};

// 2^x = 2^n exp((x - n) ln 2), where x - n is exact. Where n has ended and x is
// 128, the polynomial may fall short of 2.
struct ExpandExp2 : ExpandF32<math::Exp2Op> {
  using ExpandF32::ExpandF32;

  mlir::Value expand(mlir::OpBuilder &builder, math::Exp2Op op) const override {
    FloatMath m(builder, op.getLoc(), op.getType());
    Value x = m.atLeast(op.getOperand(), kSmallestOfTwo);
    Value magic = m.constant(kMagic);
    Value shifted = m.atMost(m.add(x, magic), kMagic + kLargestN);
    Value n = m.subtract(shifted, magic);
    Value r = m.multiply(m.subtract(x, n), m.constant(std::numbers::ln2));
    Value factor = m.polynomial(r, kExp);
    Value power = m.multiply(factor, powerOfTwo(builder, op.getLoc(), shifted));
    Value overflows =
        m.compare(arith::CmpFPredicate::OGE, x, m.constant(kLargestN + 1));
    return m.select(overflows,
                    m.constant(std::numeric_limits<double>::infinity()), power);
  }
};

} // namespace

void populateExponentialFunctionPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandExp, ExpandExp2>(patterns.getContext());
}

} // namespace lintel::ir
