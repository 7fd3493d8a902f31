// Loads and stores of vectors of 16-bit floats.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Patterns that load and store vectors of 16-bit floats as integers, before
/// MLIR's own: of bf16, LLVM tears loads apart, and masks into branches, on
/// CPUs that cannot compute with it.
void populateNarrowAccessPatterns(const mlir::LLVMTypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
