// The function of a kernel that computes one block of the output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/BlockFunction.h"

#include "Transforms/BlockAddresses.h"
#include "Transforms/PrefetchTile.h"
#include "Transforms/TileFunctions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lintel::ir {

using mlir::Value;

llvm::SmallVector<Value> BlockOperands::present() const {
  llvm::SmallVector<Value> values = {strips.begin, strips.end, panels.begin,
                                     panels.end,   baseRows,   shortStrips,
                                     accumulators};
  for (Value value : {tallRows, firstDepth, depth, packedA, packs})
    if (value)
      values.push_back(value);
  return values;
}

namespace {

class BlockFunction {
public:
  explicit BlockFunction(KernelWriter &writer)
      : writer(writer), layer(writer.layer), math(writer.math) {}

  void build() {
    mlir::Type index = writer.indexType;
    llvm::SmallVector<mlir::Type> inputs(8, index);
    inputs.front() = writer.argsType;
    if (!layer.oneHeight())
      inputs.push_back(index);
    if (layer.slicesDepth())
      inputs.append({index, index});
    if (layer.packs())
      inputs.append({index, writer.builder.getI1Type()});
    mlir::func::FuncOp function =
        writer.createPrivate(writer.blockName(), inputs);
    writer.worksOnTiles(function);
    if (layer.hasManySteps())
      writer.leaveUnoptimized(function);
    readArguments(function);
    emitDepthBlocks();
    writer.finish(function);
  }

private:
  /// Where a tile stands in the output.
  struct Place {
    Value row, rows, column;
  };

  void readArguments(mlir::func::FuncOp function) {
    auto next = function.getArguments().begin();
    args = *next++;
    for (Value *value :
         {&block.strips.begin, &block.strips.end, &block.panels.begin,
          &block.panels.end, &block.baseRows, &block.shortStrips,
          &block.accumulators})
      *value = *next++;
    block.tallRows = layer.oneHeight()
                         ? math.constant(layer.strips.tall.front())
                         : Value(*next++);
    if (layer.slicesDepth()) {
      block.firstDepth = *next++;
      block.depth = *next++;
    }
    if (layer.packs()) {
      block.packedA = *next++;
      block.packs = *next++;
    }
    tilesOuterN = math.equals(writer.number(args, KernelField::tile_order),
                              math.constant(1));
  }

  BlockAddresses addresses() { return {writer, block, tilesOuterN, cutsDepth}; }

  void emitDepthBlocks() {
    Value depth = math.constant(layer.k);
    if (layer.wholeDepth())
      return emitPackedTiles(math.constant(0), depth);
    if (layer.slicesDepth())
      return emitTiles(block.firstDepth, block.depth);
    Value kc = math.max(math.min(writer.number(args, KernelField::kc), depth),
                        math.constant(1));
    cutsDepth = math.greater(depth, kc);
    // K = 0 still takes one round, which gives every sum its zero.
    Value end = math.constant(std::max<int64_t>(layer.k, 1));
    auto eachBlock = [&](auto &&emit) {
      math.loop(math.constant(0), end, kc,
                [&](Value k0) { emit(k0, math.min(kc, math.sub(depth, k0))); });
    };
    if (!layer.packsWholeDepth())
      return eachBlock(
          [&](Value k0, Value part) { emitPackedTiles(k0, part); });
    forEachPackedStrip([&](Value strip) {
      eachBlock([&](Value k0, Value part) { packStrip(strip, k0, part); });
    });
    eachBlock([&](Value k0, Value part) { emitTiles(k0, part); });
  }

  void emitPackedTiles(Value k0, Value depth) {
    if (layer.packs())
      forEachPackedStrip([&](Value strip) { packStrip(strip, k0, depth); });
    emitTiles(k0, depth);
  }

  void emitTiles(Value k0, Value depth) {
    Value one = math.constant(1);
    orderedLoops(math, {block.strips.begin, block.strips.end, one},
                 {block.panels.begin, block.panels.end, one}, tilesOuterN,
                 [&](Value strip, Value panel, Value innerBegins) {
                   emitTile(strip, panel, innerBegins, k0, depth);
                 });
  }

  Value firstRow(Value strip) {
    return firstRowOf(math, strip, block.baseRows, block.shortStrips);
  }

  /// Unless a block before has packed them.
  void forEachPackedStrip(llvm::function_ref<void(Value)> body) {
    math.when(block.packs, [&] {
      math.loop(block.strips.begin, block.strips.end, math.constant(1), body);
    });
  }

  void packStrip(Value strip, Value k0, Value depth) {
    writer.call(writer.packName(),
                {args, firstRow(strip), packedRows(strip), k0, depth,
                 addresses().packedAt(strip, k0, depth)});
  }

  Value rowsOf(Value strip) {
    return rowsOfStrip(math, strip, block.baseRows, block.shortStrips);
  }

  /// Of a strip with a row to spare the micro-kernel reads that row too; tile
  /// registers read whatever stands there.
  Value packedRows(Value strip) {
    return layer.schedule.onTiles() ? rowsOf(strip) : block.tallRows;
  }

  /// Where no K blocks follow. What threads share is finished in phase 1.
  Value isLast(Value k0, Value depth) {
    if (!layer.cutsDepth())
      return math.boolean(layer.wholeDepth());
    return math.negate(
        math.greater(math.constant(layer.k), math.add(k0, depth)));
  }

