// The hyperbolic functions, and their inverses, by exponentials and logarithms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/HyperbolicFunctions.h"

#include "Transforms/ExpandF32.h"
#include "Transforms/FloatMath.h"

#include <limits>
#include <numbers>

namespace lintel::ir {
namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

/// From here on sinh is e^x / 2, since e^-x is lost beside e^x.
constexpr double kOneExponential = 10;
/// From here on asinh and acosh are log(2x); the square of x, which their other
/// formulas take, overflows beyond 2^64.
constexpr double kOneLogarithm = 0x1p30;

/// e^x / 2, of e^(x / 2): e^x itself overflows before its half does.
Value halfExponential(FloatMath &m, Value x) {
  Value root = m.apply<math::ExpOp>(m.multiply(x, m.constant(0.5)));
  return m.multiply(m.multiply(root, m.constant(0.5)), root);
}

/// log(2x)
Value logarithmOfTwice(FloatMath &m, Value x) {
  return m.add(m.apply<math::LogOp>(x), m.constant(std::numbers::ln2));
}

/// With e = e^|x| - 1, which is as exact as |x| near zero, (e + e / (e + 1)) /
/// 2 = (e^|x| - e^-|x|) / 2.
struct ExpandSinh : ExpandF32<math::SinhOp> {
  using ExpandF32::ExpandF32;

  Value expand(mlir::OpBuilder &builder, math::SinhOp op) const override {
    FloatMath m(builder, op.getLoc(), op.getType());
    Value size = m.magnitude(op.getOperand());
    Value e = m.apply<math::ExpM1Op>(size);
    Value twice = m.add(e, m.divide(e, m.add(e, m.constant(1))));
    Value near = m.multiply(twice, m.constant(0.5));
    Value sinh = m.select(m.isGreater(size, kOneExponential),
                          halfExponential(m, size), near);
    return m.copySign(sinh, op.getOperand());
  }
};

/// e^|x| / 2 + e^-|x| / 2, the latter as a quarter over the former.
struct ExpandCosh : ExpandF32<math::CoshOp> {
  using ExpandF32::ExpandF32;

  Value expand(mlir::OpBuilder &builder, math::CoshOp op) const override {
    FloatMath m(builder, op.getLoc(), op.getType());
    Value half = halfExponential(m, m.magnitude(op.getOperand()));
    return m.add(half, m.divide(m.constant(0.25), half));
  }
};

/// log(|x| + sqrt(x^2 + 1)), of which 1 is taken away before the logarithm:
/// sqrt(x^2 + 1) - 1 = x^2 / (sqrt(x^2 + 1) + 1).
struct ExpandAsinh : ExpandF32<math::AsinhOp> {
  using ExpandF32::ExpandF32;

  Value expand(mlir::OpBuilder &builder, math::AsinhOp op) const override {
    FloatMath m(builder, op.getLoc(), op.getType());
    Value one = m.constant(1);
    Value size = m.magnitude(op.getOperand());
    Value square = m.multiply(size, size);
    Value root = m.apply<math::SqrtOp>(m.add(square, one));
    Value excess = m.add(size, m.divide(square, m.add(root, one)));
    Value near = m.apply<math::Log1pOp>(excess);
    Value asinh = m.select(m.isGreater(size, kOneLogarithm),
                           logarithmOfTwice(m, size), near);
    return m.copySign(asinh, op.getOperand());
  }
};

/// log(x + sqrt(x^2 - 1)); with t = x - 1, which is exact near 1, it is
/// log(1 + t + sqrt(t (t + 2))).
struct ExpandAcosh : ExpandF32<math::AcoshOp> {
  using ExpandF32::ExpandF32;

  Value expand(mlir::OpBuilder &builder, math::AcoshOp op) const override {
    FloatMath m(builder, op.getLoc(), op.getType());
    Value x = op.getOperand();
    Value t = m.subtract(x, m.constant(1));
    Value square = m.multiply(t, m.add(t, m.constant(2)));
    Value near =
        m.apply<math::Log1pOp>(m.add(t, m.apply<math::SqrtOp>(square)));
    Value acosh =
        m.select(m.isGreater(x, kOneLogarithm), logarithmOfTwice(m, x), near);
    Value isBelow = m.compare(arith::CmpFPredicate::OLT, x, m.constant(1));
    return m.select(
        isBelow, m.constant(std::numeric_limits<double>::quiet_NaN()), acosh);
  }
};

/// log((1 + |x|) / (1 - |x|)) / 2, where the quotient is 1 + 2|x| / (1 - |x|).
struct ExpandAtanh : ExpandF32<math::AtanhOp> {
  using ExpandF32::ExpandF32;

  Value expand(mlir::OpBuilder &builder, math::AtanhOp op) const override {
    FloatMath m(builder, op.getLoc(), op.getType());
    Value size = m.magnitude(op.getOperand());
    Value excess = m.divide(m.add(size, size), m.subtract(m.constant(1), size));
    Value half = m.multiply(m.apply<math::Log1pOp>(excess), m.constant(0.5));
    return m.copySign(half, op.getOperand());
  }
};

} // namespace

void populateHyperbolicFunctionPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandSinh, ExpandCosh, ExpandAsinh, ExpandAcosh, ExpandAtanh>(
      patterns.getContext());
}

} // namespace lintel::ir
