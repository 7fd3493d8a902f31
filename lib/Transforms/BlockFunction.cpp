// The function of a kernel that computes one block of the output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/BlockFunction.h"

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

  /// Where a strip of the block of K that begins at `k0` stands, packed: all
  /// take the room of a tall one. A block of K is in one piece, also where all
  /// of them are packed at once: strips that each held all of K would stand
  /// powers of two apart, and meet in few sets of L2.
  Value packedAt(Value strip, Value k0, Value depth) {
    Value before =
        math.mul(math.sub(strip, block.strips.begin), block.tallRows);
    Value wholeDepth = math.roundUpTo(depth, layer.packedTogether());
    Value inBlock = math.add(block.packedA, math.mul(before, wholeDepth));
    if (!layer.packsWholeDepth())
      return inBlock;
    Value rows = math.mul(math.sub(block.strips.end, block.strips.begin),
                          block.tallRows);
    return math.add(inBlock, math.mul(k0, rows));
  }

  /// Unless a block before has packed them.
  void forEachPackedStrip(llvm::function_ref<void(Value)> body) {
    math.when(block.packs, [&] {
      math.loop(block.strips.begin, block.strips.end, math.constant(1), body);
    });
  }

  void packStrip(Value strip, Value k0, Value depth) {
    writer.call(writer.packName(), {args, firstRow(strip), packedRows(strip),
                                    k0, depth, packedAt(strip, k0, depth)});
  }

  Value rowsOf(Value strip) {
    return rowsOfStrip(math, strip, block.baseRows, block.shortStrips);
  }

  /// Of a strip with a row to spare the micro-kernel reads that row too; tile
  /// registers read whatever stands there.
  Value packedRows(Value strip) {
    return layer.schedule.onTiles() ? rowsOf(strip) : block.tallRows;
  }

  /// Where the sums of a tile wait: in a tile of the slice or, when K is cut,
  /// of the block, else in the one there is.
  Value accumulatorsOf(Value strip, Value panel) {
    if (layer.wholeDepth())
      return math.add(block.accumulators, takingTurns(strip, panel));
    if (layer.slicesDepth())
      return math.add(block.accumulators,
                      tileOffset(strip, math.constant(layer.panels), panel));
    return math.add(block.accumulators,
                    math.select(cutsDepth, tileInBlock(strip, panel),
                                takingTurns(strip, panel)));
  }

  /// Which of the tiles of sums, where all tiles of a block share these.
  Value takingTurns(Value strip, Value panel) {
    if (layer.sumsInFlight() == 1)
      return math.constant(0);
    Value offset = tileInBlock(strip, panel);
    return math.sub(offset, math.roundDownTo(offset, layer.sumsInFlight() *
                                                         layer.tileFloats()));
  }

  /// Where the sums of the tile that comes next wait; behind the last one of
  /// the block comes the first one, for the next block of K.
  Value nextAccumulators(Value strip, Value panel) {
    Value strips = math.sub(block.strips.end, block.strips.begin);
    Value panels = math.sub(block.panels.end, block.panels.begin);
    Value room = math.constant(layer.tileFloats());
    Value following = math.add(tileInBlock(strip, panel), room);
    Value end = math.mul(math.mul(strips, panels), room);
    Value staysInBlock = math.both(cutsDepth, math.greater(end, following));
    return math.add(block.accumulators,
                    math.select(staysInBlock, following, math.constant(0)));
  }

  /// In the order in which the tiles of a block are computed, so that the next
  /// one's sums stand behind this one's.
  Value tileInBlock(Value strip, Value panel) {
    Value strips = math.sub(block.strips.end, block.strips.begin);
    Value panels = math.sub(block.panels.end, block.panels.begin);
    Value row = math.sub(strip, block.strips.begin);
    Value column = math.sub(panel, block.panels.begin);
    return math.select(tilesOuterN, tileOffset(column, strips, row),
                       tileOffset(row, panels, column));
  }

  /// Row by row of some tiles, `columns` in each, each tile in one piece.
  Value tileOffset(Value row, Value columns, Value column) {
    return math.mul(math.add(math.mul(row, columns), column),
                    math.constant(layer.tileFloats()));
  }

  /// Where no K blocks follow. What threads share is finished in phase 1.
  Value isLast(Value k0, Value depth) {
    if (!layer.cutsDepth())
      return math.boolean(layer.wholeDepth());
    return math.negate(
        math.greater(math.constant(layer.k), math.add(k0, depth)));
  }

  /// Where the depth `k0` of a panel begins in the packed weight.
  Value panelAt(Value panel, Value k0) {
    return math.mul(
        math.add(math.mul(panel, math.constant(layer.paddedDepth())), k0),
        math.constant(layer.schedule.nr));
  }

  /// The panel that follows in the block. After the last one comes the first
  /// one of the next block: of K if there is more of it, else of columns, as
  /// with blocks=mn or one block of rows.
  Value nextPanel(Value panel, Value k0, Value depth) {
    Value following = math.add(panel, math.constant(1));
    if (!layer.cutsDepth())
      return panelAt(following, k0);
    Value inBlock = math.greater(block.panels.end, following);
    Value nextDepth = math.add(k0, depth);
    Value moreDepth = math.greater(math.constant(layer.k), nextDepth);
    Value afterBlock =
        panelAt(math.select(moreDepth, block.panels.begin, following),
                math.select(moreDepth, nextDepth, math.constant(0)));
    return math.select(inBlock, panelAt(following, k0), afterBlock);
  }

  /// The part of the next panel that a strip asks for, while this panel is in
  /// use: each strip of the block another one, and those that are too many the
  /// last.
  Value prefetchedPart(Value strip, Value panel, Value k0, Value depth) {
    const int64_t part = layer.schedule.prefetch / layer.weightBytes();
    const int64_t step = depthUnitOf(layer.weight) * layer.schedule.nr;
    Value steps = math.ceilDivBy(depth, depthUnitOf(layer.weight));
    Value stripInBlock = math.sub(strip, block.strips.begin);
    Value before = math.mul(math.mul(stripInBlock, steps), math.constant(part));
    Value last = math.mul(steps, math.constant(step - part));
    Value next = nextPanel(panel, k0, depth);
    return math.add(next, math.min(before, last));
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
            ? packedAt(strip, k0, depth)
            : math.add(math.mul(at.row, writer.number(args, KernelField::ldx)),
                       k0);
    tile.b = panelAt(panel, k0);
    tile.acc = accumulatorsOf(strip, panel);
    tile.row = at.row;
    tile.column = at.column;
    if (!layer.wholeDepth())
      tile.depth = depth;
    if (layer.cutsDepth())
      tile.first = math.equals(k0, math.constant(0));
    if (layer.asksForValidRows())
      tile.validRows = at.rows;
    if (layer.schedule.prefetchesNextPanel())
      tile.next = prefetchedPart(strip, panel, k0, depth);
    if (layer.prefetchesSums())
      tile.nextAcc = nextAccumulators(strip, panel);
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
    tile.pendingAcc = accumulatorsBefore(tile.acc);
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

  /// Where the sums of the tile before one with its sums at `acc` wait: before
  /// those, or, of the two that take turns, in the other.
  Value accumulatorsBefore(Value acc) {
    Value room = math.constant(layer.tileFloats());
    Value turn = math.sub(acc, block.accumulators);
    Value other = math.add(block.accumulators, math.sub(room, turn));
    return layer.cutsDepth()
               ? math.select(cutsDepth, math.sub(acc, room), other)
               : other;
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
