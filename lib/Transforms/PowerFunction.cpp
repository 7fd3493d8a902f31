// Powers, and logarithms to base ten, by logarithms and exponentials.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/PowerFunction.h"

#include "Transforms/ExpandF32.h"
#include "Transforms/FloatMath.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace lintel::ir {
namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

/// Products round once each: 15 of them half a unit in the last place at most.
constexpr double kMostFactors = 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Its value where the exponent is a constant, of all lanes.
std::optional<double> constantExponent(Value exponent) {
  mlir::FloatAttr number;
  mlir::DenseFPElementsAttr numbers;
  if (mlir::matchPattern(exponent, mlir::m_Constant(&number)))
    return number.getValueAsDouble();
  if (mlir::matchPattern(exponent, mlir::m_Constant(&numbers)) &&
      numbers.isSplat())
    return numbers.getSplatValue<mlir::APFloat>().convertToDouble();
  return std::nullopt;
}

/// x^y of floats, or of vectors of them.
class Power {
public:
  Power(mlir::OpBuilder &builder, math::PowFOp op)
      : builder(builder), loc(op.getLoc()), m(builder, loc, op.getType()),
        x(op.getLhs()), y(op.getRhs()) {}

  /// Null where there is none of its type.
  Value value() {
    const std::optional<double> exponent = constantExponent(y);
    if (exponent && std::trunc(*exponent) == *exponent &&
        std::abs(*exponent) <= kMostFactors)
      return wholePower(static_cast<int>(*exponent));
    if (exponent == 0.5)
      return root();
    if (exponent == -0.5)
      return m.divide(m.constant(1), root());
    return mlir::getElementTypeOrSelf(x.getType()).isF32() ? generalPower()
                                                           : Value();
  }

private:
  Value both(Value a, Value b) {
    return arith::AndIOp::create(builder, loc, a, b);
  }
  Value hasFraction(Value number) {
    Value whole = m.apply<math::TruncOp>(number);
    return m.compare(arith::CmpFPredicate::UNE, whole, number);
  }

  /// By repeated squaring; of the inverse, which unlike an inverse of the power
  /// leaves the range of floats only where the power does.
  Value wholePower(int exponent) {
    Value square = x;
    if (exponent < 0)
      square = m.divide(m.constant(1), x);
    Value product;
    for (int left = std::abs(exponent); left > 0; left /= 2) {
      if (left % 2 == 1)
        product = product ? m.multiply(product, square) : square;
      if (left > 1)
        square = m.multiply(square, square);
    }
    return product ? product : m.constant(1);
  }

  /// Unlike a root, the power of -0 is 0, that of negative infinity infinity.
  Value root() {
    Value root = m.apply<math::SqrtOp>(x);
    Value ofZeros = m.add(root, m.constant(0));
    Value least =
        m.compare(arith::CmpFPredicate::OEQ, x, m.constant(-kInfinity));
    return m.select(least, m.constant(kInfinity), ofZeros);
  }

  Value generalPower() {
    Value power = withSign(magnitude());
    Value negative = m.compare(arith::CmpFPredicate::OLT, x, m.constant(0));
    Value finite =
        m.compare(arith::CmpFPredicate::OGT, x, m.constant(-kInfinity));
    return m.select(both(both(negative, finite), hasFraction(y)),
                    m.constant(std::numeric_limits<double>::quiet_NaN()),
                    power);
  }

  /// |x|^y. x^0 and 1^y are 1, whatever the other number is.
  Value magnitude() {
    Value size = m.magnitude(x);
    Value logarithm = m.apply<math::LogOp>(size);
    Value product = m.multiply(y, logarithm);
    Value power = m.apply<math::ExpOp>(product);
    Value ofOne = m.compare(arith::CmpFPredicate::OEQ, size, m.constant(1));
    Value zeroth = m.compare(arith::CmpFPredicate::OEQ, y, m.constant(0));
    return m.select(arith::OrIOp::create(builder, loc, ofOne, zeroth),
                    m.constant(1), power);
  }

  /// Odd powers have the sign of x. Infinity is even, and so is every float
  /// from 2^24 on.
  Value withSign(Value magnitude) {
    Value half = m.multiply(y, m.constant(0.5));
    Value whole =
        m.compare(arith::CmpFPredicate::OEQ, m.apply<math::TruncOp>(y), y);
    Value odd = both(whole, hasFraction(half));
    Value negated = m.copySign(magnitude, x);
    return m.select(odd, negated, magnitude);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  FloatMath m;
  Value x, y;
};

struct ExpandPow : mlir::OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(math::PowFOp op,
                  mlir::PatternRewriter &rewriter) const override {
    Value power = Power(rewriter, op).value();
    if (!power)
      return rewriter.notifyMatchFailure(op, "only f32 has all powers");
    rewriter.replaceOp(op, power);
    return mlir::success();
  }
};

struct ExpandLog10 : ExpandF32<math::Log10Op> {
  using ExpandF32::ExpandF32;

  mlir::Value expand(mlir::OpBuilder &builder,
                     math::Log10Op op) const override {
    FloatMath m(builder, op.getLoc(), op.getType());
    return m.multiply(m.apply<math::LogOp>(op.getOperand()),
                      m.constant(std::numbers::log10e));
  }
};

} // namespace

void populatePowerFunctionPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandPow, ExpandLog10>(patterns.getContext());
}

} // namespace lintel::ir
