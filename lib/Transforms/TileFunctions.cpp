// The functions of a kernel that work on one tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/TileFunctions.h"

#include "Lintel/AmxTile.h"
#include "Transforms/PackStrip.h"
#include "Transforms/PendingEpilogue.h"
#include "Transforms/PrefetchTile.h"
#include "Transforms/ProductStep.h"
#include "Transforms/SplitHalves.h"
#include "Transforms/WidenPanel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace lintel::ir {

using mlir::Value;
using Values = llvm::SmallVector<Value>;

llvm::SmallVector<mlir::Type> inputsOf(llvm::ArrayRef<Parameter> parameters,
                                       KernelWriter &writer) {
  llvm::SmallVector<mlir::Type> inputs = {writer.argsType};
  for (const Parameter &parameter : parameters)
    if (parameter.isPassed(writer.layer))
      inputs.push_back(parameter.type == Parameter::Type::index
                           ? writer.indexType
                           : mlir::Type(writer.builder.getI1Type()));
  return inputs;
}

void readArguments(llvm::ArrayRef<Parameter> parameters,
                   mlir::func::FuncOp function, const KernelLayer &layer) {
  auto next = function.getArguments().begin() + 1;
  for (const Parameter &parameter : parameters)
    if (parameter.isPassed(layer))
      *parameter.value = *next++;
}

llvm::SmallVector<Value> valuesPassed(llvm::ArrayRef<Parameter> parameters,
                                      const KernelLayer &layer) {
  Values values;
  for (const Parameter &parameter : parameters)
    if (parameter.isPassed(layer))
      values.push_back(*parameter.value);
  return values;
}

llvm::SmallVector<Parameter> TileOperands::parameters() {
  using Layer = const KernelLayer &;
  constexpr auto index = Parameter::Type::index, truth = Parameter::Type::truth;
  const auto always = [](Layer) { return true; };
  const auto inNext = [](Layer layer) { return layer.finishesInNext(); };
  return {
      {&a, index, always},
      {&b, index, always},
      {&acc, index, always},
      {&row, index, always},
      {&column, index, always},
      {&depth, index, [](Layer layer) { return !layer.wholeDepth(); }},
      {&first, truth, [](Layer layer) { return layer.cutsDepth(); }},
      {&last, truth, [](Layer layer) { return layer.decidesLastAtRunTime(); }},
      {&validRows, index, [](Layer layer) { return layer.asksForValidRows(); }},
      {&next, index,
       [](Layer layer) { return layer.schedule.prefetchesNextPanel(); }},
      {&nextStep, index, [](Layer layer) { return layer.schedule.share > 0; }},
      {&nextAcc, index, [](Layer layer) { return layer.prefetchesSums(); }},
      {&finishes, truth, [](Layer layer) { return prefetchesInLoop(layer); }},
      {&pendingAcc, index, inNext},
      {&pendingRow, index, inNext},
      {&pendingColumn, index, inNext},
      {&pendingRows, index, inNext},
  };
}

namespace {

class TileFunctions {
public:
  explicit TileFunctions(KernelWriter &writer)
      : writer(writer), layer(writer.layer), builder(writer.builder),
        loc(writer.loc), math(writer.math) {}

  void build() {
    for (int64_t rows : layer.microkernelHeights())
      buildMicrokernel(rows);
    if (layer.epilogueOnTile() || layer.raggedThroughTile())
      buildEpilogue();
    if (layer.slicesDepth())
      buildReduction();
    if (layer.packs())
      buildPackStrip(writer);
    if (layer.splitsHalves())
      buildSplitPanel(writer);
    else if (layer.widensPanels())
      buildWidenPanel(writer);
    if (prefetchesTiles(layer) && !prefetchesInLoop(layer))
      buildTilePrefetch(writer);
  }

private:
  mlir::ArrayAttr broadcasts() {
    llvm::SmallVector<mlir::Attribute> names;
    LinearOp op = layer.op;
    if (op.getColumnSums() || layer.shiftsX())
      names.push_back(builder.getStringAttr(kColumnSums));
    if (op.getRowSums())
      names.push_back(builder.getStringAttr(kRowSums));
    for (unsigned i = 0; i < op.getEpilogueOperands().size(); ++i)
      names.push_back(builder.getStringAttr(toString(op.getBroadcast(i))));
    return builder.getArrayAttr(names);
  }

  void cloneEpilogueInto(mlir::Region &region) {
    mlir::IRMapping mapping;
    LinearOp op = layer.op;
    op.getEpilogue().cloneInto(&region, mapping);
    if (layer.shiftsX())
      takeShiftAway(region.front());
  }

