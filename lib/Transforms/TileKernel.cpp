// The SPMD kernel around one linear layer: driver, packing, tile functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/TileKernel.h"

#include "Schedule/SearchSpace.h"
#include "Transforms/IndexMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace lintel::ir {
namespace {

using mlir::Value;

/// A half-open range of index values.
struct Range {
  Value begin, end;
};

/// Things dealt out to parts: each part gets `base`, the first `extra` parts
/// one more.
struct Split {
  Value base, extra;
};

/// What is known of the layer while its kernel is built.
struct Layer {
  LinearOp op;
  Schedule schedule;
  Target target;
  int64_t n, k, panels;
  /// Each height of tall strips has a micro-kernel, which serves the strips
  /// that are one row shorter too: it reads on into the next strip and keeps
  /// that row to itself. A known M has one height.
  StripHeights strips;

  /// Ragged panels go through the scratch tile where masks are not free.
  bool raggedThroughTile() const {
    return !target.hasMaskRegisters() && n % schedule.nr != 0;
  }
  bool epilogueOnTile() const {
    return schedule.epilogue == EpiloguePlacement::tile;
  }
  /// Of a packed panel.
  int64_t paddedDepth() const {
    return (k + schedule.group - 1) / schedule.group * schedule.group;
  }
  bool packs() const { return schedule.pack == PackA::block; }
  bool wholeDepth() const { return schedule.wholeDepth(); }
};

Layer describe(LinearOp op) {
  Schedule schedule = op.getScheduleAttr().getValue();
  return Layer{op,
               schedule,
               op.getTargetAttr().getValue(),
               op.getN(),
               op.getK(),
               (op.getN() + schedule.nr - 1) / schedule.nr,
               stripHeights(schedule.mr, op.getRowRange())};
}

/// Builds the functions of one kernel. Offsets are in elements of f32.
class KernelBuilder {
public:
  KernelBuilder(LinearOp op, mlir::func::FuncOp function)
      : layer(describe(op)), builder(function), loc(op.getLoc()),
        math(builder, loc), name(function.getSymName().str()) {
    indexType = builder.getIndexType();
    argsType = KernelArgsType::get(builder.getContext());
    pointerType = mlir::MemRefType::get({}, builder.getF32Type());
  }

  void build() {
    for (int64_t rows : layer.strips.tall)
      buildMicrokernel(rows);
    if (layer.epilogueOnTile() || layer.raggedThroughTile())
      buildEpilogue();
    if (layer.packs())
      buildPacking();
    buildDriver();
  }

private:
  //===--------------------------------------------------------------------===//
  // Private functions
  //===--------------------------------------------------------------------===//

  mlir::func::FuncOp createFunction(llvm::StringRef symbol,
                                    mlir::TypeRange inputs) {
    auto function = mlir::func::FuncOp::create(
        builder, loc, symbol, builder.getFunctionType(inputs, {}));
    function.addEntryBlock();
    builder.setInsertionPointToStart(&function.getBody().front());
    return function;
  }

  mlir::func::FuncOp createPrivate(llvm::StringRef symbol,
                                   mlir::TypeRange inputs) {
    mlir::func::FuncOp function = createFunction(symbol, inputs);
    function.setPrivate();
    return function;
  }

  void finish(mlir::func::FuncOp function) {
    mlir::func::ReturnOp::create(builder, loc);
    builder.setInsertionPointAfter(function);
  }

  std::string microkernelName(int64_t rows) const {
    return name + "_microkernel_" + std::to_string(rows);
  }

  mlir::ArrayAttr broadcasts() {
    llvm::SmallVector<mlir::Attribute> names;
    for (unsigned i = 0; i < layer.op.getEpilogueOperands().size(); ++i)
      names.push_back(
          builder.getStringAttr(toString(layer.op.getBroadcast(i))));
    return builder.getArrayAttr(names);
  }

  void cloneEpilogueInto(mlir::Region &region) {
    mlir::IRMapping mapping;
    layer.op.getEpilogue().cloneInto(&region, mapping);
  }

