// The sums of a micro-kernel's tile where they are in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/TileSums.h"

#include "Transforms/PrefetchLocality.h"
#include "Transforms/PrefetchTile.h"
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

Value TileSums::view() {
  return math.view(op.getAcc(), op.getAccOffset(),
                   {math.constant(static_cast<int64_t>(op.getRows())),
                    math.constant(columns)},
                   {op.getLdacc(), math.constant(1)});
}

void TileSums::forEach(
    llvm::function_ref<void(Value, mlir::ValueRange, size_t)> body) {
  const auto rows = static_cast<int64_t>(op.getRows());
  Value sums = view();
  size_t index = 0;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; column += lanes)
      body(sums, {math.constant(row), math.constant(column)}, index++);
}

llvm::SmallVector<Value> TileSums::addTo(mlir::ValueRange values) {
  llvm::SmallVector<Value> added;
  forEach([&](Value sums, mlir::ValueRange at, size_t index) {
    Value before = vector::LoadOp::create(builder, loc, vectorType, sums, at);
    added.push_back(addSums(builder, loc, before, values[index]));
  });
  return added;
}

void TileSums::prefetch() {
  Value sums = view();
  for (int64_t row = 0; row < static_cast<int64_t>(op.getRows()); ++row)
    for (int64_t line = 0; line < linesOfRow(sums, columns); ++line)
      prefetchLine(builder, loc, sums, math.constant(row), line, kToL1);
}

void TileSums::store(mlir::ValueRange values) {
  forEach([&](Value sums, mlir::ValueRange at, size_t index) {
    vector::StoreOp::create(builder, loc, values[index], sums, at);
  });
}

void TileSums::storeZeros() {
  Value zeros =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vectorType));
  forEach([&](Value sums, mlir::ValueRange at, size_t) {
    vector::StoreOp::create(builder, loc, zeros, sums, at);
  });
}

void TileSums::addHalves(mlir::ValueRange halves) {
  forEach([&](Value sums, mlir::ValueRange at, size_t index) {
    Value both = halves[index / 2];
    const int64_t first = static_cast<int64_t>(index % 2) * lanes;
    const auto part = llvm::to_vector(llvm::seq(first, first + lanes));
    Value half = vector::ShuffleOp::create(builder, loc, both, both, part);
    Value wide = arith::ExtFOp::create(builder, loc, vectorType, half);
    Value before = vector::LoadOp::create(builder, loc, vectorType, sums, at);
    vector::StoreOp::create(builder, loc, addSums(builder, loc, before, wide),
                            sums, at);
  });
}

} // namespace lintel::ir
