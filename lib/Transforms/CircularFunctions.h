// Sine and cosine as polynomials.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Replaces math.sin and math.cos of f32 by polynomials: up to 2^15 at most
/// 1.5e-7 off the true value, and 3 units in the last place where |x| < pi / 4.
/// Beyond 2^22 the result is some number from -1 to 1.
void populateCircularFunctionPatterns(mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
