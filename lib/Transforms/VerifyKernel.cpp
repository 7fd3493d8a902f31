// lintel-verify-kernel: what the code generator may be given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lintel/LintelDialect.h"
#include "Tmm/TmmDialect.h"
#include "Transforms/InlineMath.h"
#include "Transforms/ModuleTarget.h"
#include "Transforms/Passes.h"
#include "Transforms/VectorLength.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELVERIFYKERNEL
#include "Transforms/Passes.h.inc"

namespace {

struct VerifyKernelPass : impl::LintelVerifyKernelBase<VerifyKernelPass> {
  using LintelVerifyKernelBase::LintelVerifyKernelBase;

  mlir::LogicalResult initialize(mlir::MLIRContext *context) override {
    if (vectorBytes >= 0 && vectorBytes <= kMostVectorBytes)
      return mlir::success();
    return mlir::emitError(mlir::UnknownLoc::get(context))
           << "option vector-bytes is " << int64_t(vectorBytes)
           << "; it must be at least 0 and at most " << kMostVectorBytes;
  }

  void runOnOperation() override {
    if (mlir::failed(verify(getOperation())))
      signalPassFailure();
  }

  /// Modules inside, which may be for targets of their own, are looked at last.
  mlir::LogicalResult verify(mlir::ModuleOp module) {
    TargetAttr known = targetAttrOf(module);
    target = known ? known.getValue() : genericTarget();
    limit = vectorBytes > 0 ? int64_t(vectorBytes)
            : known         ? target.vectorBytes()
                            : 64;
    llvm::SmallVector<mlir::ModuleOp> nested;
    auto walked =
        module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
          auto inside = llvm::dyn_cast<mlir::ModuleOp>(op);
          if (inside && inside != module) {
            nested.push_back(inside);
            return mlir::WalkResult::skip();
          }
          return mlir::failed(check(op)) ? mlir::WalkResult::interrupt()
                                         : mlir::WalkResult::advance();
        });
    if (walked.wasInterrupted())
      return mlir::failure();
    for (mlir::ModuleOp inside : nested)
      if (mlir::failed(verify(inside)))
        return mlir::failure();
    return mlir::success();
  }

  mlir::LogicalResult check(mlir::Operation *op) {
    if (!mayBeLeft(op))
      return op->emitOpError("is left of an earlier stage, or of no stage");
    if (llvm::isa<mlir::memref::AllocaOp, mlir::memref::AllocOp,
                  mlir::memref::ReallocOp, mlir::LLVM::AllocaOp>(op))
      return op->emitOpError("allocates inside a kernel; use the workspace");
    if (llvm::isa<mlir::memref::CopyOp, mlir::memref::DeallocOp,
                  mlir::vector::PrintOp>(op))
      return op->emitOpError("would become a library call");
    if (mlir::failed(checkCallee(op)))
      return mlir::failure();
    if (!hasInlineLowering(op, target))
      return op->emitOpError("has no inline lowering on its target; ")
             << remedyFor(op);
    for (mlir::Type type : op->getResultTypes()) {
      if (llvm::isa<mlir::TensorType>(type))
        return op->emitOpError()
               << "makes the tensor " << type << "; " << kNoTensors;
      if (mlir::failed(checkType(op, "makes", type)))
        return mlir::failure();
    }
    // Whatever an operand is was made by an operation or comes into a block.
    for (mlir::Region &region : op->getRegions())
      for (mlir::Type type : argumentTypes(region))
        if (mlir::failed(checkType(op, "takes", type)))
          return mlir::failure();
    return mlir::success();
  }

  /// The emulation of tiles is called later, by operations of LLVM.
  static mlir::LogicalResult checkCallee(mlir::Operation *op) {
    mlir::FlatSymbolRefAttr name;
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
      name = call.getCalleeAttr();
    else if (auto constant = llvm::dyn_cast<mlir::func::ConstantOp>(op))
      name = constant.getValueAttr();
    else
      return mlir::success();
    auto callee =
        mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(op,
                                                                       name);
    if (callee && !callee.isExternal())
      return mlir::success();
    return op->emitOpError("calls '@")
           << name.getValue()
           << "', which has no body here: kernels call no library";
  }

  static constexpr const char *kNoTensors =
      "kernels compute on scalars and vectors, not on tensors";

  /// What to do about an operation without an inline lowering.
  static llvm::StringRef remedyFor(mlir::Operation *op) {
    return llvm::any_of(op->getResultTypes(), llvm::IsaPred<mlir::TensorType>)
               ? kNoTensors
               : "lintel-approximate-math makes some operations inline";
  }

  /// Of a dialect that lintel-lower-tmm or lintel-to-llvm lowers. They say
  /// which of its operations they do not know.
  static bool mayBeLeft(mlir::Operation *op) {
    return llvm::isa<KernelArgOp>(op) ||
           llvm::isa_and_present<
               mlir::BuiltinDialect, mlir::arith::ArithDialect,
               mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
               mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
               mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
               tmm::TmmDialect, mlir::ub::UBDialect,
               mlir::vector::VectorDialect>(op->getDialect());
  }

  static llvm::SmallVector<mlir::Type> argumentTypes(mlir::Region &region) {
    llvm::SmallVector<mlir::Type> types;
    for (mlir::Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
    return types;
  }

  mlir::LogicalResult checkType(mlir::Operation *op, llvm::StringRef verb,
                                mlir::Type type) {
    if (mlir::getElementTypeOrSelf(type).isInteger(0))
      return op->emitOpError() << verb << " " << type
                               << "; LLVM's integers have at least one bit";
    auto vector = llvm::dyn_cast<mlir::VectorType>(type);
    return vector ? checkVector(op, verb, vector) : mlir::success();
  }

  mlir::LogicalResult checkVector(mlir::Operation *op, llvm::StringRef verb,
                                  mlir::VectorType vector) {
    const auto refuse = [&]() {
      return op->emitOpError() << verb << " the vector " << vector;
    };
    if (vector.getRank() != 1)
      return refuse() << "; kernels use one dimension";
    if (vector.isScalable())
      return refuse() << "; kernels use vectors of a known length";
    if (!bitsOfElement(vector.getElementType()))
      return refuse() << "; kernels use vectors of integers, floats and index";
    if (isLongerThan(limit, vector))
      return refuse() << ", longer than the target's " << limit << " bytes";
    return mlir::success();
  }

  int64_t limit = 0; ///< in bytes, of the module that is looked at
  Target target;     ///< its own
};

} // namespace
} // namespace lintel::ir
