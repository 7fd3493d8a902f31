// lintel-verify-kernel: what the code generator may be given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lintel/LintelDialect.h"
#include "Transforms/InlineMath.h"
#include "Transforms/ModuleTarget.h"
#include "Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELVERIFYKERNEL
#include "Transforms/Passes.h.inc"

namespace {

struct VerifyKernelPass : impl::LintelVerifyKernelBase<VerifyKernelPass> {
  using LintelVerifyKernelBase::LintelVerifyKernelBase;

  void runOnOperation() override {
    limit = vectorBytes;
    TargetAttr known = targetAttrOf(getOperation());
    target = known ? known.getValue() : genericTarget();
    if (limit == 0)
      limit = known ? target.vectorBytes() : 64;
    auto walked = getOperation().walk([&](mlir::Operation *op) {
      return mlir::failed(check(op)) ? mlir::WalkResult::interrupt()
                                     : mlir::WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

  mlir::LogicalResult check(mlir::Operation *op) {
    if (llvm::isa<LinearOp, MicrokernelOp, ApplyEpilogueOp, PackOp>(op))
      return op->emitOpError("is left of an earlier stage");
    if (llvm::isa<mlir::memref::AllocaOp, mlir::memref::AllocOp>(op))
      return op->emitOpError("allocates inside a kernel; use the workspace");
    if (!hasInlineLowering(op, target))
      return op->emitOpError(
          "would become a library call; run lintel-approximate-math");
    for (mlir::Type type : op->getResultTypes())
      if (mlir::failed(checkVector(op, type)))
        return mlir::failure();
    return mlir::success();
  }

  mlir::LogicalResult checkVector(mlir::Operation *op, mlir::Type type) {
    auto vector = llvm::dyn_cast<mlir::VectorType>(type);
    if (!vector)
      return mlir::success();
    if (vector.getRank() != 1)
      return op->emitOpError("makes the vector ")
             << vector << "; kernels use one dimension";
    const std::optional<int64_t> elementBits = bitsOf(vector.getElementType());
    if (!elementBits)
      return op->emitOpError("makes the vector ")
             << vector << "; kernels use vectors of integers, floats and index";
    if (vector.getNumElements() * *elementBits > limit * 8)
      return op->emitOpError("makes the vector ")
             << vector << ", longer than the target's " << limit << " bytes";
    return mlir::success();
  }

  static std::optional<int64_t> bitsOf(mlir::Type element) {
    if (element.isIndex())
      return 64; // on every target
    if (element.isIntOrFloat())
      return element.getIntOrFloatBitWidth();
    return std::nullopt;
  }

  int64_t limit = 0; ///< of this run, in bytes
  Target target;
};

} // namespace
} // namespace lintel::ir
