// lintel-lower-microkernel: tile ops become loops over vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lintel/LintelDialect.h"
#include "Transforms/DotMicrokernel.h"
#include "Transforms/EpilogueRegion.h"
#include "Transforms/IndexMath.h"
#include "Transforms/Passes.h"
#include "Transforms/TileAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELLOWERMICROKERNEL
#include "Transforms/Passes.h.inc"

namespace {

using mlir::Value;
using Values = llvm::SmallVector<Value>;

constexpr int64_t kFloatBytes = 4;

//===----------------------------------------------------------------------===//
// lintel.microkernel
//===----------------------------------------------------------------------===//

class MicrokernelLowering {
public:
  explicit MicrokernelLowering(MicrokernelOp op)
      : op(op), builder(op), loc(op.getLoc()), math(builder, loc),
        schedule(op.getSchedule().getValue()),
        target(op.getTarget().getValue()), rows(op.getRows()),
        lanes(target.lanes()), vectors(schedule.nr / lanes),
        vectorType(mlir::VectorType::get(lanes, builder.getF32Type())) {}

  void lower() {
    Values sums = multiply(initialSums());
    if (schedule.epilogue == EpiloguePlacement::tile)
      storeSums(sums);
    else
      finish(sums);
    op.erase();
  }

private:
  /// The sums of row r in memory: acc[r, 0..nr).
  Value accumulatorRow(int64_t r) {
    Value offset =
        math.add(op.getAccOffset(), math.mul(math.constant(r), op.getLdacc()));
    return math.view(op.getAcc(), offset, {math.constant(schedule.nr)},
                     {math.constant(1)});
  }

  Value column(int64_t vector) { return math.constant(vector * lanes); }

  /// Zero in the first K block, else the sums of the blocks before.
  Values initialSums() {
    if (isTrue(op.getFirst()))
      return zeroSums();
    auto branch = mlir::scf::IfOp::create(
        builder, loc, mlir::SmallVector<mlir::Type>(rows * vectors, vectorType),
        op.getFirst(), /*addThenBlock=*/true, /*addElseBlock=*/true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    mlir::scf::YieldOp::create(builder, loc, zeroSums());
    builder.setInsertionPointToStart(branch.elseBlock());
    mlir::scf::YieldOp::create(builder, loc, loadSums());
    return branch.getResults();
  }

  static bool isTrue(Value condition) {
    return mlir::matchPattern(condition, mlir::m_One());
  }

  Values zeroSums() {
    Value zero = mlir::arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(vectorType));
    return Values(rows * vectors, zero);
  }

  Values loadSums() {
    Values loaded;
    for (int64_t r = 0; r < rows; ++r) {
      Value from = accumulatorRow(r);
      for (int64_t v = 0; v < vectors; ++v)
        loaded.push_back(mlir::vector::LoadOp::create(builder, loc, vectorType,
                                                      from, column(v)));
    }
    return loaded;
  }

  Value rowsOfA() {
    Value one = math.constant(1), height = math.constant(rows);
    if (schedule.pack == PackA::block)
      return math.view(op.getA(), op.getAOffset(), {height, op.getDepth()},
                       {one, height});
    return math.view(op.getA(), op.getAOffset(), {height, op.getDepth()},
                     {op.getLda(), one});
  }

  /// One step of k: `vectors` loads of B, then for each row one broadcast of A
  /// and `vectors` multiply-adds. Row by row, so that at most vectors + 1
  /// registers are live beside the sums.
  Values multiply(const Values &initial) {
    Value a = rowsOfA();
    Value b = math.view(op.getB(), op.getBOffset(),
                        {op.getDepth(), math.constant(schedule.nr)},
                        {math.constant(schedule.nr), math.constant(1)});
    auto loop =
        mlir::scf::ForOp::create(builder, loc, math.constant(0), op.getDepth(),
                                 math.constant(1), initial);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value k = loop.getInductionVar();
    Values panel, sums;
    for (int64_t v = 0; v < vectors; ++v)
      panel.push_back(mlir::vector::LoadOp::create(
          builder, loc, vectorType, b, mlir::ValueRange{k, column(v)}));
    prefetch(b, k);
    for (int64_t r = 0; r < rows; ++r) {
      Value element = mlir::memref::LoadOp::create(
          builder, loc, a, mlir::ValueRange{math.constant(r), k});
      Value splat =
          mlir::vector::BroadcastOp::create(builder, loc, vectorType, element);
      for (int64_t v = 0; v < vectors; ++v)
        sums.push_back(multiplyAdd(splat, panel[v],
                                   loop.getRegionIterArg(r * vectors + v)));
    }
    mlir::scf::YieldOp::create(builder, loc, sums);
    return loop.getResults();
  }

