// The cube root, by Newton's method.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/CubeRoot.h"

#include "Transforms/ExpandF32.h"
#include "Transforms/FloatMath.h"
#include "Transforms/IntegerConstant.h"

#include <limits>

namespace lintel::ir {
namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

/// The bits of a float are its logarithm, nearly: a third of them, and two
/// thirds of the exponent's bias, are those of a root that is off by 3.2 % at
/// most (Kahan's constant for that).
constexpr int32_t kBitsOfRoot = 709958130;
/// Each squares the error: 1e-3, 1.5e-6, and then what rounding leaves.
constexpr int kSteps = 3;
/// Denormals are multiplied by a cube, and their roots divided by its root.
constexpr double kCube = 0x1p24;
constexpr double kRootOfCube = 0x1p8;

struct ExpandCbrt : ExpandF32<math::CbrtOp> {
  using ExpandF32::ExpandF32;

  mlir::Value expand(mlir::OpBuilder &builder, math::CbrtOp op) const override {
    Value x = op.getOperand();
    FloatMath m(builder, op.getLoc(), x.getType());
    Value size = m.magnitude(x);
    Value denormal = m.compare(arith::CmpFPredicate::OLT, size,
                               m.constant(std::numeric_limits<float>::min()));
    Value normal =
        m.select(denormal, m.multiply(size, m.constant(kCube)), size);
    Value root = rootOf(builder, m, op.getLoc(), normal);
    root =
        m.select(denormal, m.multiply(root, m.constant(1 / kRootOfCube)), root);
    // Zeros, infinities and NaN are their own roots.
    Value finite =
        m.compare(arith::CmpFPredicate::OLT, size,
                  m.constant(std::numeric_limits<double>::infinity()));
    Value hasRoot = arith::AndIOp::create(builder, op.getLoc(),
                                          m.isGreater(size, 0), finite);
    return m.select(hasRoot, m.copySign(root, x), x);
  }

private:
  /// Of a positive normal number.
  static Value rootOf(mlir::OpBuilder &builder, FloatMath &m,
                      mlir::Location loc, Value number) {
    mlir::Type bitsType = typeLike(number.getType(), builder.getI32Type());
    const auto constant = [&](int32_t value) {
      return integerConstant(builder, loc, number.getType(), value);
    };
    Value bits = arith::BitcastOp::create(builder, loc, bitsType, number);
    // 5/16, times 17/16, times 257/256: a third, without a division.
    const auto plusPart = [&](Value sum, Value of, int32_t shift) {
      return arith::AddIOp::create(
          builder, loc, sum,
          arith::ShRUIOp::create(builder, loc, of, constant(shift)));
    };
    Value third = arith::ShRUIOp::create(builder, loc, bits, constant(2));
    third = plusPart(third, bits, 4);
    third = plusPart(third, third, 4);
    third = plusPart(third, third, 8);
    Value root = arith::BitcastOp::create(
        builder, loc, number.getType(),
        arith::AddIOp::create(builder, loc, third, constant(kBitsOfRoot)));
    for (int step = 0; step < kSteps; ++step) {
      Value error = m.subtract(root, m.divide(number, m.multiply(root, root)));
      root = m.subtract(root, m.multiply(error, m.constant(1.0 / 3)));
    }
    return root;
  }
};

} // namespace

void populateCubeRootPattern(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandCbrt>(patterns.getContext());
}

} // namespace lintel::ir
