// The epilogue over a tile in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/ApplyEpilogue.h"

#include "Transforms/EpilogueRegion.h"
#include "Transforms/IndexMath.h"
#include "Transforms/TileAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
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

  /// One vector's place behind what its row's views begin with, and the
  /// operands that rows share there.
  struct VectorPlace {
    Value offset, mask;
    Values operands;
  };

  /// Where a row of the tile begins, and where its sums do.
  struct RowPlace {
    RowOffsets tensors;
    Value sums;
  };

  /// A row of the tile, and its sums.
  struct Row {
    TileRow access;
    Value sums;
  };

  /// Two vectors where one is half a cache line, or less, of an output or a
  /// full operand. A line that is left half done is gone from L1 when the next
  /// vector comes by, where rows lie a multiple of 2 KiB apart: on Emerald
  /// Rapids 32x32 sums took 224 ns so, and 110 both halves in turn. Not on
  /// targets of shorter vectors, whose ragged tiles take two more copies of the
  /// epilogue.
  int64_t vectorsOfLine() {
    const int64_t lanes = target.lanes();
    if (!target.hasMaskRegisters() ||
        op.getSchedule().getValue().nr < 2 * lanes)
      return 1;
    return 2 * lanes * narrowestBytes() <= Target::kLineBytes ? 2 : 1;
  }

  /// Of an element of the sums and of all that has rows of its own.
  int64_t narrowestBytes() {
    unsigned bits = op.getAcc().getType().getElementTypeBitWidth();
    const auto consider = [&](mlir::Type type) {
      bits = std::min(bits, type.getIntOrFloatBitWidth());
    };
    mlir::Block &body = op.getEpilogue().front();
    for (mlir::Type type : body.getTerminator()->getOperandTypes())
      consider(type);
    for (auto [index, name] : llvm::enumerate(
             op.getBroadcasts().getAsValueRange<mlir::StringAttr>()))
      if (std::string_view(name) == toString(Broadcast::full))
        consider(body.getArgument(static_cast<unsigned>(index) + 1).getType());
    return bits / 8;
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
    if (vectors > 1) {
      upTo(math.roundDownTo(columns, vectors * lanes), lanes, vectors);
      if (isMultiple(columns, vectors * lanes))
        return ranges;
    }
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
  llvm::SmallVector<VectorPlace> placesFrom(const ColumnRange &range, Value c) {
    const bool cut = range.lanes != 0 && range.vectors == 1 &&
                     target.hasMaskRegisters() &&
                     !isMultiple(op.getColumns(), range.lanes);
    llvm::SmallVector<VectorPlace> places;
    for (int64_t v = 0; v < range.vectors; ++v) {
      Value fromGroup = math.constant(v * range.lanes);
      Value offset = math.add(c, fromGroup);
      Value mask = cut ? laneMask(builder, loc, range.end, offset, range.lanes)
                       : Value();
      places.push_back(
          {fromGroup, mask, tile.loadColumns(offset, range.lanes, mask)});
    }
    return places;
  }

  void forEachGroup(
      const ColumnRange &range,
      llvm::function_ref<void(Value, llvm::ArrayRef<VectorPlace>)> body) {
    const int64_t step = std::max<int64_t>(1, range.lanes * range.vectors);
    const auto bodyAt = [&](Value c) { body(c, placesFrom(range, c)); };
    // One turn without a loop saves a fiftieth of an object on tile registers.
    // A turn under a mask is shorter, and keeps its loop, so that LLVM does not
    // know the mask: where one lane is set of vectors that are truncated, it
    // would store all of the wide element (LLVM's issue 179489, there in 22.1).
    const auto begin = mlir::getConstantIntValue(range.begin),
               end = mlir::getConstantIntValue(range.end);
    if (begin && end && *end - *begin == step)
      return bodyAt(range.begin);
    math.loop(range.begin, range.end, math.constant(step), bodyAt);
  }

  /// What rows share is read, and worked on, once for all of them. The loop
  /// over rows carries where they are, so that there is no strength to reduce
  /// in it: a fourteenth of the time of an object on tile registers.
  void applyLineByLine() {
    const RowPlace first = {tile.offsetsOf(op.getRow()), op.getAccOffset()};
    for (const ColumnRange &range : columnRanges(vectorsOfLine())) {
      Values scalars = tile.loadScalars(range.lanes);
      forEachGroup(range, [&](Value c, llvm::ArrayRef<VectorPlace> places) {
        const RowPlace begin = movedBy(first, c);
        math.loop(op.getRows(), carriedBy(begin),
                  [&](mlir::ValueRange carried) {
                    const RowPlace at = fromCarried(begin, carried);
                    Row row = rowFrom(at, range.lanes, scalars);
                    for (const VectorPlace &place : places)
                      apply(row, place, range.lanes);
                    return carriedBy(below(at));
                  });
      });
    }
  }

  /// Streamed stores fill a cache line before they begin another. What stands
  /// once in a row is read once for all of its vectors.
  void applyRowByRow() {
    const RowPlace first = {tile.offsetsOf(op.getRow()), op.getAccOffset()};
    math.loop(op.getRows(), carriedBy(first), [&](mlir::ValueRange carried) {
      const RowPlace at = fromCarried(first, carried);
      for (const ColumnRange &range : columnRanges(/*vectors=*/1)) {
        Row row = rowFrom(at, range.lanes, tile.loadScalars(range.lanes));
        forEachGroup(range, [&](Value c, llvm::ArrayRef<VectorPlace> places) {
          VectorPlace fromTile = places.front();
          fromTile.offset = c;
          apply(row, fromTile, range.lanes);
        });
      }
      return carriedBy(below(at));
    });
  }

  RowPlace movedBy(const RowPlace &row, Value columns) {
    return {tile.movedBy(row.tensors, columns),
            math.add(row.sums, sumColumn(columns))};
  }

  RowPlace below(const RowPlace &row) {
    return {tile.below(row.tensors), math.add(row.sums, op.getLdacc())};
  }

  static Values carriedBy(const RowPlace &row) {
    Values carried;
    llvm::copy_if(row.tensors, std::back_inserter(carried),
                  [](Value offset) { return bool(offset); });
    carried.push_back(row.sums);
    return carried;
  }

  /// What carriedBy() made of a row that has the same offsets as `like`.
  static RowPlace fromCarried(const RowPlace &like, mlir::ValueRange carried) {
    RowPlace row = like;
    for (Value &offset : row.tensors)
      if (offset) {
        offset = carried.front();
        carried = carried.drop_front();
      }
    row.sums = carried.front();
    return row;
  }

  Row rowFrom(const RowPlace &at, int64_t lanes,
              llvm::ArrayRef<Value> scalars) {
    const Schedule schedule = op.getSchedule().getValue();
    // Registers stand one behind the other.
    Value reach = schedule.onTiles() ? math.constant(schedule.mr * schedule.nr)
                                     : op.getColumns();
    return {tile.rowFrom(at.tensors, lanes, scalars),
            math.view(op.getAcc(), at.sums, {reach}, {math.constant(1)})};
  }

  void apply(const Row &row, const VectorPlace &at, int64_t lanes) {
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

  /// Where column `c` of a row of sums is. Tile registers hold as many columns
  /// as a vector does, so that all that are asked for begin one.
  Value sumColumn(Value c) {
    const Schedule schedule = op.getSchedule().getValue();
    return schedule.onTiles() ? math.mul(c, math.constant(schedule.mr)) : c;
  }

  /// Whole vectors: the scratch tile is padded to them.
  Value load(Value sums, Value c, int64_t lanes) {
    Value column = sumColumn(c);
    mlir::ValueRange at(column);
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
