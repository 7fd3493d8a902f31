// Where the target of a module's kernels stands once no layer is left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"

#include "mlir/IR/BuiltinOps.h"

namespace lintel::ir {

/// A discardable attribute of the module, a #lintel.target: set by lintel-tile,
/// read by lintel-approximate-math and lintel-verify-kernel, removed by
/// lintel-to-llvm.
inline constexpr const char *kTargetAttribute = "lintel.target";

/// Null unless the module has one.
inline TargetAttr targetAttrOf(mlir::ModuleOp module) {
  return module->getAttrOfType<TargetAttr>(kTargetAttribute);
}

/// What compiling for nobody in particular means: reproducible everywhere.
inline Target genericTarget() {
  Target target;
  target.isa = IsaLevel::avx2;
  return target;
}

} // namespace lintel::ir