  /// sum (x + 128) w - 128 sum w
  void takeShiftAway(mlir::Block &epilogue) {
    LinearOp op = layer.op;
    Value sum = epilogue.getArgument(0);
    if (!op.getColumnSums())
      epilogue.insertArgument(1u, sum.getType(), loc);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&epilogue);
    Value shift = mlir::arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(sum.getType(), 128));
    Value excess = mlir::arith::MulIOp::create(builder, loc,
                                               epilogue.getArgument(1), shift);
    Value own = mlir::arith::SubIOp::create(builder, loc, sum, excess);
    sum.replaceAllUsesExcept(own, own.getDefiningOp());
  }

  /// A region without a meaning: the epilogue follows in apply_epilogue.
  void emptyEpilogueInto(mlir::Region &region) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&region);
    YieldOp::create(builder, loc, mlir::ValueRange());
  }

  /// Between rows of a tile of sums.
  Value sumsStride() {
    return math.constant(layer.schedule.onTiles() ? AmxTile::kColumns
                                                  : layer.schedule.nr);
  }

  /// Columns of the panel at `column` that are inside the output.
  Value columnsFrom(Value column) {
    if (layer.n % layer.schedule.nr == 0)
      return math.constant(layer.schedule.nr);
    return math.min(math.constant(layer.schedule.nr),
                    math.sub(math.constant(layer.n), column));
  }

  /// The micro-kernel's arguments, and what needs none.
  TileOperands tileArguments(mlir::func::FuncOp function) {
    TileOperands tile;
    readArguments(tile.parameters(), function, layer);
    if (!tile.depth)
      tile.depth = math.constant(layer.k);
    if (!tile.first)
      tile.first = math.boolean(true);
    if (!tile.last)
      tile.last = math.boolean(!layer.epilogueOnTile());
    return tile;
  }

  /// Where the next panel is, if that is not where this one was widened to.
  Value nextIn(Value args) {
    if (!layer.widensPanels() || !layer.schedule.prefetchesNextPanel())
      return Value();
    return writer.pointer(args, KernelField::w, layer.weight);
  }

  void buildMicrokernel(int64_t rows) {
    mlir::func::FuncOp function =
        writer.createPrivate(writer.microkernelName(rows),
                             inputsOf(TileOperands().parameters(), writer));
    writer.worksOnTiles(function);
    writer.markMicrokernel(function);
    if (layer.laysMicrokernelOut(rows))
      writer.leaveUnoptimized(function);
    else if (layer.carriesAddresses())
      writer.keepLoops(function);
    Value args = function.getArgument(0);
    TileOperands tile = tileArguments(function);
    Value sums = writer.pointer(args, layer.sumsField(), writer.sumType);
    // Packed rows stand behind the sums, and widened panels between them.
    Value a = layer.packs()
                  ? writer.pointer(args, KernelField::workspace,
                                   layer.packedActivation())
                  : writer.pointer(args, KernelField::x, layer.activation);
    Value lda = layer.widensRows() ? strideOfWidenedRows(math, tile.depth)
                : layer.packs()    ? math.constant(rows)
                                   : writer.number(args, KernelField::ldx);
    Value b = writer.pointer(
        args, layer.widensPanels() ? KernelField::workspace : KernelField::w,
        layer.panelType());
    llvm::SmallVector<Value> touched;
    if (prefetchesInLoop(layer))
      touched = touchedByEpilogue(writer,
                                  {args, tile.row, tile.column, tile.finishes});
    LinearOp linear = layer.op;
    const bool appliesEpilogue =
        !layer.epilogueOnTile() || layer.finishesInNext();
    auto op = MicrokernelOp::create(
        builder, loc, args, a, tile.a, lda, b, tile.b, tile.depth, sums,
        tile.acc, sumsStride(), tile.first, tile.last, tile.row, tile.column,
        columnsFrom(tile.column), tile.validRows, tile.next, tile.nextStep,
        nextIn(args), tile.nextAcc, touched, tile.pendingAcc, tile.pendingRow,
        tile.pendingColumn, tile.pendingRows, rows,
        ScheduleAttr::get(builder.getContext(), layer.scheduleOfTile()),
        linear.getTargetAttr(),
        appliesEpilogue ? broadcasts() : builder.getArrayAttr({}));
    if (!appliesEpilogue)
      emptyEpilogueInto(op.getEpilogue());
    else
      cloneEpilogueInto(op.getEpilogue());
    if (layer.finishesInNext())
      finishRest(args, tile, rows);
    writer.finish(function);
  }

  /// What a micro-kernel has not taken along of the pending tile: rows of
  /// registers for which K has too few steps, or that others do not have.
  void finishRest(Value args, const TileOperands &tile, int64_t rows) {
    const AmxTile registers = AmxTile::of(rows, layer.schedule.nr);
    Value taken = rowsTakenAlong(math, rows, tile.pendingRows, tile.depth,
                                 depthUnitOf(layer.weight));
    for (int64_t rowTile = 0; rowTile < registers.rowTiles; ++rowTile) {
      Value begin =
          math.add(math.constant(registers.firstRow(rowTile, rows)), taken);
      Value end =
          math.min(tile.pendingRows,
                   math.constant(registers.firstRow(rowTile + 1, rows)));
      math.when(math.greater(end, begin), [&] {
        writer.call(writer.epilogueName(),
                    {args,
                     math.add(tile.pendingAcc, math.mul(begin, sumsStride())),
                     math.add(tile.pendingRow, begin), tile.pendingColumn,
                     math.sub(end, begin)});
      });
    }
  }

  void buildEpilogue() {
    llvm::SmallVector<mlir::Type> inputs(5, writer.indexType);
    inputs.front() = writer.argsType;
    mlir::func::FuncOp function =
        writer.createPrivate(writer.epilogueName(), inputs);
    writer.leavesTilesAlone(function);
    writer.keepLoops(function);
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    Value sums = writer.pointer(arg(0), layer.sumsField(), writer.sumType);
    LinearOp linear = layer.op;
    auto op = ApplyEpilogueOp::create(
        builder, loc, arg(0), sums, arg(1), sumsStride(), arg(2), arg(3),
        arg(4), columnsFrom(arg(3)), linear.getScheduleAttr(),
        linear.getTargetAttr(), broadcasts());
    cloneEpilogueInto(op.getEpilogue());
    writer.finish(function);
  }

  /// Row by row, vectors side by side: whole panels, which the sums are padded
  /// to.
  void buildReduction() {
    mlir::Type index = writer.indexType;
    mlir::func::FuncOp function = writer.createPrivate(
        writer.reduceName(), {writer.argsType, index, index, index});
    writer.leavesTilesAlone(function);
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    Value slices = writer.number(arg(0), KernelField::grid_k);
    Value one = math.constant(1);
    // Registers of a tile stand one behind the other.
    const int64_t reach =
        layer.schedule.onTiles() ? layer.tileFloats() : layer.schedule.nr;
    Value sums = math.view(
        writer.pointer(arg(0), KernelField::partials, writer.sumType), arg(1),
        {slices, arg(2), math.constant(reach)}, {arg(3), sumsStride(), one});
    math.loop(arg(2), [&](Value row) {
      auto loop =
          mlir::scf::ForOp::create(builder, loc, one, slices, one,
                                   sumsOfRow(sums, math.constant(0), row));
      {
        mlir::OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(loop.getBody());
        Values added = sumsOfRow(sums, loop.getInductionVar(), row);
        for (auto [sum, before] : llvm::zip(added, loop.getRegionIterArgs()))
          sum = addSums(builder, loc, before, sum);
        mlir::scf::YieldOp::create(builder, loc, added);
      }
      for (auto [vector, sum] : llvm::enumerate(loop.getResults()))
        mlir::vector::StoreOp::create(
            builder, loc, sum, sums,
            mlir::ValueRange{math.constant(0), row, columnOf(vector)});
    });
    writer.finish(function);
  }

  Value columnOf(size_t vector) {
    const int64_t column = static_cast<int64_t>(vector) * layer.target.lanes();
    return math.constant(layer.schedule.onTiles()
                             ? AmxTile::sumColumn(column, layer.schedule.mr)
                             : column);
  }

  /// The vectors of a row of sums[slice, row, column].
  Values sumsOfRow(Value sums, Value slice, Value row) {
    const int64_t lanes = layer.target.lanes();
    auto type = mlir::VectorType::get(lanes, writer.sumType);
    Values loaded;
    for (int64_t vector = 0; vector < layer.schedule.nr / lanes; ++vector)
      loaded.push_back(mlir::vector::LoadOp::create(
          builder, loc, type, sums,
          mlir::ValueRange{slice, row, columnOf(vector)}));
    return loaded;
  }

  KernelWriter &writer;
  const KernelLayer &layer;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexMath &math;
};

} // namespace

void buildTileFunctions(KernelWriter &writer) { TileFunctions(writer).build(); }

} // namespace lintel::ir
