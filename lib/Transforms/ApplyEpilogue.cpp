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

/// Operands that rows share stay in registers, one for each of these vectors.
constexpr int64_t kMostVectorsOfLine = 4;

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
      applyLineByLine();
    }
    op.erase();
  }

private:
  /// Columns that are worked on `lanes` at a time, 0 meaning as scalars, and in
  /// each row `vectors` of these before the next row.
  struct ColumnRange {
    int64_t lanes, vectors;
    Value begin, end;
  };

  /// A vector's columns, and the operands that rows share there.
  struct Columns {
    Value offset, mask;
    Values operands;
  };

  /// A row of the tile, and its sums.
  struct Row {
    TileRow access;
    Value sums;
  };

  /// As many vectors as fill a cache line of the narrowest tensor that every
  /// row has lines of its own in. A line that is left half done is gone from L1
  /// when the next vector comes by, where rows lie a multiple of 2 KiB apart:
  /// on Emerald Rapids 32x32 sums took 224 ns so, and 110 line by line.
  int64_t vectorsOfLine() {
    int64_t bytes = op.getAcc().getType().getElementTypeBitWidth() / 8;
    const auto consider = [&](mlir::Type type) {
      bytes = std::min<int64_t>(bytes, type.getIntOrFloatBitWidth() / 8);
    };
    mlir::Block &body = op.getEpilogue().front();
    for (mlir::Type type : body.getTerminator()->getOperandTypes())
      consider(type);
    for (auto [index, name] : llvm::enumerate(
             op.getBroadcasts().getAsValueRange<mlir::StringAttr>()))
      if (std::string_view(name) == toString(Broadcast::full))
        consider(body.getArgument(static_cast<unsigned>(index) + 1).getType());
    const int64_t lanes = target.lanes();
    const int64_t most =
        std::min(kMostVectorsOfLine, op.getSchedule().getValue().nr / lanes);
    return std::max<int64_t>(
        1, std::min(most, Target::kLineBytes / (bytes * lanes)));
  }

  /// So many vectors side by side, then single ones, then scalars where no mask
  /// can cut the last vector.
  llvm::SmallVector<ColumnRange> columnRanges(int64_t vectors) {
    const int64_t lanes = target.lanes();
    Value columns = op.getColumns(), begin = math.constant(0);
    llvm::SmallVector<ColumnRange> ranges;
    const auto upTo = [&](Value end, int64_t rangeLanes, int64_t rangeVectors) {
      ranges.push_back({rangeLanes, rangeVectors, begin, end});
      begin = end;
    };
    if (vectors > 1)
      upTo(math.roundDownTo(columns, vectors * lanes), lanes, vectors);
    if (isMultiple(columns, vectors * lanes) && vectors > 1)
      return ranges;
    if (isMultiple(columns, lanes) || target.hasMaskRegisters()) {
      upTo(columns, lanes, 1);
      return ranges;
    }
    upTo(math.roundDownTo(columns, lanes), lanes, 1);
    upTo(columns, 0, 1);
    return ranges;
  }

  /// The vectors of `range` that stand side by side from `c` on. Only one that
  /// stands alone may be cut.
  llvm::SmallVector<Columns> columnsAt(const ColumnRange &range, Value c) {
    const bool cut = range.lanes != 0 && range.vectors == 1 &&
                     target.hasMaskRegisters() &&
                     !isMultiple(op.getColumns(), range.lanes);
    llvm::SmallVector<Columns> columns;
    for (int64_t v = 0; v < range.vectors; ++v) {
      Value offset = math.add(c, math.constant(v * range.lanes));
      Value mask = cut ? laneMask(builder, loc, range.end, offset, range.lanes)
                       : Value();
      columns.push_back(
          {offset, mask, tile.loadColumns(offset, range.lanes, mask)});
    }
    return columns;
  }

  void forEachLine(const ColumnRange &range,
                   llvm::function_ref<void(llvm::ArrayRef<Columns>)> body) {
    const int64_t step = std::max<int64_t>(1, range.lanes * range.vectors);
    math.loop(range.begin, range.end, math.constant(step),
              [&](Value c) { body(columnsAt(range, c)); });
  }

  /// What rows share is read, and worked on, once for all of them.
  void applyLineByLine() {
    for (const ColumnRange &range : columnRanges(vectorsOfLine())) {
      Values scalars = tile.loadScalars(range.lanes);
      forEachLine(range, [&](llvm::ArrayRef<Columns> line) {
        math.loop(op.getRows(), [&](Value r) {
          Row row = rowAt(r, range.lanes, scalars);
          for (const Columns &columns : line)
            apply(row, columns, range.lanes);
        });
      });
    }
  }

  /// Streamed stores fill a cache line before they begin another.
  void applyRowByRow() {
    math.loop(op.getRows(), [&](Value r) {
      for (const ColumnRange &range : columnRanges(/*vectors=*/1)) {
        Row row = rowAt(r, range.lanes, tile.loadScalars(range.lanes));
        forEachLine(range, [&](llvm::ArrayRef<Columns> line) {
          apply(row, line.front(), range.lanes);
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

  void apply(const Row &row, const Columns &at, int64_t lanes) {
    Values arguments =
        tile.load(row.access, at.offset, lanes, at.mask, at.operands);
    arguments.insert(arguments.begin(), load(row.sums, at.offset, lanes));
    Values results =
        instantiateEpilogue(builder, op.getEpilogue(), arguments, lanes);
    const auto store = [&] {
      tile.store(results, row.access, at.offset, at.mask);
    };
    if (streams && lanes != 0)
      math.choose(
          streams, [&] { tile.stream(results, row.access, at.offset); }, store);
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
