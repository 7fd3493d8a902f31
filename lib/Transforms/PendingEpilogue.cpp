// The epilogue of a tile while the next one is multiplied.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/PendingEpilogue.h"

#include "Transforms/EpilogueRegion.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace lintel::ir {

using mlir::Value;

/// Of f32 or i32: a row of a register is one vector of avx512, which all
/// targets with tile registers have.
static constexpr int64_t kLanes = AmxTile::kColumns;

PendingEpilogue::PendingEpilogue(MicrokernelOp op, mlir::OpBuilder &builder,
                                 IndexMath &math)
    : op(op), builder(builder), loc(op.getLoc()), math(math),
      tile(AmxTile::of(op.getRows(), op.getSchedule().getValue().nr)),
      mr(op.getSchedule().getValue().mr),
      access(builder, loc, op.getArgs(), op.getPendingColumn(),
             op.getBroadcasts(), op.getEpilogue()),
      sums(math.view(op.getAcc(), op.getPendingAcc(),
                     {math.constant(tile.columnTiles * mr), op.getLdacc()},
                     {op.getLdacc(), math.constant(1)})),
      scalars(access.loadScalars(kLanes)) {
  for (int64_t column = 0; column < tile.columnTiles; ++column)
    columns.push_back(access.loadColumns(math.constant(column * kLanes), kLanes,
                                         /*mask=*/nullptr));
}

Value rowsTakenAlong(IndexMath &math, int64_t rows, Value pendingRows,
                     Value depth, int64_t stepDepth) {
  const AmxTile tile = AmxTile::of(rows, AmxTile::kColumns);
  const int64_t before = tile.firstRow(tile.rowTiles - 1, rows);
  const int64_t shortest = rows / tile.rowTiles;
  Value most = math.constant(before + shortest), least = math.constant(before);
  Value whole = math.sub(math.max(math.min(pendingRows, most), least), least);
  return math.min(whole, math.ceilDivBy(depth, stepDepth));
}

Value PendingEpilogue::rowInTile(int64_t rowTile, Value row) {
  return math.add(math.constant(firstRow(rowTile)), row);
}

TileRow PendingEpilogue::rowOf(int64_t rowTile, Value row) {
  return access.rowAt(math.add(op.getPendingRow(), rowInTile(rowTile, row)),
                      kLanes, scalars);
}

void PendingEpilogue::apply(const TileRow &at, int64_t rowTile, Value row,
                            int64_t columnTile) {
  Value rowOfSums =
      math.add(math.constant(columnTile * mr), rowInTile(rowTile, row));
  auto type =
      mlir::VectorType::get(kLanes, op.getAcc().getType().getElementType());
  Value offset = math.constant(columnTile * kLanes);
  llvm::SmallVector<Value> arguments =
      access.load(at, offset, kLanes, /*mask=*/nullptr, columns[columnTile]);
  arguments.insert(arguments.begin(),
                   mlir::vector::LoadOp::create(
                       builder, loc, type, sums,
                       mlir::ValueRange{rowOfSums, math.constant(0)}));
  access.store(
      instantiateEpilogue(builder, op.getEpilogue(), arguments, kLanes), at,
      offset, /*mask=*/nullptr);
}

} // namespace lintel::ir
