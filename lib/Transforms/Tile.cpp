// lintel-tile: functions that hold a linear layer become SPMD kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lintel/LintelDialect.h"
#include "Transforms/Passes.h"
#include "Transforms/TileKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELTILE
#include "Transforms/Passes.h.inc"

namespace {

/// The kernel's arguments are the function's own, so nothing may happen to them
/// before the linear layer.
mlir::LogicalResult checkOperands(LinearOp op, mlir::func::FuncOp function) {
  for (mlir::Value operand : op->getOperands())
    if (!llvm::is_contained(function.getArguments(), operand))
      return op.emitOpError("has an operand that is not an argument of '@")
             << function.getSymName()
             << "'; only whole layers can become kernels";
  return mlir::success();
}

mlir::LogicalResult checkTypes(LinearOp op) {
  auto isF32 = [](mlir::Type type) { return type.isF32(); };
  if (!isF32(op.getInputType()))
    return op.emitOpError("has inputs of type ")
           << op.getInputType() << "; only f32 is compiled";
  for (mlir::Type type : op.getEpilogue().getArgumentTypes())
    if (!isF32(type))
      return op.emitOpError("has an epilogue argument of type ")
             << type << "; only f32 is compiled";
  for (unsigned index = 0; index < op.getNumOutputs(); ++index)
    if (!isF32(op.getOutputType(index).getElementType()))
      return op.emitOpError("has a result of type ")
             << op.getOutputType(index) << "; only f32 is compiled";
  if (mlir::ShapedType::isDynamic(op.getN()) ||
      mlir::ShapedType::isDynamic(op.getK()))
    return op.emitOpError("has a dynamic N or K; only M may be dynamic");
  return mlir::success();
}

/// The function must be the layer and nothing else: its results leave as they
/// are.
mlir::LogicalResult checkFunction(LinearOp op, mlir::func::FuncOp function) {
  mlir::Block &body = function.getBody().front();
  if (!llvm::hasSingleElement(function.getBody()) ||
      &body.front() != op.getOperation() ||
      op->getNextNode() != body.getTerminator())
    return op.emitOpError("is not the only operation of '@")
           << function.getSymName() << "'; put it in a function of its own";
  if (!llvm::equal(body.getTerminator()->getOperands(), op.getResults()))
    return op.emitOpError("has results that '@")
           << function.getSymName() << "' does not return in the same order";
  return mlir::success();
}

struct TilePass : impl::LintelTileBase<TilePass> {
  void runOnOperation() override {
    llvm::SmallVector<LinearOp> layers;
    getOperation().walk([&](LinearOp op) { layers.push_back(op); });
    for (LinearOp op : layers)
      if (mlir::failed(tile(op)))
        return signalPassFailure();
  }

  mlir::LogicalResult tile(LinearOp op) {
    auto function = llvm::dyn_cast<mlir::func::FuncOp>(op->getParentOp());
    if (!function)
      return op.emitOpError(
          "must stand directly in a func.func to become a kernel");
    if (!op.getScheduleAttr() || !op.getTargetAttr())
      return op.emitOpError(
          "has no schedule; run lintel-assign-schedule before lintel-tile");
    if (mlir::failed(checkFunction(op, function)) ||
        mlir::failed(checkOperands(op, function)) ||
        mlir::failed(checkTypes(op)))
      return mlir::failure();
    buildKernel(op, function);
    function.erase();
    return mlir::success();
  }
};

} // namespace
} // namespace lintel::ir
