// Sine and cosine as polynomials.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Replaces math.sin and math.cos of f32 by polynomials: at most 1.5e-7 off the
/// true value up to 2^18 with FMA, without up to 2^15 and from there to 2^17 at
/// most 2e-6; and 3 units in the last place where |x| < pi / 4. Beyond, the
/// result is the sine of some number.
void populateCircularFunctionPatterns(mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
