// Named epilogue stages as arith and math operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Problem.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"

namespace lintel {

/// Applies `stages` in order to `accumulator` at the insertion point; stages
/// that read a tensor take the next of `operands`. Returns the result.
///
/// At infinities the operations give what PyTorch gives: gelu and silu of -inf
/// are NaN, since they come to -inf * 0 and -inf / inf; NaN passes through
/// every stage.
mlir::Value buildStages(mlir::OpBuilder &builder, mlir::Location location,
                        const std::vector<EpilogueStage> &stages,
                        mlir::Value accumulator,
                        llvm::ArrayRef<mlir::Value> operands);

} // namespace lintel
