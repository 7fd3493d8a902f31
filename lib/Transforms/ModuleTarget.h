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

/// What compiling for nobody in particular means: reproducible everywhere.
inline Target genericTarget() {
  Target target;
  target.isa = IsaLevel::avx2;
  return target;
}

} // namespace lintel::ir
