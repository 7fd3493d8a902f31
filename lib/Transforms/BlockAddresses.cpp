// Where the operands of a block's tiles stand in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/BlockAddresses.h"

namespace lintel::ir {

using mlir::Value;

Value BlockAddresses::packedAt(Value strip, Value k0, Value depth) {
  Value before = math.mul(math.sub(strip, block.strips.begin), block.tallRows);
  Value wholeDepth = math.roundUpTo(depth, layer.packedTogether());
  Value inBlock = math.add(block.packedA, math.mul(before, wholeDepth));
  if (!layer.packsWholeDepth())
    return inBlock;
  Value rows =
      math.mul(math.sub(block.strips.end, block.strips.begin), block.tallRows);
  return math.add(inBlock, math.mul(k0, rows));
}

Value BlockAddresses::accumulatorsOf(Value strip, Value panel) {
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
Value BlockAddresses::takingTurns(Value strip, Value panel) {
  if (layer.sumsInFlight() == 1)
    return math.constant(0);
  Value offset = tileInBlock(strip, panel);
  return math.sub(offset, math.roundDownTo(offset, layer.sumsInFlight() *
                                                       layer.tileFloats()));
}

Value BlockAddresses::nextAccumulators(Value strip, Value panel) {
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
Value BlockAddresses::tileInBlock(Value strip, Value panel) {
  Value strips = math.sub(block.strips.end, block.strips.begin);
  Value panels = math.sub(block.panels.end, block.panels.begin);
  Value row = math.sub(strip, block.strips.begin);
  Value column = math.sub(panel, block.panels.begin);
  return math.select(tilesOuterN, tileOffset(column, strips, row),
                     tileOffset(row, panels, column));
}

/// Row by row of some tiles, `columns` in each, each tile in one piece.
Value BlockAddresses::tileOffset(Value row, Value columns, Value column) {
  return math.mul(math.add(math.mul(row, columns), column),
                  math.constant(layer.tileFloats()));
}

Value BlockAddresses::accumulatorsBefore(Value acc) {
  Value room = math.constant(layer.tileFloats());
  Value turn = math.sub(acc, block.accumulators);
  Value other = math.add(block.accumulators, math.sub(room, turn));
  return layer.cutsDepth() ? math.select(cutsDepth, math.sub(acc, room), other)
                           : other;
}

Value BlockAddresses::panelAt(Value panel, Value k0) {
  return math.mul(
      math.add(math.mul(panel, math.constant(layer.paddedDepth())), k0),
      math.constant(layer.schedule.nr));
}

/// The panel that follows in the block. After the last one comes the first
/// one of the next block: of K if there is more of it, else of columns, as
/// with blocks=mn or one block of rows.
Value BlockAddresses::nextPanel(Value panel, Value k0, Value depth) {
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

Value BlockAddresses::prefetchedPart(Value strip, Value panel, Value k0,
                                     Value depth) {
  const int64_t part = layer.schedule.prefetch / layer.weightBytes();
  const int64_t step = depthUnitOf(layer.weight) * layer.schedule.nr;
  Value steps = math.ceilDivBy(depth, depthUnitOf(layer.weight));
  Value stripInBlock = math.sub(strip, block.strips.begin);
  Value before = math.mul(math.mul(stripInBlock, steps), math.constant(part));
  Value last = math.mul(steps, math.constant(step - part));
  Value next = nextPanel(panel, k0, depth);
  return math.add(next, math.min(before, last));
}

} // namespace lintel::ir
