// lintel-lower-microkernel: tile ops become loops over vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lintel/LintelDialect.h"
#include "Transforms/EpilogueRegion.h"
#include "Transforms/IndexMath.h"
#include "Transforms/Passes.h"
#include "Transforms/TileAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELLOWERMICROKERNEL
#include "Transforms/Passes.h.inc"

namespace {

using mlir::Value;
using Values = llvm::SmallVector<Value>;

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
  /// Where acc[r, c] stands.
  Value accumulators() {
    return math.view(op.getAcc(), op.getAccOffset(),
                     {math.constant(rows), math.constant(schedule.nr)},
                     {op.getLdacc(), math.constant(1)});
  }

  Value column(int64_t vector) { return math.constant(vector * lanes); }

  /// Zero in the first K block, else the sums of the blocks before.
  Values initialSums() {
    auto branch = mlir::scf::IfOp::create(
        builder, loc, mlir::SmallVector<mlir::Type>(rows * vectors, vectorType),
        op.getFirst(),
        /*addThenBlock=*/true, /*addElseBlock=*/true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value zero = mlir::arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(vectorType));
    mlir::scf::YieldOp::create(builder, loc, Values(rows * vectors, zero));
    builder.setInsertionPointToStart(branch.elseBlock());
    Value from = accumulators();
    Values loaded;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t v = 0; v < vectors; ++v)
        loaded.push_back(mlir::vector::LoadOp::create(
            builder, loc, vectorType, from,
            mlir::ValueRange{math.constant(r), column(v)}));
    mlir::scf::YieldOp::create(builder, loc, loaded);
    return branch.getResults();
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

  Value multiplyAdd(Value x, Value y, Value sum) {
    if (target.hasFma())
      return mlir::vector::FMAOp::create(builder, loc, x, y, sum);
    Value product = mlir::arith::MulFOp::create(builder, loc, x, y);
    return mlir::arith::AddFOp::create(builder, loc, sum, product);
  }

  void storeSums(const Values &sums) {
    Value to = accumulators();
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t v = 0; v < vectors; ++v)
        mlir::vector::StoreOp::create(
            builder, loc, sums[r * vectors + v], to,
            mlir::ValueRange{math.constant(r), column(v)});
  }

  void finish(const Values &sums) {
    auto branch = mlir::scf::IfOp::create(builder, loc, op.getLast(),
                                          /*withElseRegion=*/true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    storeSums(sums);
    builder.setInsertionPointToStart(branch.thenBlock());
    applyEpilogue(sums);
  }

  void applyEpilogue(const Values &sums) {
    TileAccess tile(builder, loc, op.getArgs(), op.getBroadcasts(),
                    op.getEpilogue());
    for (int64_t v = 0; v < vectors; ++v) {
      Value mask =
          target.hasMaskRegisters()
              ? laneMask(builder, loc, op.getColumns(), column(v), lanes)
              : Value();
      Value at = math.add(op.getColumn(), column(v));
      Values perColumn = tile.loadColumnOperands(at, lanes, mask);
      for (int64_t r = 0; r < rows; ++r) {
        Value row = math.add(op.getRow(), math.constant(r));
        Values arguments = tile.loadOperands(row, at, lanes, mask, perColumn);
        arguments.insert(arguments.begin(), sums[r * vectors + v]);
        tile.storeOutputs(
            instantiateEpilogue(builder, op.getEpilogue(), arguments, lanes),
            row, at, mask);
      }
    }
  }

  MicrokernelOp op;
  mlir::OpBuilder builder;
  mlir::Location loc;
  IndexMath math;
  Schedule schedule;
  Target target;
  int64_t rows, lanes, vectors;
  mlir::VectorType vectorType;
};

//===----------------------------------------------------------------------===//
// lintel.apply_epilogue
//===----------------------------------------------------------------------===//

class ApplyEpilogueLowering {
public:
  explicit ApplyEpilogueLowering(ApplyEpilogueOp op)
      : op(op), builder(op), loc(op.getLoc()), math(builder, loc),
        target(op.getTarget().getValue()),
        tile(builder, loc, op.getArgs(), op.getBroadcasts(), op.getEpilogue()) {
  }

  void lower() {
    sums = math.view(op.getAcc(), op.getAccOffset(),
                     {op.getRows(), op.getColumns()},
                     {op.getLdacc(), math.constant(1)});
    Value zero = math.constant(0), lanes = math.constant(target.lanes());
    math.loop(op.getRows(), [&](Value r) {
      if (target.hasMaskRegisters()) {
        math.loop(zero, op.getColumns(), lanes, [&](Value c) {
          apply(r, c, target.lanes(),
                laneMask(builder, loc, op.getColumns(), c, target.lanes()));
        });
        return;
      }
      Value whole = math.mul(math.div(op.getColumns(), lanes), lanes);
      math.loop(zero, whole, lanes,
                [&](Value c) { apply(r, c, target.lanes(), Value()); });
      math.loop(whole, op.getColumns(), math.constant(1),
                [&](Value c) { apply(r, c, /*lanes=*/0, Value()); });
    });
    op.erase();
  }

private:
  void apply(Value r, Value c, int64_t lanes, Value mask) {
    Value row = math.add(op.getRow(), r), column = math.add(op.getColumn(), c);
    Values perColumn = tile.loadColumnOperands(column, lanes, mask);
    Values arguments = tile.loadOperands(row, column, lanes, mask, perColumn);
    arguments.insert(arguments.begin(), load(r, c, lanes));
    tile.storeOutputs(
        instantiateEpilogue(builder, op.getEpilogue(), arguments, lanes), row,
        column, mask);
  }

  /// Whole vectors: the scratch tile is padded to them.
  Value load(Value r, Value c, int64_t lanes) {
    mlir::ValueRange indices = mlir::ValueRange{r, c};
    if (lanes == 0)
      return mlir::memref::LoadOp::create(builder, loc, sums, indices);
    auto type = mlir::VectorType::get(lanes, builder.getF32Type());
    return mlir::vector::LoadOp::create(builder, loc, type, sums, indices);
  }

  ApplyEpilogueOp op;
  mlir::OpBuilder builder;
  mlir::Location loc;
  IndexMath math;
  Target target;
  TileAccess tile;
  Value sums;
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
      if (mlir::failed(check(op)))
        return signalPassFailure();
      MicrokernelLowering(op).lower();
    }
    for (ApplyEpilogueOp op : epilogues)
      ApplyEpilogueLowering(op).lower();
  }

  mlir::LogicalResult check(MicrokernelOp op) {
    const Schedule schedule = op.getSchedule().getValue();
    int64_t lanes = op.getTarget().getValue().lanes();
    if (schedule.nr % lanes != 0)
      return op.emitOpError("has tile columns ")
             << schedule.nr << ", which is not a multiple of the target's "
             << lanes << " lanes";
    return mlir::success();
  }
};

} // namespace
} // namespace lintel::ir
