// Powers, and logarithms to base ten, by logarithms and exponentials.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/PowerFunction.h"

#include "Transforms/ExpandF32.h"
#include "Transforms/FloatMath.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/Support/MathExtras.h"

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
constexpr int64_t kMostFactors = 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Its value where the exponent is a constant, of all lanes.
std::optional<double> constantExponent(Value exponent) {
  mlir::FloatAttr number;
  mlir::DenseFPElementsAttr numbers;
  if (mlir::matchPattern(exponent, mlir::m_Constant(&number)))
    return number.getValueAsDouble();
  if (mlir::matchPattern(exponent, mlir::m_Constant(&numbers)) &&
      numbers.isSplat())
    return mlir::FloatAttr::getValueAsDouble(
        numbers.getSplatValue<mlir::APFloat>());
  return std::nullopt;
}

/// The same of an integer of up to 64 bits.
std::optional<int64_t> constantWholeExponent(Value exponent) {
  llvm::APInt number;
  if (mlir::matchPattern(exponent, mlir::m_ConstantInt(&number)) &&
      number.getBitWidth() <= 64)
    return number.getSExtValue();
  return std::nullopt;
}

/// Powers of floats, or of vectors of them.
class Power {
public:
  Power(mlir::OpBuilder &builder, mlir::Location loc, Value x)
      : builder(builder), loc(loc), m(builder, loc, x.getType()), x(x) {}

  /// x^y. Null where there is none of its type.
  Value toFloat(Value y) {
    const std::optional<double> exponent = constantExponent(y);
    if (exponent && std::trunc(*exponent) == *exponent &&
        std::abs(*exponent) <= kMostFactors)
      return wholePower(static_cast<int64_t>(*exponent));
    if (exponent == 0.5)
      return root();
    if (exponent == -0.5)
      return m.divide(m.constant(1), root());
    return hasAllPowers() ? generalPower(y, isOdd(y)) : Value();
  }

  /// The same of an integer, which may be of more bits than floats have; of an
  /// index, for which floats have no conversion, that is a constant.
  Value toInteger(Value n) {
    const bool hasWidth = mlir::getElementTypeOrSelf(n.getType()).isInteger();
    const std::optional<int64_t> exponent = constantWholeExponent(n);
    const bool fewFactors =
        exponent && *exponent >= -kMostFactors && *exponent <= kMostFactors;
    const bool convertible = hasAllPowers() && hasWidth;
    if (exponent && (fewFactors || !convertible))
      return wholePower(*exponent);
    if (!convertible)
      return {};
    Value y = arith::SIToFPOp::create(builder, loc, x.getType(), n);
    return generalPower(y, isOddInteger(n));
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
  Value wholePower(int64_t exponent) {
    Value square = x;
    if (exponent < 0)
      square = m.divide(m.constant(1), x);
    Value product;
    for (uint64_t left = llvm::AbsoluteValue(exponent); left > 0; left /= 2) {
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

  bool hasAllPowers() const {
    return mlir::getElementTypeOrSelf(x.getType()).isF32();
  }

  Value generalPower(Value y, Value odd) {
    Value size = magnitude(y);
    // Odd powers have the sign of x.
    Value power = m.select(odd, m.copySign(size, x), size);
    Value negative = m.compare(arith::CmpFPredicate::OLT, x, m.constant(0));
    Value finite =
        m.compare(arith::CmpFPredicate::OGT, x, m.constant(-kInfinity));
    return m.select(both(both(negative, finite), hasFraction(y)),
                    m.constant(std::numeric_limits<double>::quiet_NaN()),
                    power);
  }

  /// |x|^y. x^0 and 1^y are 1, whatever the other number is.
  Value magnitude(Value y) {
    Value size = m.magnitude(x);
    Value logarithm = m.apply<math::LogOp>(size);
    Value product = m.multiply(y, logarithm);
    Value power = m.apply<math::ExpOp>(product);
    Value ofOne = m.compare(arith::CmpFPredicate::OEQ, size, m.constant(1));
    Value zeroth = m.compare(arith::CmpFPredicate::OEQ, y, m.constant(0));
    return m.select(arith::OrIOp::create(builder, loc, ofOne, zeroth),
                    m.constant(1), power);
  }

  /// Infinity is even, and so is every float from 2^24 on.
  Value isOdd(Value y) {
    Value half = m.multiply(y, m.constant(0.5));
    Value whole =
        m.compare(arith::CmpFPredicate::OEQ, m.apply<math::TruncOp>(y), y);
    return both(whole, hasFraction(half));
  }

  Value isOddInteger(Value n) {
    const auto constant = [&](int64_t value) {
      return mlir::createScalarOrSplatConstant(builder, loc, n.getType(),
                                               value);
    };
    Value lowest = arith::AndIOp::create(builder, loc, n, constant(1));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, lowest,
                                 constant(0));
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  FloatMath m;
  Value x;
};

/// `raise` takes the kind of exponent that `Op` has.
template <class Op, Value (Power::*raise)(Value)>
struct ExpandPower : mlir::OpRewritePattern<Op> {
  using mlir::OpRewritePattern<Op>::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    Power power(rewriter, op.getLoc(), op.getLhs());
    Value raised = (power.*raise)(op.getRhs());
    if (!raised)
      return rewriter.notifyMatchFailure(
          op, "only f32 has all powers, of integers of a known width");
    rewriter.replaceOp(op, raised);
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
  patterns.add<ExpandPower<math::PowFOp, &Power::toFloat>,
               ExpandPower<math::FPowIOp, &Power::toInteger>, ExpandLog10>(
      patterns.getContext());
}

} // namespace lintel::ir
