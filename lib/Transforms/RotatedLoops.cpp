// scf.for to branches, with its test behind its body.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/RotatedLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lintel::ir {
namespace {

namespace arith = mlir::arith;
namespace cf = mlir::cf;
using mlir::Value;

struct RotateFor : mlir::OpRewritePattern<mlir::scf::ForOp> {
  explicit RotateFor(mlir::MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  mlir::LogicalResult
  matchAndRewrite(mlir::scf::ForOp loop,
                  mlir::PatternRewriter &rewriter) const override {
    const mlir::Location loc = loop.getLoc();
    mlir::Block *before = rewriter.getInsertionBlock();
    mlir::Block *after =
        rewriter.splitBlock(before, rewriter.getInsertionPoint());
    // The loop's variable and what it carries are arguments of the test.
    mlir::Block *test = loop.getBody();
    mlir::Block *first = rewriter.splitBlock(test, test->begin());
    mlir::Block *last = &loop.getRegion().back();
    rewriter.inlineRegionBefore(loop.getRegion(), after);
    rewriter.moveBlockBefore(test, after);
    Value variable = test->getArgument(0);

    rewriter.setInsertionPointToEnd(before);
    enter(rewriter, loc, test, loop.getLowerBound(), loop.getInitArgs());

    mlir::Operation *yield = last->getTerminator();
    rewriter.setInsertionPoint(yield);
    Value next = arith::AddIOp::create(rewriter, loc, variable, loop.getStep());
    keepHints(loop, enter(rewriter, loc, test, next, yield->getOperands()));
    rewriter.eraseOp(yield);

    rewriter.setInsertionPointToEnd(test);
    const auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                            : arith::CmpIPredicate::slt;
    Value inside = arith::CmpIOp::create(rewriter, loc, less, variable,
                                         loop.getUpperBound());
    cf::CondBranchOp::create(rewriter, loc, inside, first, mlir::ValueRange(),
                             after, mlir::ValueRange());
    rewriter.replaceOp(loop, test->getArguments().drop_front());
    return mlir::success();
  }

private:
  static cf::BranchOp enter(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Block *test, Value variable,
                            mlir::ValueRange carried) {
    llvm::SmallVector<Value> arguments{variable};
    llvm::append_range(arguments, carried);
    return cf::BranchOp::create(builder, loc, test, arguments);
  }

  /// LLVM looks for what it is to know of a loop (`loop_annotation`) on the
  /// branch back. Attributes of other dialects speak of scf.for.
  static void keepHints(mlir::scf::ForOp loop, cf::BranchOp back) {
    for (mlir::NamedAttribute hint : loop->getDiscardableAttrs())
      if (llvm::isa<mlir::LLVM::LLVMDialect>(hint.getValue().getDialect()))
        back->setDiscardableAttr(hint.getName(), hint.getValue());
  }
};

} // namespace

void populateRotatedLoops(mlir::RewritePatternSet &patterns) {
  patterns.add<RotateFor>(patterns.getContext());
}

} // namespace lintel::ir
