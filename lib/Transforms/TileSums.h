// The sums of a micro-kernel's tile where they are in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"
#include "Transforms/IndexMath.h"

#include "llvm/ADT/SmallVector.h"

namespace lintel::ir {

/// acc[r, 0..nr) of each row r of a micro-kernel, in vectors of the target's
/// length: those of row 0, then those of row 1, and so on.
class TileSums {
public:
  TileSums(MicrokernelOp op, mlir::OpBuilder &builder, IndexMath &math);

  /// Asks for them, into L1.
  void prefetch();
  /// `values` and what they are added to.
  llvm::SmallVector<mlir::Value> addTo(mlir::ValueRange values);
  void store(mlir::ValueRange sums);
  void storeZeros();
  /// Adds sums of f16, in vectors of twice as many elements in the same order.
  void addHalves(mlir::ValueRange halves);

private:
  mlir::Value view();
  /// Calls body(sums, [row, column], index) for each vector. All share one
  /// view: LLVM then sees one base and constant distances, where a view for
  /// each row takes as long to lower as the row's loads.
  void
  forEach(llvm::function_ref<void(mlir::Value, mlir::ValueRange, size_t)> body);

  MicrokernelOp op;
  mlir::OpBuilder &builder;
  const mlir::Location loc;
  IndexMath &math;
  const int64_t lanes, columns;
  const mlir::VectorType vectorType;
};

} // namespace lintel::ir
