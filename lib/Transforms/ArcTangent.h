// The arc tangent of a number, and of a point, as a polynomial.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Replaces math.atan of f32 by a quotient and a polynomial, at most 3 units in
/// the last place off the true value, and math.atan2 by the same, with the
/// zeros and infinities that C has.
void populateArcTangentPatterns(mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
