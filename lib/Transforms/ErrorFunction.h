// The error function as a quotient of polynomials.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Replaces math.erf of f32 by 10 multiply-adds, two products, one division and
/// four selections. MLIR's own chooses coefficients among three intervals,
/// which are 21 selections. Up to 6 units in the last place off the true value
/// with FMA and 6.4 without; never beyond -1 and 1, and these from 4 on.
void populateErrorFunctionPatterns(mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
