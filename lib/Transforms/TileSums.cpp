// The sums of a micro-kernel's tile where they are in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/TileSums.h"

#include "Transforms/ProductStep.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace lintel::ir {

using mlir::Value;
namespace arith = mlir::arith;
namespace vector = mlir::vector;

TileSums::TileSums(MicrokernelOp op, mlir::OpBuilder &builder, IndexMath &math)
    : op(op), builder(builder), loc(op.getLoc()), math(math),
      lanes(op.getTarget().getValue().lanes()),
      columns(op.getSchedule().getValue().nr),
      vectorType(mlir::VectorType::get(
          lanes, op.getAcc().getType().getElementType())) {}

// One view for all rows: LLVM then sees one base and constant distances, where
// a view for each row takes as long to lower as the row's loads.
void TileSums::forEach(
    llvm::function_ref<void(Value, mlir::ValueRange, int64_t)> body) {
  const int64_t vectors = columns / lanes;
  const auto rows = static_cast<int64_t>(op.getRows());
  Value sums = math.view(op.getAcc(), op.getAccOffset(),
                         {math.constant(rows), math.constant(columns)},
                         {op.getLdacc(), math.constant(1)});
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t v = 0; v < vectors; ++v)
      body(sums, {math.constant(r), math.constant(v * lanes)}, r * vectors + v);
}

llvm::SmallVector<Value> TileSums::load() {
  llvm::SmallVector<Value> loaded;
  forEach([&](Value tile, mlir::ValueRange at, int64_t) {
    loaded.push_back(
        vector::LoadOp::create(builder, loc, vectorType, tile, at));
  });
  return loaded;
}

void TileSums::store(mlir::ValueRange sums) {
  forEach([&](Value tile, mlir::ValueRange at, int64_t index) {
    vector::StoreOp::create(builder, loc, sums[static_cast<size_t>(index)],
                            tile, at);
  });
}

void TileSums::storeZeros() {
  Value zeros =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vectorType));
  forEach([&](Value tile, mlir::ValueRange at, int64_t) {
    vector::StoreOp::create(builder, loc, zeros, tile, at);
  });
}

void TileSums::addHalves(mlir::ValueRange halves) {
  forEach([&](Value tile, mlir::ValueRange at, int64_t index) {
    Value both = halves[static_cast<size_t>(index / 2)];
    const int64_t first = index % 2 * lanes;
    const auto part = llvm::to_vector(llvm::seq(first, first + lanes));
    Value half = vector::ShuffleOp::create(builder, loc, both, both, part);
    Value wide = arith::ExtFOp::create(builder, loc, vectorType, half);
    Value before = vector::LoadOp::create(builder, loc, vectorType, tile, at);
    vector::StoreOp::create(builder, loc, addSums(builder, loc, before, wide),
                            tile, at);
  });
}

} // namespace lintel::ir
