// Where the target of a module's kernels stands once no layer is left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"

#include "mlir/IR/BuiltinOps.h"

namespace lintel::ir {

/// That of the nearest module that has one: `module` or one around it. Null if
/// none has.
inline TargetAttr targetAttrOf(mlir::ModuleOp module) {
  for (; module; module = module->getParentOfType<mlir::ModuleOp>())
    if (auto target = module->getAttrOfType<TargetAttr>(kTargetAttribute))
      return target;
  return {};
}

/// Notes a target on the module around `op`: one object has one, which later
/// stages find there. Fails, with an error on `op`, if the module has another.
inline mlir::LogicalResult keepTarget(mlir::Operation *op, TargetAttr target) {
  auto module = op->getParentOfType<mlir::ModuleOp>();
  mlir::Attribute known = module->getAttr(kTargetAttribute);
  if (known && known != target)
    return op->emitOpError("is for ")
           << target << ", but its module is for " << known
           << "; put it in a module of its own";
  module->setAttr(kTargetAttribute, target);
  return mlir::success();
}

/// What compiling for nobody in particular means: reproducible everywhere.
inline Target genericTarget() {
  Target target;
  target.isa = IsaLevel::avx2;
  return target;
}

} // namespace lintel::ir
