// bf16 as integers, for CPUs that cannot compute with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/BFloat16Bits.h"

#include "Transforms/InlineMath.h"
#include "Transforms/IntegerConstant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

namespace lintel::ir {
namespace {

namespace arith = mlir::arith;
using mlir::Value;

/// A bf16 is the upper half of an f32.
struct ExpandWidening : mlir::OpRewritePattern<arith::ExtFOp> {
  explicit ExpandWidening(mlir::MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  mlir::LogicalResult
  matchAndRewrite(arith::ExtFOp op,
                  mlir::PatternRewriter &rewriter) const override {
    mlir::Type from = op.getIn().getType(), to = op.getType();
    if (!mlir::getElementTypeOrSelf(from).isBF16() ||
        !mlir::getElementTypeOrSelf(to).isF32())
      return rewriter.notifyMatchFailure(op, "not from bf16 to f32");
    mlir::Location loc = op.getLoc();
    mlir::Type whole = typeLike(to, rewriter.getI32Type());
    Value half = arith::BitcastOp::create(
        rewriter, loc, typeLike(from, rewriter.getI16Type()), op.getIn());
    Value lower = arith::ExtUIOp::create(rewriter, loc, whole, half);
    Value upper = arith::ShLIOp::create(
        rewriter, loc, lower, integerConstant(rewriter, loc, whole, 16));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, to, upper);
    return mlir::success();
  }
};

} // namespace

void populateBFloat16Bits(mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns) {
  const auto bits = [](mlir::Type type) -> mlir::Type {
    return mlir::IntegerType::get(type.getContext(), 16);
  };
  converter.addConversion([=](mlir::BFloat16Type type) { return bits(type); });
  // MLIR takes a vector that LLVM has for converted.
  converter.addConversion(
      [=, &converter](mlir::VectorType type) -> std::optional<mlir::Type> {
        if (!type.getElementType().isBF16())
          return std::nullopt;
        return converter.convertType(type.clone(bits(type)));
      });
  patterns.add<ExpandWidening>(patterns.getContext());
}

mlir::LogicalResult checkBFloat16Bits(mlir::ModuleOp module,
                                      const Target &target) {
  auto walked = module.walk([&](mlir::Operation *op) {
    if (!worksOnBF16(op) || hasInlineLowering(op, target))
      return mlir::WalkResult::advance();
    op->emitOpError("has no inline lowering on 'bf16', which ")
        << llvm::StringRef(toString(target.isa))
        << " without avx512bf16 only moves and widens to 'f32'; compute in "
           "that, and let lintel-approximate-math round";
    return mlir::WalkResult::interrupt();
  });
  return mlir::failure(walked.wasInterrupted());
}

} // namespace lintel::ir
