// lintel-tile: functions that hold a linear layer become SPMD kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lintel/LintelDialect.h"
#include "Problem/ReadLinear.h"
#include "Schedule/SearchSpace.h"
#include "Tmm/TmmDialect.h"
#include "Transforms/ModuleTarget.h"
#include "Transforms/PackKernel.h"
#include "Transforms/Passes.h"
#include "Transforms/TileKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELTILE
#include "Transforms/Passes.h.inc"

namespace {

/// A kernel is one operation over the function's own arguments, whose results
/// leave as they are.
mlir::LogicalResult checkWholeFunction(mlir::Operation *op,
                                       mlir::func::FuncOp function) {
  mlir::Block &body = function.getBody().front();
  if (!llvm::hasSingleElement(function.getBody()) || &body.front() != op ||
      op->getNextNode() != body.getTerminator())
    return op->emitOpError("is not the only operation of '@")
           << function.getSymName() << "'; put it in a function of its own";
  if (!llvm::equal(body.getTerminator()->getOperands(), op->getResults()))
    return op->emitOpError("has results that '@")
           << function.getSymName() << "' does not return in the same order";
  for (mlir::Value operand : op->getOperands())
    if (!llvm::is_contained(function.getArguments(), operand))
      return op->emitOpError("has an operand that is not an argument of '@")
             << function.getSymName()
             << "'; only whole layers can become kernels";
  return mlir::success();
}

/// Of a tensor a kernel is told where it begins and how far its rows are apart.
mlir::LogicalResult checkLayouts(mlir::Operation *op) {
  for (mlir::Type type : op->getOperandTypes())
    if (auto memref = llvm::dyn_cast<mlir::MemRefType>(type);
        memref && memref.getRank() > 0 && !memref.isLastDimUnitStride())
      return op->emitOpError("has an operand of type ")
             << memref
             << "; its elements must lie side by side along the last dimension";
  return mlir::success();
}

mlir::LogicalResult checkOperandTypes(LinearOp op) {
  for (mlir::Type type : op.getEpilogue().getArgumentTypes())
    if (!type.isF32() && !type.isBF16() && !type.isF16() &&
        !type.isSignlessInteger(32))
      return op.emitOpError("has an epilogue argument of type ")
             << type << "; f32, bf16, f16 and i32 are compiled";
  return mlir::success();
}

/// A weight that is packed already must be packed for this schedule.
mlir::LogicalResult checkPacking(LinearOp op) {
  auto packed = llvm::dyn_cast<PackedType>(op.getW().getType());
  Schedule schedule = op.getScheduleAttr().getValue();
  if (packed &&
      (packed.getN() != schedule.nr || packed.getK() != schedule.group))
    return op.emitOpError("has a weight packed with n = ")
           << packed.getN() << ", k = " << packed.getK()
           << "; its schedule reads n = " << schedule.nr
           << ", k = " << schedule.group;
  return mlir::success();
}

/// A schedule that was written by hand may be none for this layer and target.
mlir::LogicalResult checkLegality(LinearOp op) {
  Expected<std::vector<Problem>> shapes = shapesOf(op);
  if (!shapes)
    return op.emitOpError(shapes.error().message());
  for (const Problem &shape : *shapes)
    if (Status legal = checkSchedule(op.getScheduleAttr().getValue(), shape,
                                     op.getTargetAttr().getValue());
        !legal)
      return op.emitOpError("schedule: ") << legal.error().message();
  return mlir::success();
}

struct TilePass : impl::LintelTileBase<TilePass> {
  void runOnOperation() override {
    llvm::SmallVector<mlir::Operation *> wholes;
    getOperation().walk([&](mlir::Operation *op) {
      if (llvm::isa<LinearOp, PackOp>(op))
        wholes.push_back(op);
    });
    for (mlir::Operation *op : wholes)
      if (mlir::failed(tile(op)))
        return signalPassFailure();
  }

  mlir::LogicalResult tile(mlir::Operation *op) {
    auto function = llvm::dyn_cast<mlir::func::FuncOp>(op->getParentOp());
    if (!function)
      return op->emitOpError(
          "must stand directly in a func.func to become a kernel");
    if (mlir::failed(checkWholeFunction(op, function)) ||
        mlir::failed(checkLayouts(op)))
      return mlir::failure();
    mlir::LogicalResult built =
        llvm::TypeSwitch<mlir::Operation *, mlir::LogicalResult>(op)
            .Case([&](LinearOp linear) { return build(linear, function); })
            .Case([&](PackOp pack) { return build(pack, function); });
    if (mlir::succeeded(built))
      function.erase();
    return built;
  }

  mlir::LogicalResult build(LinearOp op, mlir::func::FuncOp function) {
    if (!op.getScheduleAttr() || !op.getTargetAttr())
      return op.emitOpError(
          "has no schedule; run lintel-assign-schedule before lintel-tile");
    if (mlir::failed(checkLegality(op)) ||
        mlir::failed(checkOperandTypes(op)) || mlir::failed(checkPacking(op)))
      return mlir::failure();
    if (mlir::failed(keepTarget(op)))
      return mlir::failure();
    buildKernel(op, function);
    return mlir::success();
  }

  /// One object has one target, which the later stages find on the module.
  mlir::LogicalResult keepTarget(LinearOp op) {
    mlir::Attribute known = getOperation()->getAttr(kTargetAttribute);
    if (known && known != op.getTargetAttr())
      return op.emitOpError("is for ")
             << op.getTargetAttr() << ", but its module is for " << known
             << "; put it in a module of its own";
    getOperation()->setAttr(kTargetAttribute, op.getTargetAttr());
    return mlir::success();
  }

  mlir::LogicalResult build(PackOp op, mlir::func::FuncOp function) {
    buildPackKernel(op, function);
    return mlir::success();
  }
};

} // namespace
} // namespace lintel::ir
