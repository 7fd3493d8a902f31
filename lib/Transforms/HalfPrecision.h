// Conversions of f16 for CPUs that have no instructions for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// f16, or a vector of it, to f32; exact.
mlir::Value widenHalf(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value half);

/// f32, or a vector of it, to f16, to nearest even; NaN stays NaN.
mlir::Value narrowToHalf(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value single);

/// Replaces arith.extf and arith.truncf between f16 and f32 by them.
void populateHalfConversionPatterns(mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
