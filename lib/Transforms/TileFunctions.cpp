// The functions of a kernel that work on one tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/TileFunctions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace lintel::ir {

using mlir::Value;

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
    if (layer.packs())
      buildPacking();
  }

private:
  mlir::ArrayAttr broadcasts() {
    llvm::SmallVector<mlir::Attribute> names;
    LinearOp op = layer.op;
    for (unsigned i = 0; i < op.getEpilogueOperands().size(); ++i)
      names.push_back(builder.getStringAttr(toString(op.getBroadcast(i))));
    return builder.getArrayAttr(names);
  }

  void cloneEpilogueInto(mlir::Region &region) {
    mlir::IRMapping mapping;
    LinearOp op = layer.op;
    op.getEpilogue().cloneInto(&region, mapping);
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
    if (layer.wholeDepth()) {
      tile.depth = math.constant(layer.k);
      tile.ldacc = math.constant(layer.schedule.nr);
      tile.first = math.boolean(true);
    } else {
      for (Value *value : {&tile.depth, &tile.ldacc, &tile.first})
        *value = *next++;
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
      inputs.append({index, index, i1});
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
    Value workspace = writer.argument(args, KernelField::workspace);
    Value a = layer.packs() ? workspace : writer.argument(args, KernelField::x);
    Value lda = layer.packs() ? math.constant(rows)
                              : writer.argument(args, KernelField::ldx);
    Value b = writer.argument(args, KernelField::w);
    LinearOp linear = layer.op;
    auto op = MicrokernelOp::create(
        builder, loc, args, a, tile.a, lda, b, tile.b, tile.depth, workspace,
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
    Value workspace = writer.argument(arg(0), KernelField::workspace);
    LinearOp linear = layer.op;
    auto op = ApplyEpilogueOp::create(
        builder, loc, arg(0), workspace, arg(1), arg(2), arg(3), arg(4), arg(5),
        columnsFrom(arg(4)), linear.getScheduleAttr(), linear.getTargetAttr(),
        broadcasts());
    cloneEpilogueInto(op.getEpilogue());
    writer.finish(function);
  }

  /// One strip of x to [depth][rows] in the workspace.
  void buildPacking() {
    llvm::SmallVector<mlir::Type> inputs(6, writer.indexType);
    inputs.front() = writer.argsType;
    mlir::func::FuncOp function =
        writer.createPrivate(writer.packName(), inputs);
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    Value rows = arg(2), depth = arg(4), one = math.constant(1);
    Value ldx = writer.argument(arg(0), KernelField::ldx);
    Value from = math.view(writer.argument(arg(0), KernelField::x),
                           math.add(math.mul(arg(1), ldx), arg(3)),
                           {rows, depth}, {ldx, one});
    Value to = math.view(writer.argument(arg(0), KernelField::workspace),
                         arg(5), {depth, rows}, {rows, one});
    math.loop(rows, [&](Value r) {
      math.loop(depth, [&](Value k) {
        Value element = mlir::memref::LoadOp::create(builder, loc, from,
                                                     mlir::ValueRange{r, k});
        mlir::memref::StoreOp::create(builder, loc, element, to,
                                      mlir::ValueRange{k, r});
      });
    });
    writer.finish(function);
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