  void emitTile(Value strip, Value panel, Value innerBegins, Value k0,
                Value depth) {
    const Place at = {firstRow(strip), rowsOf(strip),
                      math.mul(panel, math.constant(layer.schedule.nr))};
    Value last = isLast(k0, depth);
    if (prefetchesTiles(layer) && !prefetchesInLoop(layer))
      math.when(last, [&] {
        writer.call(writer.prefetchName(), {args, at.row, at.column, at.rows});
      });
    Value ragged = isRagged(at.column);
    Value finishes =
        layer.raggedThroughTile() ? math.both(last, math.negate(ragged)) : last;
    TileOperands tile = microkernelOperands(strip, panel, k0, depth, at);
    if (layer.decidesLastAtRunTime())
      tile.last = finishes;
    if (prefetchesInLoop(layer))
      tile.finishes = last;
    if (layer.finishesInNext())
      addPending(tile, strip, panel, innerBegins, last);
    callMicrokernel(tile);
    if (layer.slicesDepth() ||
        (!layer.epilogueOnTile() && !layer.raggedThroughTile()))
      return;
    Value finished = last;
    if (!layer.epilogueOnTile())
      finished = math.both(last, ragged);
    else if (layer.finishesInNext())
      finished = math.both(
          last,
          math.either(ragged, isTile(strip, panel, lastStrip(), lastPanel())));
    math.when(finished, [&] {
      writer.call(writer.epilogueName(),
                  {args, tile.acc, at.row, at.column, at.rows});
    });
  }

  /// All but whether it applies the epilogue.
  TileOperands microkernelOperands(Value strip, Value panel, Value k0,
                                   Value depth, const Place &at) {
    TileOperands tile;
    tile.a =
        layer.packs()
            ? addresses().packedAt(strip, k0, depth)
            : math.add(math.mul(at.row, writer.number(args, KernelField::ldx)),
                       k0);
    tile.b = addresses().panelAt(panel, k0);
    tile.acc = addresses().accumulatorsOf(strip, panel);
    tile.row = at.row;
    tile.column = at.column;
    if (!layer.wholeDepth())
      tile.depth = depth;
    if (layer.cutsDepth())
      tile.first = math.equals(k0, math.constant(0));
    if (layer.asksForValidRows())
      tile.validRows = at.rows;
    if (layer.schedule.prefetchesNextPanel())
      tile.next = addresses().prefetchedPart(strip, panel, k0, depth);
    if (layer.prefetchesSums())
      tile.nextAcc = addresses().nextAccumulators(strip, panel);
    return tile;
  }

  /// Whether the last columns of a tile are beyond the output.
  Value isRagged(Value column) {
    if (layer.n % layer.schedule.nr == 0)
      return math.boolean(false);
    return math.greater(math.add(column, math.constant(layer.schedule.nr)),
                        math.constant(layer.n));
  }

  Value lastStrip() { return math.sub(block.strips.end, math.constant(1)); }
  Value lastPanel() { return math.sub(block.panels.end, math.constant(1)); }

  Value isTile(Value strip, Value panel, Value otherStrip, Value otherPanel) {
    return math.both(math.equals(strip, otherStrip),
                     math.equals(panel, otherPanel));
  }

  /// The tile that was computed before this one, in the last block of K, unless
  /// it was ragged and is finished, or this is the first of the block: then it
  /// has no rows, and stands anywhere. `innerBegins`: the inner loop over tiles
  /// is in its first round.
  void addPending(TileOperands &tile, Value strip, Value panel,
                  Value innerBegins, Value last) {
    Value one = math.constant(1);
    const auto before = [&](Value isInner, Value index, Value lastIndex) {
      Value back = math.sub(index, one);
      return math.select(isInner, math.select(innerBegins, lastIndex, back),
                         math.select(innerBegins, back, index));
    };
    Value stripBefore = before(tilesOuterN, strip, lastStrip());
    Value panelBefore = before(math.negate(tilesOuterN), panel, lastPanel());
    tile.pendingAcc = addresses().accumulatorsBefore(tile.acc);
    tile.pendingRow = firstRow(stripBefore);
    tile.pendingColumn =
        math.mul(panelBefore, math.constant(layer.schedule.nr));
    Value isFirst =
        isTile(strip, panel, block.strips.begin, block.panels.begin);
    Value isPending = math.both(
        last, math.negate(math.either(isFirst, isRagged(tile.pendingColumn))));
    tile.pendingRows =
        math.select(isPending, rowsOf(stripBefore), math.constant(0));
  }

  /// The micro-kernel for the height that this M has.
  void callMicrokernel(const TileOperands &tile) {
    llvm::SmallVector<Value> operands = {args};
    operands.append(tile.present());
    mlir::OpBuilder &builder = writer.builder;
    mlir::OpBuilder::InsertionGuard guard(builder);
    llvm::ArrayRef<int64_t> heights = layer.strips.tall;
    for (int64_t height : heights.drop_back()) {
      auto branch = mlir::scf::IfOp::create(
          builder, writer.loc,
          math.equals(block.tallRows, math.constant(height)),
          /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
      writer.call(writer.microkernelName(height), operands);
      builder.setInsertionPointToStart(branch.elseBlock());
    }
    writer.call(writer.microkernelName(heights.back()), operands);
  }

  KernelWriter &writer;
  const KernelLayer &layer;
  IndexMath &math;
  Value args, tilesOuterN, cutsDepth;
  BlockOperands block;
};

} // namespace

void buildBlockFunction(KernelWriter &writer) { BlockFunction(writer).build(); }

} // namespace lintel::ir
