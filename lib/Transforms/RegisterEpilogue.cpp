// The epilogue over a tile in registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/RegisterEpilogue.h"

#include "Transforms/EpilogueRegion.h"
#include "Transforms/IndexMath.h"
#include "Transforms/TileAccess.h"

namespace lintel::ir {
namespace {

using mlir::Value;
using Values = llvm::SmallVector<Value>;

class RegisterEpilogue {
public:
  RegisterEpilogue(mlir::OpBuilder &builder, MicrokernelOp op,
                   mlir::ValueRange sums)
      : builder(builder), op(op), sums(sums), math(builder, op.getLoc()),
        rows(op.getRows()), lanes(op.getTarget().getValue().lanes()),
        vectors(op.getSchedule().getValue().nr / lanes),
        masks(columnMasks(builder, op.getLoc(), op.getTarget().getValue(),
                          op.getColumns(), vectors)),
        tile(builder, op.getLoc(), op.getArgs(), op.getColumn(),
             op.getBroadcasts(), op.getEpilogue()) {}

  void apply() {
    const Schedule schedule = op.getSchedule().getValue();
    if (schedule.streamsOutputs())
      bypassesCaches = tile.fillsLines(op.getColumns(), schedule.nr);
    Value valid = op.getValidRows();
    applyToRows(0, valid ? rows - 1 : rows);
    if (valid)
      math.when(math.equals(valid, math.constant(rows)),
                [&] { applyToRows(rows - 1, rows); });
  }

private:
  Value column(int64_t vector) { return math.constant(vector * lanes); }

  /// Row by row: one row's addresses are live at a time.
  void applyToRows(int64_t begin, int64_t end) {
    llvm::SmallVector<Values> columns;
    for (int64_t v = 0; v < vectors; ++v)
      columns.push_back(tile.loadColumns(column(v), lanes, masks[v]));
    TileRow row = tile.rowAt(math.add(op.getRow(), math.constant(begin)), lanes,
                             tile.loadScalars(lanes));
    for (int64_t r = begin; r < end; ++r) {
      llvm::SmallVector<Values> results;
      for (int64_t v = 0; v < vectors; ++v) {
        Values arguments =
            tile.load(row, column(v), lanes, masks[v], columns[v]);
        arguments.insert(arguments.begin(), sums[r * vectors + v]);
        results.push_back(
            instantiateEpilogue(builder, op.getEpilogue(), arguments, lanes));
        if (!bypassesCaches)
          tile.store(results[v], row, column(v), masks[v]);
      }
      if (bypassesCaches)
        streamOrStore(row, results);
      if (r + 1 < end)
        row = tile.nextRow(row, lanes);
    }
  }

  /// One branch a row, around its stores alone: a second copy of the epilogue
  /// would cost more to compile than the branch costs to run.
  void streamOrStore(const TileRow &row, llvm::ArrayRef<Values> results) {
    math.choose(
        bypassesCaches,
        [&] {
          for (int64_t v = 0; v < vectors; ++v)
            tile.stream(results[v], row, column(v));
        },
        [&] {
          for (int64_t v = 0; v < vectors; ++v)
            tile.store(results[v], row, column(v), masks[v]);
        });
  }

  mlir::OpBuilder &builder;
  MicrokernelOp op;
  mlir::ValueRange sums;
  IndexMath math;
  int64_t rows, lanes, vectors; ///< vectors of `lanes` sums in a row
  Values masks;                 ///< of the columns of each vector, or null
  TileAccess tile;
  Value bypassesCaches; ///< whether this tile's stores do; null if none does
};

} // namespace

void applyEpilogueOnRegisters(mlir::OpBuilder &builder, MicrokernelOp op,
                              mlir::ValueRange sums) {
  RegisterEpilogue(builder, op, sums).apply();
}

} // namespace lintel::ir
