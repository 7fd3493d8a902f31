// Where among the floats a number lies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/RangeFunctions.h"

#include "Transforms/FloatMath.h"

#include "mlir/IR/TypeUtilities.h"

#include <limits>

namespace lintel::ir {
namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

bool hasInstructions(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  return element.isF32() || element.isF64();
}

/// An infinity is what has the magnitude of one.
struct ExpandIsInf : mlir::OpRewritePattern<math::IsInfOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(math::IsInfOp op,
                  mlir::PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    if (!hasInstructions(x.getType()))
      return rewriter.notifyMatchFailure(op, "not of a type with instructions");
    FloatMath m(rewriter, op.getLoc(), x.getType());
    Value infinity = m.constant(std::numeric_limits<double>::infinity());
    rewriter.replaceOp(
        op, m.compare(arith::CmpFPredicate::OEQ, m.magnitude(x), infinity));
    return mlir::success();
  }
};

/// NaN stays NaN; the upper bound counts where the bounds contradict.
struct ExpandClamp : mlir::OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(math::ClampFOp op,
                  mlir::PatternRewriter &rewriter) const override {
    if (!hasInstructions(op.getType()))
      return rewriter.notifyMatchFailure(op, "not of a type with instructions");
    Value atLeast = arith::MaximumFOp::create(rewriter, op.getLoc(),
                                              op.getValue(), op.getMin());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, atLeast, op.getMax());
    return mlir::success();
  }
};

} // namespace

void populateRangeFunctionPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandIsInf, ExpandClamp>(patterns.getContext());
}

} // namespace lintel::ir
