// Where among the floats a number lies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Replaces math.isinf, which MLIR does not lower as it does the tests for NaN
/// and for finite numbers, and math.clampf, of which LLVM 22's expansion gives
/// the upper bound for any number.
void populateRangeFunctionPatterns(mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
