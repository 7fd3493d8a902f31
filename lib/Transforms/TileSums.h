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

  llvm::SmallVector<mlir::Value> load();
  void store(mlir::ValueRange sums);
  void storeZeros();
  /// Adds sums of f16, in vectors of twice as many elements in the same order.
  void addHalves(mlir::ValueRange halves);

private:
  /// Calls body(tile in memory, place in it, index) for each vector.
  void forEach(
      llvm::function_ref<void(mlir::Value, mlir::ValueRange, int64_t)> body);

  MicrokernelOp op;
  mlir::OpBuilder &builder;
  const mlir::Location loc;
  IndexMath &math;
  const int64_t lanes, columns;
  const mlir::VectorType vectorType;
};

} // namespace lintel::ir
