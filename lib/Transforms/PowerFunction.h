// Powers, and logarithms to base ten, by logarithms and exponentials.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Replaces math.powf of f32 as C has it: negative bases with whole exponents,
/// zeros, infinities and NaN included. A constant whole exponent of up to 16
/// becomes products, 0.5 and -0.5 a root (these of f64, too), any other power
/// exp(y log |x|), which takes denormal bases for the smallest normal number as
/// math.log does. So math.fpowi, whose exponent may be of more bits than floats
/// have; of f64 with any constant one. And math.log10 by math.log.
void populatePowerFunctionPatterns(mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
