// Arithmetic on scalar integers to the LLVM dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Patterns for what kernels compute addresses and counts with, before MLIR's
/// own, which take attributes apart and put them together again for each
/// operation: 2 % of an object's time. Vectors are left to those.
void populateScalarPatterns(const mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
