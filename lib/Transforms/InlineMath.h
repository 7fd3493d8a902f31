// Which operations become instructions and not library calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"

#include "mlir/IR/Operation.h"

namespace lintel::ir {

/// False for an `arith` or `math` operation, a `vector.fma`, a
/// `vector.reduction` or an atomic of `memref`, that code generation for
/// `target` would turn into a library call, which a kernel may not make, that
/// lintel-to-llvm has no pattern for, or that names the mode in which it
/// rounds: kernels know one. Of 16-bit floats that leaves conversions from and
/// to f32 that the target has instructions for, or that are shifts, and what
/// only moves bits; FMAs of f16 on avx512fp16.
bool hasInlineLowering(mlir::Operation *op, const Target &target);

/// True if an operand or a result is, or holds, a bf16.
bool worksOnBF16(mlir::Operation *op);
/// True for the narrowing of f32 to bf16.
bool narrowsToBF16(mlir::Operation *op);
/// True for the conversion of an integer to bf16 or f16.
bool integerToNarrowFloat(mlir::Operation *op);
/// True for conversions between f16 and f32.
bool convertsHalf(mlir::Operation *op);

} // namespace lintel::ir