  /// A region without a meaning: the epilogue follows in apply_epilogue.
  void emptyEpilogueInto(mlir::Region &region) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&region);
    YieldOp::create(builder, loc, mlir::ValueRange());
  }

  Value argument(Value args, KernelField field, int64_t position = 0) {
    bool pointer = field == KernelField::x || field == KernelField::w ||
                   field == KernelField::workspace ||
                   field == KernelField::output ||
                   field == KernelField::operand;
    return KernelArgOp::create(builder, loc,
                               pointer ? mlir::Type(pointerType) : indexType,
                               args, field, position);
  }

  /// Columns of the panel at `column` that are inside the output.
  Value columnsFrom(Value column) {
    if (layer.n % layer.schedule.nr == 0)
      return math.constant(layer.schedule.nr);
    return math.min(math.constant(layer.schedule.nr),
                    math.sub(math.constant(layer.n), column));
  }

  /// What a tile's call passes on; what is null is known when compiling.
  struct TileOperands {
    Value a, b, acc, row, column;
    Value depth, ldacc, first; ///< when K may be cut
    Value last;                ///< when some tiles finish elsewhere
    Value validRows;           ///< when some strips are shorter

    llvm::SmallVector<Value> present() const {
      llvm::SmallVector<Value> values = {a, b, acc, row, column};
      for (Value value : {depth, ldacc, first, last, validRows})
        if (value)
          values.push_back(value);
      return values;
    }
  };

  /// Tiles whose epilogue runs on registers in some calls only.
  bool decidesLastAtRunTime() const {
    return !layer.epilogueOnTile() &&
           (!layer.wholeDepth() || layer.raggedThroughTile());
  }

  bool asksForValidRows() const {
    return layer.strips.someShort && !layer.epilogueOnTile();
  }

  /// The function's arguments as its caller passes them: (args, a, b, acc, row,
  /// column [, depth, ldacc, first] [, last] [, validRows]), the first group as
  /// offsets.
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
    tile.last = decidesLastAtRunTime() ? Value(*next++)
                                       : math.boolean(!layer.epilogueOnTile());
    if (asksForValidRows())
      tile.validRows = *next;
    return tile;
  }

  void buildMicrokernel(int64_t rows) {
    mlir::Type i1 = builder.getI1Type();
    llvm::SmallVector<mlir::Type> inputs = {argsType,  indexType, indexType,
                                            indexType, indexType, indexType};
    if (!layer.wholeDepth())
      inputs.append({indexType, indexType, i1});
    if (decidesLastAtRunTime())
      inputs.push_back(i1);
    if (asksForValidRows())
      inputs.push_back(indexType);
    mlir::func::FuncOp function = createPrivate(microkernelName(rows), inputs);
    Value kernelArgs = function.getArgument(0);
    TileOperands tile = tileArguments(function);
    Value workspace = argument(kernelArgs, KernelField::workspace);
    Value a = layer.packs() ? workspace : argument(kernelArgs, KernelField::x);
    Value lda = layer.packs() ? math.constant(rows)
                              : argument(kernelArgs, KernelField::ldx);
    Value b = argument(kernelArgs, KernelField::w);
    auto op = MicrokernelOp::create(
        builder, loc, kernelArgs, a, tile.a, lda, b, tile.b, tile.depth,
        workspace, tile.acc, tile.ldacc, tile.first, tile.last, tile.row,
        tile.column, columnsFrom(tile.column), tile.validRows, rows,
        layer.op.getScheduleAttr(), layer.op.getTargetAttr(),
        layer.epilogueOnTile() ? builder.getArrayAttr({}) : broadcasts());
    if (layer.epilogueOnTile())
      emptyEpilogueInto(op.getEpilogue());
    else
      cloneEpilogueInto(op.getEpilogue());
    finish(function);
  }

  /// (args, accOffset, ldacc, row, column, rows)
  void buildEpilogue() {
    mlir::func::FuncOp function =
        createPrivate(name + "_epilogue", {argsType, indexType, indexType,
                                           indexType, indexType, indexType});
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    Value workspace = argument(arg(0), KernelField::workspace);
    auto op = ApplyEpilogueOp::create(
        builder, loc, arg(0), workspace, arg(1), arg(2), arg(3), arg(4), arg(5),
        columnsFrom(arg(4)), layer.op.getScheduleAttr(),
        layer.op.getTargetAttr(), broadcasts());
    cloneEpilogueInto(op.getEpilogue());
    finish(function);
  }

  /// (args, row, rows, k0, depth, packedOffset): one strip of x to
  /// [depth][rows] in the workspace.
  void buildPacking() {
    mlir::func::FuncOp function =
        createPrivate(name + "_pack", {argsType, indexType, indexType,
                                       indexType, indexType, indexType});
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    Value rows = arg(2), depth = arg(4), one = math.constant(1);
    Value ldx = argument(arg(0), KernelField::ldx);
    Value from = math.view(argument(arg(0), KernelField::x),
                           math.add(math.mul(arg(1), ldx), arg(3)),
                           {rows, depth}, {ldx, one});
    Value to = math.view(argument(arg(0), KernelField::workspace), arg(5),
                         {depth, rows}, {rows, one});
    math.loop(rows, [&](Value r) {
      math.loop(depth, [&](Value k) {
        Value element = mlir::memref::LoadOp::create(builder, loc, from,
                                                     mlir::ValueRange{r, k});
        mlir::memref::StoreOp::create(builder, loc, element, to,
                                      mlir::ValueRange{k, r});
      });
    });
    finish(function);
  }

  //===--------------------------------------------------------------------===//
  // Driver
  //===--------------------------------------------------------------------===//

  void buildDriver() {
    mlir::Type i32 = builder.getI32Type();
    mlir::func::FuncOp function = createFunction(name, {argsType, i32, i32});
    args = function.getArgument(0);
    Value tid = math.fromI32(function.getArgument(1));
    Value threads = math.fromI32(function.getArgument(2));
    readBlocking();
    placeWorkspace(tid);
    math.loop(tid, math.mul(gridM, gridN), threads, [&](Value chunk) {
      Value cm = math.divU32(chunk, gridN);
      Value cn = math.sub(chunk, math.mul(cm, gridN));
      emitChunk(share(strips, cm), share(panels, cn));
    });
    finish(function);
  }

  Value atLeastOne(Value value) { return math.max(value, math.constant(1)); }

  void readBlocking() {
    Value m = argument(args, KernelField::m);
    // A known M is cut by the height that it was found to have.
    Value stripCount = math.ceilDivBy(m, oneHeight() ? layer.strips.tall.front()
                                                     : layer.schedule.mr);
    baseRows = math.divU32(m, atLeastOne(stripCount));
    Value tallStrips = math.sub(m, math.mul(baseRows, stripCount));
    shortStrips = math.sub(stripCount, tallStrips);
    tallRows = oneHeight()
                   ? math.constant(layer.strips.tall.front())
                   : math.add(baseRows, math.min(tallStrips, math.constant(1)));
    gridM = argument(args, KernelField::grid_m);
    gridN = argument(args, KernelField::grid_n);
    strips = split(stripCount, gridM);
    panels = split(math.constant(layer.panels), gridN);
    Value mc = argument(args, KernelField::mc),
          nc = argument(args, KernelField::nc);
    blockStrips =
        atLeastOne(math.min(math.divBy(mc, layer.schedule.mr), stripCount));
    blockPanels = atLeastOne(math.min(math.divBy(nc, layer.schedule.nr),
                                      math.constant(layer.panels)));
    cutsDepth = math.boolean(false);
    if (!layer.wholeDepth()) {
      kc = atLeastOne(
          math.min(argument(args, KernelField::kc), math.constant(layer.k)));
      cutsDepth = math.greater(math.constant(layer.k), kc);
    }
    blocksOuterN =
        math.equals(argument(args, KernelField::block_order), math.constant(1));
    tilesOuterN =
        math.equals(argument(args, KernelField::tile_order), math.constant(1));
  }

  /// The thread's workspace: [accumulators][packed A]. The accumulators are a
  /// whole block when K is cut, else one tile. workspaceBytesPerThread counts
  /// the same.
  void placeWorkspace(Value tid) {
    Value stride = math.divBy(argument(args, KernelField::workspace_stride),
                              sizeof(float));
    accumulators = math.mul(tid, stride);
    Value tileColumns = math.constant(layer.schedule.nr);
    accumulatorStride =
        math.select(cutsDepth, math.mul(blockPanels, tileColumns), tileColumns);
    if (!layer.packs())
      return;
    Value blockRows = math.mul(blockStrips, math.constant(layer.schedule.mr));
    bool tileNeedsScratch =
        layer.epilogueOnTile() || !layer.target.hasMaskRegisters();
    Value tileSize = math.constant(
        tileNeedsScratch ? layer.schedule.mr * layer.schedule.nr : 0);
    Value size = math.select(cutsDepth, math.mul(blockRows, accumulatorStride),
                             tileSize);
    constexpr int64_t line = 64 / sizeof(float);
    packedA = math.add(accumulators, math.mul(math.ceilDivBy(size, line),
                                              math.constant(line)));
  }

  Split split(Value count, Value parts) {
    Value base = math.divU32(count, parts);
    return {base, math.sub(count, math.mul(base, parts))};
  }

  Value firstOf(Split split, Value part) {
    return math.add(math.mul(part, split.base), math.min(part, split.extra));
  }

  Range share(Split split, Value part) {
    return {firstOf(split, part),
            firstOf(split, math.add(part, math.constant(1)))};
  }

  /// Short strips come first: the row after one belongs to the next.
  Value firstRow(Value strip) {
    return math.add(math.mul(strip, baseRows),
                    math.sub(math.max(strip, shortStrips), shortStrips));
  }

  bool oneHeight() const { return layer.strips.tall.size() == 1; }

  /// Where a strip of a packed block stands: all take the room of a tall one.
  Value packedStrip(Range block, Value strip, Value depth) {
    Value before = math.mul(math.sub(strip, block.begin), tallRows);
    return math.add(packedA, math.mul(before, depth));
  }

  /// Two nested loops over m and n whose nesting is chosen at run time, with
  /// one copy of the body. The body also learns whether the inner loop is in
  /// its first round.
  void orderedLoops(Range m, Value stepM, Range n, Value stepN, Value outerIsN,
                    llvm::function_ref<void(Value, Value, Value)> body) {
    auto outerOf = [&](Value ofM, Value ofN) {
      return math.select(outerIsN, ofN, ofM);
    };
    Value innerBegin = outerOf(n.begin, m.begin);
    math.loop(outerOf(m.begin, n.begin), outerOf(m.end, n.end),
              outerOf(stepM, stepN), [&](Value outer) {
                math.loop(innerBegin, outerOf(n.end, m.end),
                          outerOf(stepN, stepM), [&](Value inner) {
                            body(outerOf(outer, inner), outerOf(inner, outer),
                                 math.equals(inner, innerBegin));
                          });
              });
  }

  void emitChunk(Range stripRange, Range panelRange) {
    orderedLoops(stripRange, blockStrips, panelRange, blockPanels, blocksOuterN,
                 [&](Value strip, Value panel, Value firstRound) {
                   emitBlock(cut(strip, blockStrips, stripRange.end),
                             cut(panel, blockPanels, panelRange.end),
                             firstRound);
                 });
  }

  Range cut(Value begin, Value size, Value end) {
    return {begin, math.min(math.add(begin, size), end)};
  }

  void emitBlock(Range stripRange, Range panelRange, Value firstRound) {
    auto round = [&](Value k0, Value depth) {
      Value one = math.constant(1);
      if (layer.packs())
        emitPacking(stripRange, k0, depth, firstRound);
      orderedLoops(stripRange, one, panelRange, one, tilesOuterN,
                   [&](Value strip, Value panel, Value) {
                     emitTile(stripRange, strip, panelRange, panel, k0, depth);
                   });
    };
    if (layer.wholeDepth())
      return round(math.constant(0), math.constant(layer.k));
    // K = 0 still takes one round, which gives every sum its zero.
    Value end = math.constant(std::max<int64_t>(layer.k, 1));
    math.loop(math.constant(0), end, kc, [&](Value k0) {
      round(k0, math.min(kc, math.sub(math.constant(layer.k), k0)));
    });
  }

  /// The packed block of the previous (m, k) block still stands when N blocks
  /// are the inner loop, this is not the first of them, and K is not cut.
  void emitPacking(Range stripRange, Value k0, Value depth, Value firstRound) {
    Value needed =
        math.either(firstRound, math.either(blocksOuterN, cutsDepth));
    math.when(needed, [&] {
      math.loop(
          stripRange.begin, stripRange.end, math.constant(1), [&](Value strip) {
            call(name + "_pack", {args, firstRow(strip), tallRows, k0, depth,
                                  packedStrip(stripRange, strip, depth)});
          });
    });
  }

  void emitTile(Range stripRange, Value strip, Range panelRange, Value panel,
                Value k0, Value depth) {
    Value row = firstRow(strip);
    Value rows = math.sub(firstRow(math.add(strip, math.constant(1))), row);
    Value nr = math.constant(layer.schedule.nr);
    Value column = math.mul(panel, nr);
    Value a =
        layer.packs()
            ? packedStrip(stripRange, strip, depth)
            : math.add(math.mul(row, argument(args, KernelField::ldx)), k0);
    Value b = math.mul(
        math.add(math.mul(panel, math.constant(layer.paddedDepth())), k0), nr);
    Value blockRow = math.mul(math.sub(strip, stripRange.begin),
                              math.constant(layer.schedule.mr));
    Value inBlock = math.add(math.mul(blockRow, accumulatorStride),
                             math.mul(math.sub(panel, panelRange.begin), nr));
    Value acc = math.add(accumulators,
                         math.select(cutsDepth, inBlock, math.constant(0)));
    Value last = layer.wholeDepth()
                     ? math.boolean(true)
                     : math.negate(math.greater(math.constant(layer.k),
                                                math.add(k0, depth)));
    Value ragged = math.greater(math.add(column, nr), math.constant(layer.n));
    TileOperands tile{a, b, acc, row, column, {}, {}, {}, {}, {}};
    if (!layer.wholeDepth()) {
      tile.depth = depth;
      tile.ldacc = accumulatorStride;
      tile.first = math.equals(k0, math.constant(0));
    }
    if (decidesLastAtRunTime())
      tile.last = layer.raggedThroughTile()
                      ? math.both(last, math.negate(ragged))
                      : last;
    if (asksForValidRows())
      tile.validRows = rows;
    llvm::SmallVector<Value> operands = {args};
    operands.append(tile.present());
    callMicrokernel(operands);
    if (!layer.epilogueOnTile() && !layer.raggedThroughTile())
      return;
    math.when(layer.epilogueOnTile() ? last : math.both(last, ragged), [&] {
      call(name + "_epilogue",
           {args, acc, accumulatorStride, row, column, rows});
    });
  }

  void callMicrokernel(mlir::ValueRange operands) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    llvm::ArrayRef<int64_t> heights = layer.strips.tall;
    for (int64_t height : heights.drop_back()) {
      auto branch = mlir::scf::IfOp::create(
          builder, loc, math.equals(tallRows, math.constant(height)),
          /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
      call(microkernelName(height), operands);
      builder.setInsertionPointToStart(branch.elseBlock());
    }
    call(microkernelName(heights.back()), operands);
  }

  void call(const std::string &symbol, mlir::ValueRange operands) {
    mlir::func::CallOp::create(builder, loc, symbol, mlir::TypeRange(),
                               operands);
  }

  Layer layer;
  mlir::OpBuilder builder;
  mlir::Location loc;
  IndexMath math;
  std::string name;
  mlir::Type indexType, argsType;
  mlir::MemRefType pointerType;

  // Values of the driver, set by readBlocking and placeWorkspace.
  Value args, baseRows, shortStrips, tallRows, gridM, gridN, blockStrips,
      blockPanels, kc, blocksOuterN, tilesOuterN, cutsDepth, accumulators,
      accumulatorStride, packedA;
  Split strips, panels;
};

} // namespace

void buildKernel(LinearOp op, mlir::func::FuncOp function) {
  KernelBuilder(op, function).build();
}

} // namespace lintel::ir
