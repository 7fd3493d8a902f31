// The function of a kernel that computes one block of the output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/BlockFunction.h"

#include "Transforms/BlockAddresses.h"
#include "Transforms/PrefetchTile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lintel::ir {

using mlir::Value;

llvm::SmallVector<Parameter> BlockOperands::parameters() {
  using Layer = const KernelLayer &;
  constexpr auto index = Parameter::Type::index, truth = Parameter::Type::truth;
  const auto always = [](Layer) { return true; };
  const auto ofSlices = [](Layer layer) { return layer.slicesDepth(); };
  const auto ofPacked = [](Layer layer) { return layer.packs(); };
  return {
      {&strips.begin, index, always},
      {&strips.end, index, always},
      {&panels.begin, index, always},
      {&panels.end, index, always},
      {&baseRows, index, always},
      {&shortStrips, index, always},
      {&accumulators, index, always},
      {&tallRows, index, [](Layer layer) { return !layer.oneTallHeight(); }},
      {&firstDepth, index, ofSlices},
      {&depth, index, ofSlices},
      {&widePanel, index, [](Layer layer) { return layer.widensPanels(); }},
      {&packedA, index, ofPacked},
      {&packs, truth, ofPacked},
  };
}

namespace {

class BlockFunction {
public:
  explicit BlockFunction(KernelWriter &writer)
      : writer(writer), layer(writer.layer), math(writer.math) {}

  void build() {
    mlir::func::FuncOp function = writer.createPrivate(
        writer.blockName(), inputsOf(block.parameters(), writer));
    writer.worksOnTiles(function);
    if (layer.hasManySteps())
      writer.leaveOnStack(function);
    takeArguments(function);
    emitDepthBlocks();
    writer.finish(function);
  }

private:
  /// Where a tile stands in the output.
  struct Place {
    Value row, rows, column;
  };

  void takeArguments(mlir::func::FuncOp function) {
    args = function.getArgument(0);
    readArguments(block.parameters(), function, layer);
    if (!block.tallRows)
      block.tallRows = math.constant(layer.strips.tall.front());
    tilesOuterN =
        layer.widensPanels()
            ? math.boolean(true)
            : math.equals(writer.number(args, KernelField::tile_order),
                          math.constant(1));
  }

  BlockAddresses addresses() { return {writer, block, cutsDepth}; }

  void emitDepthBlocks() {
    Value depth = math.constant(layer.k);
    if (layer.wholeDepth())
      return emitPackedTiles(addresses().depthPart(math.constant(0), depth));
    if (layer.slicesDepth())
      return emitTiles(addresses().depthPart(block.firstDepth, block.depth));
    Value kc = math.max(math.min(writer.number(args, KernelField::kc), depth),
                        math.constant(1));
    cutsDepth = math.greater(depth, kc);
    // K = 0 still takes one round, which gives every sum its zero.
    Value end = math.constant(std::max<int64_t>(layer.k, 1));
    auto eachBlock = [&](auto &&emit) {
      math.loop(math.constant(0), end, kc, [&](Value begin) {
        emit(
            addresses().depthPart(begin, math.min(kc, math.sub(depth, begin))));
      });
    };
    if (!layer.packsWholeDepth())
      return eachBlock([&](const DepthPart &part) { emitPackedTiles(part); });
    forEachPackedStrip([&](Value strip) {
      eachBlock([&](const DepthPart &part) { packStrip(strip, part); });
    });
    eachBlock([&](const DepthPart &part) { emitTiles(part); });
  }

  void emitPackedTiles(const DepthPart &part) {
    if (layer.packs())
      forEachPackedStrip([&](Value strip) { packStrip(strip, part); });
    emitTiles(part);
  }

  void emitTiles(const DepthPart &part) {
    Value one = math.constant(1);
    Value last = isLast(part);
    orderedLoops(math, {block.strips.begin, block.strips.end, one},
                 {block.panels.begin, block.panels.end, one}, tilesOuterN,
                 addresses().roomOfTile(), [&](const Turn &at) {
                   if (layer.widensPanels())
                     widenOnce(at, part);
                   emitTile(at, part, last);
                 });
  }

