// Views of memory, and what loads, stores and prefetches through them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace lintel::ir {

/// Patterns for views of pointers and for what goes through them, before
/// MLIR's own. An address is worked out where LLVM may leave it: the offset of
/// a view where the view is made, and so in front of the loops that use it;
/// what is known of an index behind what is not, where instructions add it for
/// nothing. Descriptors are read by nobody then, and fall away.
///
/// MLIR's patterns for vectors make an LLVMContext for each access to ask how
/// elements are aligned, too: a twentieth of an object's time. Of 16-bit floats
/// vectors are loaded and stored as integers: of bf16, LLVM tears loads apart,
/// and masks into branches, on CPUs that cannot compute with it.
void populateMemoryAccessPatterns(const mlir::LLVMTypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);

/// Erases what nobody reads of descriptors, and what only that was made from.
void eraseUnread(mlir::ModuleOp module);

} // namespace lintel::ir
