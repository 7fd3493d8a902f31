// Patterns that replace a function of f32 by other operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace lintel::ir {

/// Replaces `Op` where its result is an f32 or a vector of them.
template <class Op> class ExpandF32 : public mlir::OpRewritePattern<Op> {
public:
  using mlir::OpRewritePattern<Op>::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const final {
    if (!mlir::getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "only f32 is expanded");
    rewriter.replaceOp(op, expand(rewriter, op));
    return mlir::success();
  }

  /// Its value by other operations, built before it.
  virtual mlir::Value expand(mlir::OpBuilder &builder, Op op) const = 0;
};

} // namespace lintel::ir
