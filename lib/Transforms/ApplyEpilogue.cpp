// The epilogue over a tile in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/ApplyEpilogue.h"

#include "Transforms/EpilogueRegion.h"
#include "Transforms/IndexMath.h"
#include "Transforms/TileAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <algorithm>

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
    if (schedule.streamsOutputs()) {
      streams = tile.fillsLines(op.getColumns(), schedule.nr);
      applyRowByRow();
    } else {
      applyColumnByColumn();
    }
    op.erase();
  }

private:
  /// Columns that are worked on `lanes` at a time; 0 means as scalars.
  struct ColumnRange {
    int64_t lanes;
    Value begin, end;
  };

  /// A row of the tile, and its sums.
  struct Row {
    TileRow access;
    Value sums;
  };

  /// Whole vectors, and scalars where no mask can cut the last vector.
  llvm::SmallVector<ColumnRange> columnRanges() {
    const int64_t lanes = target.lanes();
    Value zero = math.constant(0), columns = op.getColumns();
    if (isMultiple(columns, lanes) || target.hasMaskRegisters())
      return {{lanes, zero, columns}};
    Value whole = math.roundDownTo(columns, lanes);
    return {{lanes, zero, whole}, {0, whole, columns}};
  }

  void forEachColumn(const ColumnRange &range,
                     llvm::function_ref<void(Value, Value)> body) {
    const bool cut = range.lanes != 0 && target.hasMaskRegisters() &&
                     !isMultiple(op.getColumns(), range.lanes);
    Value step = math.constant(std::max<int64_t>(1, range.lanes));
    math.loop(range.begin, range.end, step, [&](Value c) {
      body(c,
           cut ? laneMask(builder, loc, range.end, c, range.lanes) : Value());
    });
  }

  /// What rows share is read, and worked on, once for all of them.
  void applyColumnByColumn() {
    for (const ColumnRange &range : columnRanges()) {
      Values scalars = tile.loadScalars(range.lanes);
      forEachColumn(range, [&](Value c, Value mask) {
        Values columns = tile.loadColumns(c, range.lanes, mask);
        math.loop(op.getRows(), [&](Value r) {
          apply(rowAt(r, range.lanes, scalars), columns, c, range.lanes, mask);
        });
      });
    }
  }

  /// Streamed stores fill a cache line before they begin another.
  void applyRowByRow() {
    math.loop(op.getRows(), [&](Value r) {
      for (const ColumnRange &range : columnRanges()) {
        Row row = rowAt(r, range.lanes, tile.loadScalars(range.lanes));
        forEachColumn(range, [&](Value c, Value mask) {
          apply(row, tile.loadColumns(c, range.lanes, mask), c, range.lanes,
                mask);
        });
      }
    });
  }

  Row rowAt(Value r, int64_t lanes, llvm::ArrayRef<Value> scalars) {
    Value offset = math.add(op.getAccOffset(), math.mul(r, op.getLdacc()));
    return {
        tile.rowAt(math.add(op.getRow(), r), lanes, scalars),
        math.view(op.getAcc(), offset, {op.getColumns()}, {math.constant(1)})};
  }

  void apply(const Row &row, llvm::ArrayRef<Value> columns, Value c,
             int64_t lanes, Value mask) {
    Values arguments = tile.load(row.access, c, lanes, mask, columns);
    arguments.insert(arguments.begin(), load(row.sums, c, lanes));
    Values results =
        instantiateEpilogue(builder, op.getEpilogue(), arguments, lanes);
    const auto store = [&] { tile.store(results, row.access, c, mask); };
    if (streams && lanes != 0)
      math.choose(streams, [&] { tile.stream(results, row.access, c); }, store);
    else
      store();
  }

  /// Whole vectors: the scratch tile is padded to them.
  Value load(Value sums, Value c, int64_t lanes) {
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
  Value streams; ///< whether the tile's stores do; null if none does
};

} // namespace

void lowerApplyEpilogue(ApplyEpilogueOp op) {
  ApplyEpilogueLowering(op).lower();
}

} // namespace lintel::ir
