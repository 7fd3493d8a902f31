// The first and last steps of an epilogue of int8, as arith operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Problem.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"

namespace lintel {

/// Fills a new block with the epilogue of a problem of int8, whose arguments
/// are the accumulator, the sums it takes, and its operands; returns what to
/// yield. Every step is IEEE arithmetic in f32, in one order, so that all
/// kernels and the reference agree to the bit:
///
///   v = f32(acc - x_zero * column_sum - w_zero * (row_sum - K * x_zero))
///       * (x_scale * w_scale)
///   v = stages(v)
///   q = clamp(round_to_even(v * (1 / result_scale)) + f32(result_zero))
///
/// A result that is NaN becomes the least integer.
mlir::Value buildQuantizedEpilogue(mlir::OpBuilder &builder,
                                   mlir::Location location,
                                   const Problem &problem,
                                   llvm::ArrayRef<mlir::Value> arguments);

} // namespace lintel