  /// Before the first strip of a block passes the panel.
  void widenOnce(const Turn &at, const DepthPart &part) {
    math.when(math.equals(at.inner, at.innerBegin), [&] {
      writer.call(writer.widenName(),
                  {args, addresses().panelAt(at.n, part.begin), part.depth,
                   block.widePanel});
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

  void packStrip(Value strip, const DepthPart &part) {
    writer.call(writer.packName(),
                {args, firstRow(strip), packedRows(strip), part.begin,
                 part.depth, addresses().packedAt(strip, part)});
  }

  Value rowsOf(Value strip) {
    return rowsOfStrip(math, strip, block.baseRows, block.shortStrips);
  }

  /// Of a strip with a row to spare the micro-kernel reads that row too, unless
  /// it is for such strips alone; tile registers read whatever stands there.
  Value packedRows(Value strip) {
    return layer.schedule.onTiles() || layer.ownShortHeight > 0
               ? rowsOf(strip)
               : block.tallRows;
  }

  /// Where no K blocks follow. What threads share is finished in phase 1.
  Value isLast(const DepthPart &part) {
    return layer.cutsDepth() ? math.negate(part.moreFollows)
                             : math.boolean(layer.wholeDepth());
  }

  void emitTile(const Turn &turn, const DepthPart &part, Value last) {
    const BlockTile inBlock = {turn.m, turn.n, turn.before};
    const Place at = {
        firstRow(inBlock.strip), rowsOf(inBlock.strip),
        math.mul(inBlock.panel, math.constant(layer.schedule.nr))};
    if (prefetchesTiles(layer) && !prefetchesInLoop(layer))
      math.when(math.both(last, prefetchesInCall(writer, args)), [&] {
        writer.call(writer.prefetchName(), {args, at.row, at.column, at.rows});
      });
    Value ragged = isRagged(at.column);
    Value finishes =
        layer.raggedThroughTile() ? math.both(last, math.negate(ragged)) : last;
    TileOperands tile = microkernelOperands(inBlock, part, at);
    tile.last = finishes;
    tile.finishes = last;
    if (layer.finishesInNext())
      addPending(tile, turn, last);
    callMicrokernel(tile);
    if (layer.slicesDepth() ||
        (!layer.epilogueOnTile() && !layer.raggedThroughTile()))
      return;
    Value finished = last;
    if (!layer.epilogueOnTile())
      finished = math.both(last, ragged);
    else if (layer.finishesInNext())
      finished = math.both(
          last, math.either(ragged, isTile(inBlock, lastStrip(), lastPanel())));
    math.when(finished, [&] {
      writer.call(writer.epilogueName(),
                  {args, tile.acc, at.row, at.column, at.rows});
    });
  }

  /// All but whether it applies the epilogue.
  TileOperands microkernelOperands(const BlockTile &inBlock,
                                   const DepthPart &part, const Place &at) {
    TileOperands tile;
    tile.a =
        layer.packs()
            ? addresses().packedAt(inBlock.strip, part)
            : math.add(math.mul(at.row, writer.number(args, KernelField::ldx)),
                       part.begin);
    tile.b = layer.widensPanels()
                 ? block.widePanel
                 : addresses().panelAt(inBlock.panel, part.begin);
    tile.acc = addresses().accumulatorsOf(inBlock);
    tile.row = at.row;
    tile.column = at.column;
    tile.depth = part.depth;
    if (layer.cutsDepth())
      tile.first = math.equals(part.begin, math.constant(0));
    tile.validRows = at.rows;
    tile.nextStep = part.askedInTurn;
    if (layer.schedule.prefetchesNextPanel())
      tile.next = addresses().prefetchedPart(inBlock, part);
    if (layer.prefetchesSums())
      tile.nextAcc = addresses().nextAccumulators(inBlock);
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

  Value isTile(const BlockTile &tile, Value strip, Value panel) {
    return math.both(math.equals(tile.strip, strip),
                     math.equals(tile.panel, panel));
  }

  /// The tile that was computed before this one, in the last block of K, unless
  /// it was ragged and is finished, or this is the first of the block: then it
  /// has no rows, and stands anywhere.
  void addPending(TileOperands &tile, const Turn &turn, Value last) {
    Value one = math.constant(1);
    Value innerBegins = math.equals(turn.inner, turn.innerBegin);
    const auto before = [&](Value isInner, Value index, Value lastIndex) {
      Value back = math.sub(index, one);
      return math.select(isInner, math.select(innerBegins, lastIndex, back),
                         math.select(innerBegins, back, index));
    };
    Value stripBefore = before(tilesOuterN, turn.m, lastStrip());
    Value panelBefore = before(math.negate(tilesOuterN), turn.n, lastPanel());
    tile.pendingAcc = addresses().accumulatorsBefore(tile.acc);
    tile.pendingRow = firstRow(stripBefore);
    tile.pendingColumn =
        math.mul(panelBefore, math.constant(layer.schedule.nr));
    Value isFirst = math.equals(turn.before, math.constant(0));
    Value isPending = math.both(
        last, math.negate(math.either(isFirst, isRagged(tile.pendingColumn))));
    tile.pendingRows =
        math.select(isPending, rowsOf(stripBefore), math.constant(0));
  }

  /// The micro-kernel for the height that this M has, or this strip.
  void callMicrokernel(TileOperands &tile) {
    llvm::SmallVector<Value> operands = {args};
    operands.append(valuesPassed(tile.parameters(), layer));
    mlir::OpBuilder &builder = writer.builder;
    mlir::OpBuilder::InsertionGuard guard(builder);
    const llvm::SmallVector<int64_t> heights = layer.microkernelHeights();
    Value ofHeight = layer.ownShortHeight > 0 ? tile.validRows : block.tallRows;
    for (int64_t height : llvm::ArrayRef(heights).drop_back()) {
      auto branch = mlir::scf::IfOp::create(
          builder, writer.loc, math.equals(ofHeight, math.constant(height)),
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