  /// Asks for the cache lines of B that a later step reads. Beyond the panel
  /// lies the next, beyond the last nothing that a prefetch could fault on.
  void prefetch(Value b, Value k) {
    const int64_t rowBytes = schedule.nr * kFloatBytes;
    if (schedule.prefetch < rowBytes)
      return;
    Value later = math.add(k, math.constant(schedule.prefetch / rowBytes));
    for (int64_t byte = 0; byte < rowBytes; byte += Target::kLineBytes)
      mlir::memref::PrefetchOp::create(
          builder, loc, b,
          mlir::ValueRange{later, math.constant(byte / kFloatBytes)},
          /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
  }

  Value multiplyAdd(Value x, Value y, Value sum) {
    if (target.hasFma())
      return mlir::vector::FMAOp::create(builder, loc, x, y, sum);
    Value product = mlir::arith::MulFOp::create(builder, loc, x, y);
    return mlir::arith::AddFOp::create(builder, loc, sum, product);
  }

  void storeSums(const Values &sums) {
    for (int64_t r = 0; r < rows; ++r) {
      Value to = accumulatorRow(r);
      for (int64_t v = 0; v < vectors; ++v)
        mlir::vector::StoreOp::create(builder, loc, sums[r * vectors + v], to,
                                      column(v));
    }
  }

  void finish(const Values &sums) {
    if (isTrue(op.getLast()))
      return applyEpilogue(sums);
    auto branch = mlir::scf::IfOp::create(builder, loc, op.getLast(),
                                          /*withElseRegion=*/true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    storeSums(sums);
    builder.setInsertionPointToStart(branch.thenBlock());
    applyEpilogue(sums);
  }

  void applyEpilogue(const Values &sums) {
    TileAccess tile(builder, loc, op.getArgs(), op.getColumn(),
                    op.getBroadcasts(), op.getEpilogue());
    if (schedule.streamsOutputs())
      streams = tile.fillsLines(op.getColumns(), schedule.nr);
    Value valid = op.getValidRows();
    applyToRows(tile, sums, 0, valid ? rows - 1 : rows);
    if (valid)
      math.when(math.equals(valid, math.constant(rows)),
                [&] { applyToRows(tile, sums, rows - 1, rows); });
  }

  /// Row by row: one row's addresses are live at a time.
  void applyToRows(TileAccess &tile, const Values &sums, int64_t begin,
                   int64_t end) {
    Values masks = columnMasks(builder, loc, target, op.getColumns(), vectors);
    llvm::SmallVector<Values> columns;
    for (int64_t v = 0; v < vectors; ++v)
      columns.push_back(tile.loadColumns(column(v), lanes, masks[v]));
    TileRow row =
        tile.rowAt(math.add(op.getRow(), math.constant(begin)), lanes);
    for (int64_t r = begin; r < end; ++r) {
      llvm::SmallVector<Values> results;
      for (int64_t v = 0; v < vectors; ++v) {
        Values arguments =
            tile.load(row, column(v), lanes, masks[v], columns[v]);
        arguments.insert(arguments.begin(), sums[r * vectors + v]);
        results.push_back(
            instantiateEpilogue(builder, op.getEpilogue(), arguments, lanes));
        if (!streams)
          tile.store(results[v], row, column(v), masks[v]);
      }
      if (streams)
        streamOrStore(tile, row, results, masks);
      if (r + 1 < end)
        row = tile.nextRow(row, lanes);
    }
  }

  /// One branch a row, around its stores alone: a second copy of the epilogue
  /// would cost more to compile than the branch costs to run.
  void streamOrStore(TileAccess &tile, const TileRow &row,
                     llvm::ArrayRef<Values> results, const Values &masks) {
    math.choose(
        streams,
        [&] {
          for (int64_t v = 0; v < vectors; ++v)
            tile.stream(results[v], row, column(v));
        },
        [&] {
          for (int64_t v = 0; v < vectors; ++v)
            tile.store(results[v], row, column(v), masks[v]);
        });
  }

  MicrokernelOp op;
  mlir::OpBuilder builder;
  mlir::Location loc;
  IndexMath math;
  Schedule schedule;
  Target target;
  int64_t rows, lanes, vectors;
  mlir::VectorType vectorType;
  Value streams; ///< whether this tile's stores do; null if none does
};

//===----------------------------------------------------------------------===//
// lintel.apply_epilogue
//===----------------------------------------------------------------------===//

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
    Value whole = math.mul(math.divBy(columns, lanes), step);
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
    auto type = mlir::VectorType::get(lanes, builder.getF32Type());
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

struct LowerMicrokernelPass
    : impl::LintelLowerMicrokernelBase<LowerMicrokernelPass> {
  void runOnOperation() override {
    llvm::SmallVector<MicrokernelOp> microkernels;
    llvm::SmallVector<ApplyEpilogueOp> epilogues;
    getOperation().walk([&](mlir::Operation *op) {
      if (auto microkernel = llvm::dyn_cast<MicrokernelOp>(op))
        microkernels.push_back(microkernel);
      else if (auto epilogue = llvm::dyn_cast<ApplyEpilogueOp>(op))
        epilogues.push_back(epilogue);
    });
    for (MicrokernelOp op : microkernels) {
      if (op.getSchedule().getValue().vectorsAlongK())
        lowerDotMicrokernel(op);
      else
        MicrokernelLowering(op).lower();
    }
    for (ApplyEpilogueOp op : epilogues)
      ApplyEpilogueLowering(op).lower();
  }
};

} // namespace
} // namespace lintel::ir
