// Named epilogue stages as arith and math operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Problem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"

namespace lintel {

/// The float scalar in f32, in which epilogues compute.
mlir::Value widenToF32(mlir::OpBuilder &builder, mlir::Value value);
/// The f32 scalar rounded to a float type.
mlir::Value roundTo(mlir::OpBuilder &builder, mlir::Value value,
                    mlir::Type type);

/// Applies `stages` in order to `accumulator` at the insertion point; stages
/// that read a tensor take the next of `operands`. Returns the result. `flags`
/// are of every sum and product.
///
/// At infinities the operations give what PyTorch gives: gelu and silu of -inf
/// are NaN, since they come to -inf * 0 and -inf / inf; NaN passes through
/// every stage.
mlir::Value buildStages(mlir::OpBuilder &builder, mlir::Location location,
                        const std::vector<EpilogueStage> &stages,
                        mlir::Value accumulator,
                        llvm::ArrayRef<mlir::Value> operands,
                        mlir::arith::FastMathFlags flags);

} // namespace lintel
