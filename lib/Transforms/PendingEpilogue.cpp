// The epilogue of a tile while the next one is multiplied.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/PendingEpilogue.h"

#include "Schedule/Partition.h"
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
      scalars(access.loadScalars(kLanes)) {
  for (int64_t column = 0; column < tile.columnTiles; ++column)
    columns.push_back(access.loadColumns(math.constant(column * kLanes), kLanes,
                                         /*mask=*/nullptr));
}

Value PendingEpilogue::wholeRows() {
  const int64_t before = firstRow(tile.rowTiles - 1);
  const int64_t shortest = int64_t(op.getRows()) / tile.rowTiles;
  Value most = math.constant(before + shortest), least = math.constant(before);
  return math.sub(math.max(math.min(op.getPendingRows(), most), least), least);
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
  // The whole tile: LLVM then sees constant distances from one base.
  Value sums = math.view(op.getAcc(), op.getPendingAcc(),
                         {math.constant(tile.columnTiles * mr), op.getLdacc()},
                         {op.getLdacc(), math.constant(1)});
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

void PendingEpilogue::applyFrom(Value begin) {
  const int64_t tallest = ceilDiv(int64_t(op.getRows()), tile.rowTiles);
  math.loop(begin, math.constant(tallest), math.constant(1), [&](Value row) {
    for (int64_t rowTile = 0; rowTile < tile.rowTiles; ++rowTile) {
      Value end =
          math.min(op.getPendingRows(), math.constant(firstRow(rowTile + 1)));
      math.when(math.greater(end, rowInTile(rowTile, row)), [&] {
        const TileRow at = rowOf(rowTile, row);
        for (int64_t column = 0; column < tile.columnTiles; ++column)
          apply(at, rowTile, row, column);
      });
    }
  });
}

} // namespace lintel::ir
