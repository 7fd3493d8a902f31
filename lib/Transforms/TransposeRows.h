// Four rows of groups of K, as lanes of vectors, transposed in registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace lintel::ir {

/// Of how many lanes each: with 8, of two quads, half of what stores take goes
/// without shuffles; with 16 the instructions take longer to compile than they
/// save.
int64_t columnsTogether(const Target &target);

/// The columns of four rows of 4 or 8 lanes, vectors of four: two rounds of
/// shuffles within 128 bits.
llvm::SmallVector<mlir::Value> transposed(mlir::OpBuilder &builder,
                                          mlir::Location loc,
                                          llvm::ArrayRef<mlir::Value> rows);

} // namespace lintel::ir
