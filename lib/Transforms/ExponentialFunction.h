// The exponential functions as a polynomial and a power of two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Replaces math.exp of f32 by nine multiply-adds and five other instructions,
/// and a negation before it by none. At most 2 units in the last place off the
/// true value where that is a normal number; 0 below -87.7, infinity from 88.73
/// on; exp(0) is 1. And math.exp2 by as much: powers of whole numbers are
/// exact, infinity from 128 on.
void populateExponentialFunctionPatterns(mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
