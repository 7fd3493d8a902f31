// What every op with an epilogue region checks of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"

namespace lintel::ir {

/// Fails, with an error on `owner`, unless `type` is what products of elements
/// of type `input` are summed in: f32 for floats, i32 for integers.
llvm::LogicalResult verifyAccumulatorType(mlir::Operation *owner,
                                          mlir::Type input, mlir::Type type);

/// Fails, with an error on the offending operation, unless the one block of
/// `region` holds only scalar elementwise arith and math operations without
/// side effects, on f32 and integers of 1 to 32 bits; of bf16 and f16 only
/// conversions from and to f32 or from integers, and what moves bits.
llvm::LogicalResult verifyEpilogueBody(mlir::Region &region);

/// Fails unless `broadcasts` of an op inside a kernel names each of what its
/// region takes: the sums of columns and rows, if any, before the operands, in
/// this order; of integers alone.
llvm::LogicalResult verifyBroadcasts(mlir::Operation *op,
                                     mlir::ArrayAttr broadcasts,
                                     mlir::Type accumulator);

/// Fails unless such a region does something: takes the accumulator and an
/// operand for each broadcast, of types that tensors have, yields at least one
/// output, and does in between what every epilogue may.
llvm::LogicalResult verifyKernelEpilogue(mlir::Operation *op,
                                         mlir::Region &region,
                                         mlir::ArrayAttr broadcasts,
                                         mlir::Type accumulator);

} // namespace lintel::ir
