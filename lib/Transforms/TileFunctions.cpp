// The functions of a kernel that work on one tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/TileFunctions.h"

#include "Transforms/ProductStep.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace lintel::ir {

using mlir::Value;
using Values = llvm::SmallVector<Value>;

llvm::SmallVector<Value> TileOperands::present() const {
  llvm::SmallVector<Value> values = {a, b, acc, row, column};
  for (Value value : {depth, ldacc, first, last, validRows})
    if (value)
      values.push_back(value);
  return values;
}

namespace {

class TileFunctions {
public:
  explicit TileFunctions(KernelWriter &writer)
      : writer(writer), layer(writer.layer), builder(writer.builder),
        loc(writer.loc), math(writer.math) {}

  void build() {
    for (int64_t rows : layer.strips.tall)
      buildMicrokernel(rows);
    if (layer.epilogueOnTile() || layer.raggedThroughTile())
      buildEpilogue();
    if (layer.slicesDepth())
      buildReduction();
    if (layer.packs())
      buildPacking();
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

  /// Columns of the panel at `column` that are inside the output.
  Value columnsFrom(Value column) {
    if (layer.n % layer.schedule.nr == 0)
      return math.constant(layer.schedule.nr);
    return math.min(math.constant(layer.schedule.nr),
                    math.sub(math.constant(layer.n), column));
  }

  /// The micro-kernel's arguments after args, and what needs none.
  TileOperands tileArguments(mlir::func::FuncOp function) {
    auto next = function.getArguments().begin() + 1;
    TileOperands tile;
    for (Value *value : {&tile.a, &tile.b, &tile.acc, &tile.row, &tile.column})
      *value = *next++;
    tile.depth = layer.wholeDepth() ? math.constant(layer.k) : Value(*next++);
    if (layer.cutsDepth()) {
      tile.ldacc = *next++;
      tile.first = *next++;
    } else {
      tile.ldacc = math.constant(layer.knownSumsStride());
      tile.first = math.boolean(true);
    }
    tile.last = layer.decidesLastAtRunTime()
                    ? Value(*next++)
                    : math.boolean(!layer.epilogueOnTile());
    if (layer.asksForValidRows())
      tile.validRows = *next;
    return tile;
  }

  llvm::SmallVector<mlir::Type> microkernelInputs() {
    mlir::Type index = writer.indexType, i1 = builder.getI1Type();
    llvm::SmallVector<mlir::Type> inputs = {writer.argsType, index, index,
                                            index,           index, index};
    if (!layer.wholeDepth())
      inputs.push_back(index);
    if (layer.cutsDepth())
      inputs.append({index, i1});
    if (layer.decidesLastAtRunTime())
      inputs.push_back(i1);
    if (layer.asksForValidRows())
      inputs.push_back(index);
    return inputs;
  }

  void buildMicrokernel(int64_t rows) {
    mlir::func::FuncOp function =
        writer.createPrivate(writer.microkernelName(rows), microkernelInputs());
    Value args = function.getArgument(0);
    TileOperands tile = tileArguments(function);
    Value sums = writer.pointer(args, layer.sumsField(), writer.sumType);
    // Packed rows stand behind the sums.
    Value a = layer.packs() ? writer.pointer(args, KernelField::workspace,
                                             packedActivation())
                            : writer.pointer(args, KernelField::x,
                                             layer.activation);
    Value lda = layer.packs() ? math.constant(rows)
                              : writer.number(args, KernelField::ldx);
    Value b = writer.pointer(args, KernelField::w, layer.weight);
    LinearOp linear = layer.op;
    auto op = MicrokernelOp::create(
        builder, loc, args, a, tile.a, lda, b, tile.b, tile.depth, sums,
        tile.acc, tile.ldacc, tile.first, tile.last, tile.row, tile.column,
        columnsFrom(tile.column), tile.validRows, rows,
        linear.getScheduleAttr(), linear.getTargetAttr(),
        layer.epilogueOnTile() ? builder.getArrayAttr({}) : broadcasts());
    if (layer.epilogueOnTile())
      emptyEpilogueInto(op.getEpilogue());
    else
      cloneEpilogueInto(op.getEpilogue());
    writer.finish(function);
  }

  void buildEpilogue() {
    llvm::SmallVector<mlir::Type> inputs(6, writer.indexType);
    inputs.front() = writer.argsType;
    mlir::func::FuncOp function =
        writer.createPrivate(writer.epilogueName(), inputs);
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    Value sums = writer.pointer(arg(0), layer.sumsField(), writer.sumType);
    LinearOp linear = layer.op;
    auto op = ApplyEpilogueOp::create(
        builder, loc, arg(0), sums, arg(1), arg(2), arg(3), arg(4), arg(5),
        columnsFrom(arg(4)), linear.getScheduleAttr(), linear.getTargetAttr(),
        broadcasts());
    cloneEpilogueInto(op.getEpilogue());
    writer.finish(function);
  }

  /// Row by row, vectors side by side: whole panels, which the sums are padded
  /// to.
  void buildReduction() {
    mlir::Type index = writer.indexType;
    mlir::func::FuncOp function = writer.createPrivate(
        writer.reduceName(), {writer.argsType, index, index, index});
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    Value slices = writer.number(arg(0), KernelField::grid_k);
    Value one = math.constant(1);
    Value sums = math.view(
        writer.pointer(arg(0), KernelField::partials, writer.sumType), arg(1),
        {slices, arg(2), math.constant(layer.schedule.nr)},
        {arg(3), math.constant(layer.paddedColumns()), one});
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
    return math.constant(static_cast<int64_t>(vector) * layer.target.lanes());
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

  /// One strip of x to [depth / i][rows][i] in the workspace, where i elements
  /// stand side by side.
  void buildPacking() {
    llvm::SmallVector<mlir::Type> inputs(6, writer.indexType);
    inputs.front() = writer.argsType;
    mlir::func::FuncOp function =
        writer.createPrivate(writer.packName(), inputs);
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    const int64_t together = layer.packedTogether();
    Value rows = arg(2), depth = arg(4), one = math.constant(1);
    Value ldx = writer.number(arg(0), KernelField::ldx);
    Value from = math.view(
        writer.pointer(arg(0), KernelField::x, layer.activation),
        math.add(math.mul(arg(1), ldx), arg(3)), {rows, depth}, {ldx, one});
    Value rowElements = math.mul(rows, math.constant(together));
    Value to = math.view(
        writer.pointer(arg(0), KernelField::workspace, layer.activation),
        arg(5), {math.ceilDivBy(depth, together), rowElements},
        {rowElements, one});
    Value whole = math.roundDownTo(depth, together);
    math.loop(rows, [&](Value r) {
      Value first = math.mul(r, math.constant(together));
      // A group at a time, then what is left of K.
      math.loop(math.constant(0), whole, math.constant(together), [&](Value k) {
        pack(load(from, {r, k}, together), to, {math.divBy(k, together), first});
      });
      if (together > 1)
        math.loop(whole, depth, one, [&](Value k) {
          pack(load(from, {r, k}, 1), to,
               {math.divBy(k, together), math.add(first, math.sub(k, whole))});
        });
    });
    writer.finish(function);
  }

  Value load(Value from, mlir::ValueRange at, int64_t count) {
    return mlir::vector::LoadOp::create(
        builder, loc, mlir::VectorType::get(count, layer.activation), from, at);
  }

  /// Stores elements of x as products take them.
  void pack(Value elements, Value to, mlir::ValueRange at) {
    if (layer.shiftsX()) {
      auto type = llvm::cast<mlir::VectorType>(elements.getType());
      Value shift = mlir::arith::ConstantOp::create(
          builder, loc,
          mlir::DenseElementsAttr::get(type, llvm::APInt(8, 128)));
      elements = mlir::arith::XOrIOp::create(builder, loc, elements, shift);
    }
    mlir::vector::StoreOp::create(builder, loc, elements, to, at);
  }

  /// The element type of packed rows: shifted ones are unsigned.
  mlir::Type packedActivation() {
    return layer.shiftsX() ? mlir::Type(builder.getIntegerType(8, false))
                           : layer.activation;
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
