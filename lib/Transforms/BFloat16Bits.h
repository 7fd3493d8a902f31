// bf16 as integers, for CPUs that cannot compute with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Makes bf16 the integer of its bits, in values and in memory. LLVM takes a
/// bf16 from one block to the next by way of f32 and back, which is a call of a
/// library where no instruction rounds to it. What is left of bf16 by then is
/// moved and widened, which checkBFloat16Bits has seen.
void populateBFloat16Bits(mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

/// Fails, with an error on it, if an operation of the module does more with
/// bf16 than move and widen it: patterns would compute with its bits.
mlir::LogicalResult checkBFloat16Bits(mlir::ModuleOp module,
                                      const Target &target);

} // namespace lintel::ir
