// The hyperbolic functions, and their inverses, by exponentials and logarithms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Patterns that expand math.sinh, cosh, asinh, acosh and atanh of f32. Those
/// of MLIR, which take the formulas of textbooks, cancel near zero and overflow
/// far from it: asinh(-10000) is an infinity, atanh(1e-8) is 0.
void populateHyperbolicFunctionPatterns(mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
