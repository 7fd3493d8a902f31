// Loads and stores of vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Patterns that load and store vectors, before MLIR's own, which make an
/// LLVMContext for each to ask how elements are aligned: a twentieth of an
/// object's time. Of 16-bit floats they load and store integers: of bf16, LLVM
/// tears loads apart, and masks into branches, on CPUs that cannot compute with
/// it.
void populateVectorAccessPatterns(const mlir::LLVMTypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
