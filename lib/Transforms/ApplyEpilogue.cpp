// The epilogue over a tile in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/ApplyEpilogue.h"

#include "Transforms/EpilogueRegion.h"
#include "Transforms/IndexMath.h"
#include "Transforms/TileAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace lintel::ir {
namespace {

using mlir::Value;
using Values = llvm::SmallVector<Value>;

class ApplyEpilogueLowering {
public:
  explicit ApplyEpilogueLowering(ApplyEpilogueOp op)
      : op(op), builder(op), loc(op.getLoc()), math(builder, loc),
        target(op.getTarget().getValue()),
        tile(builder, loc, op.getArgs(), op.getColumn(), op.getBroadcasts(),
             op.getEpilogue()) {}

  void lower() {
    Schedule schedule = op.getSchedule().getValue();
    if (schedule.streamsOutputs())
      streams = tile.fillsLines(op.getColumns(), schedule.nr);
    math.loop(op.getRows(), [&](Value r) {
      Value offset = math.add(op.getAccOffset(), math.mul(r, op.getLdacc()));
      sums =
          math.view(op.getAcc(), offset, {op.getColumns()}, {math.constant(1)});
      row = math.add(op.getRow(), r);
      applyToRow();
    });
    op.erase();
  }

private:
  void applyToRow() {
    int64_t lanes = target.lanes();
    Value zero = math.constant(0), step = math.constant(lanes),
          columns = op.getColumns();
    TileRow vectorRow = tile.rowAt(row, lanes);
    if (isMultiple(columns, lanes)) {
      math.loop(zero, columns, step,
                [&](Value c) { apply(vectorRow, c, lanes, Value()); });
      return;
    }
    if (target.hasMaskRegisters()) {
      math.loop(zero, columns, step, [&](Value c) {
        apply(vectorRow, c, lanes, laneMask(builder, loc, columns, c, lanes));
      });
      return;
    }
    Value whole = math.roundDownTo(columns, lanes);
    math.loop(zero, whole, step,
              [&](Value c) { apply(vectorRow, c, lanes, Value()); });
    TileRow scalarRow = tile.rowAt(row, /*lanes=*/0);
    math.loop(whole, columns, math.constant(1),
              [&](Value c) { apply(scalarRow, c, /*lanes=*/0, Value()); });
  }

  void apply(const TileRow &tileRow, Value c, int64_t lanes, Value mask) {
    Values columns = tile.loadColumns(c, lanes, mask);
    Values arguments = tile.load(tileRow, c, lanes, mask, columns);
    arguments.insert(arguments.begin(), load(c, lanes));
    Values results =
        instantiateEpilogue(builder, op.getEpilogue(), arguments, lanes);
    const auto store = [&] { tile.store(results, tileRow, c, mask); };
    if (streams && lanes != 0)
      math.choose(streams, [&] { tile.stream(results, tileRow, c); }, store);
    else
      store();
  }

  /// Whole vectors: the scratch tile is padded to them.
  Value load(Value c, int64_t lanes) {
    mlir::ValueRange at(c);
    if (lanes == 0)
      return mlir::memref::LoadOp::create(builder, loc, sums, at);
    auto type =
        mlir::VectorType::get(lanes, op.getAcc().getType().getElementType());
    return mlir::vector::LoadOp::create(builder, loc, type, sums, at);
  }

  ApplyEpilogueOp op;
  mlir::OpBuilder builder;
  mlir::Location loc;
  IndexMath math;
  Target target;
  TileAccess tile;
  Value sums, row; ///< of the row being emitted
  Value streams;   ///< whether the tile's stores do; null if none does
};

} // namespace

void lowerApplyEpilogue(ApplyEpilogueOp op) {
  ApplyEpilogueLowering(op).lower();
}

} // namespace lintel::ir
