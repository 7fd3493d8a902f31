// What functions of f32 are made of: bounds and polynomials.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Builders.h"
#include "llvm/ADT/ArrayRef.h"

namespace lintel::ir {

/// The larger, or smaller, of `x` and `bound`; `x` is a float or a vector of
/// them, and NaN stays NaN. One instruction.
mlir::Value atLeast(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x,
                    double bound);
mlir::Value atMost(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x,
                   double bound);

/// Horner's scheme in multiply-adds; `coefficients` with the lowest power
/// first, at least one.
mlir::Value polynomial(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value x, llvm::ArrayRef<double> coefficients);

} // namespace lintel::ir
