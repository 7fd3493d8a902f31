// The cube root, by Newton's method.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Replaces math.cbrt of f32. MLIR's own is NaN of infinities, and of denormals
/// up to 500 times too large.
void populateCubeRootPattern(mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
