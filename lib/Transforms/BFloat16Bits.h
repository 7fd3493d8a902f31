// bf16 as integers, for CPUs that cannot compute with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Makes bf16 the integer of its bits, in values and in memory. LLVM takes a
/// bf16 from one block to the next by way of f32 and back, which is a call of a
/// library where no instruction rounds to it. What is left of bf16 by then is
/// moved and widened, and nothing rounds to it: lintel-approximate-math sees to
/// that.
void populateBFloat16Bits(mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

} // namespace lintel::ir
