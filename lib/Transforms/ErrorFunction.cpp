// The error function as a quotient of polynomials.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/ErrorFunction.h"

#include "Transforms/ExpandF32.h"
#include "Transforms/FloatMath.h"

namespace lintel::ir {
namespace {

using mlir::Value;
namespace math = mlir::math;

// erf(x) = x p(x^2) / q(x^2) for |x| up to 3.8325, where erf is 1 - 2^-24:
// fitted to the least largest relative error (4e-8) by weighted least squares,
// then rounded to the f32 near by that give the least error in f32 arithmetic
// (6e-8 without its roundings). Lowest power first. From 3.85 on the quotient
// exceeds 1, at 4 by 1.4e-6, which is more than rounding errors: that is cut
// off.
constexpr double kNumerator[] = {0x1.20dd74p+0, 0x1.8a1172p-3,  0x1.964744p-5,
                                 0x1.be3b1p-9,  0x1.1e8b2ep-13, -0x1.0a803p-19,
                                 0x1.683fe8p-26};
constexpr double kDenominator[] = {1.0, 0x1.01f976p-1, 0x1.ca635ep-4,
                                   0x1.c1e5fp-7, 0x1.d2b914p-11};
constexpr double kLargest = 4.0;

class ExpandErf : public ExpandF32<math::ErfOp> {
public:
  using ExpandF32::ExpandF32;

  mlir::Value expand(mlir::OpBuilder &builder, math::ErfOp op) const override {
    FloatMath m(builder, op.getLoc(), op.getType());
    Value cut = clamp(m, op.getOperand(), kLargest);
    Value square = m.multiply(cut, cut);
    Value above = m.polynomial(square, kNumerator);
    Value below = m.polynomial(square, kDenominator);
    return clamp(m, m.divide(m.multiply(cut, above), below), 1.0);
  }

private:
  static Value clamp(FloatMath &m, Value x, double limit) {
    return m.atLeast(m.atMost(x, limit), -limit);
  }
};

} // namespace

void populateErrorFunctionPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandErf>(patterns.getContext());
}

} // namespace lintel::ir
