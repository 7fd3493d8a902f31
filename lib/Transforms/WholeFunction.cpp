// Functions that hold one operation and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Transforms/WholeFunction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace lintel::ir {

mlir::LogicalResult checkWholeFunction(mlir::Operation *op) {
  auto function = llvm::dyn_cast<mlir::func::FuncOp>(op->getParentOp());
  if (!function)
    return op->emitOpError(
        "must stand directly in a func.func to become a kernel");
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

} // namespace lintel::ir
