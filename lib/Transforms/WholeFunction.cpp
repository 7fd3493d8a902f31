// Functions that hold one operation and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Transforms/WholeFunction.h"

#include "Lintel/LintelDialect.h"

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

/// Attributes that speak of what the function is made of and takes, which the
/// kernel is and does not: those of the dialects that kernels become, and those
/// of none, which conversion hands on to LLVM (`memory_effects`).
static bool speaksOfBody(mlir::NamedAttribute attribute) {
  const auto [dialect, rest] = attribute.getName().getValue().split('.');
  return (rest.empty() && dialect != "passthrough") || dialect == "llvm" ||
         dialect == "tmm";
}

mlir::LogicalResult checkReplaceable(mlir::Operation *op,
                                     mlir::func::FuncOp function) {
  const llvm::StringRef name = function.getSymName();
  if (function.getArgAttrsAttr() || function.getResAttrsAttr())
    return op->emitOpError("stands in '@")
           << name
           << "', which has attributes of arguments or results; a kernel has "
              "neither";
  if (llvm::isa<LinearOp>(op) && function->hasAttr("passthrough"))
    return op->emitOpError("stands in '@")
           << name << "', whose 'passthrough' the kernel decides; leave it out";
  for (mlir::NamedAttribute attribute : function->getDiscardableAttrs())
    if (speaksOfBody(attribute))
      return op->emitOpError("stands in '@")
             << name << "', whose '" << attribute.getName().getValue()
             << "' is not of its kernel; leave it out";
  return mlir::success();
}

} // namespace lintel::ir
