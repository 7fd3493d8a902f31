// Rounding to integers without instructions for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Replaces math.round of f32, which no CPU has, by math.trunc and a step.
void populateRoundHalfAwayPattern(mlir::RewritePatternSet &patterns);

/// Replaces math.floor, math.ceil, math.trunc and math.roundeven of f32 by
/// conversions to i32 and sums, for CPUs without SSE4.1.
void populateBaselineRoundingPatterns(mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
