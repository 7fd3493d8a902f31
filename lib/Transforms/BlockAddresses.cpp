// Where the operands of a block's tiles stand in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/BlockAddresses.h"

#include "Schedule/AmxSchedules.h"

namespace lintel::ir {

using mlir::Value;

DepthPart BlockAddresses::depthPart(Value begin, Value depth) {
  DepthPart part;
  part.begin = begin;
  part.depth = depth;
  if (layer.cutsDepth()) {
    part.end = math.add(begin, depth);
    part.moreFollows = math.greater(math.constant(layer.k), part.end);
  }
  if (layer.packs())
    part.packedDepth =
        layer.widensRows()
            ? strideOfWidenedRows(math, depth)
            : math.mul(math.roundUpTo(depth, layer.packedTogether()),
                       math.constant(layer.schedule.partsOfFactor()));
  if (layer.schedule.prefetchesNextPanel()) {
    part.turns = math.ceilDivBy(depth, depthOfTurn());
    part.askedInTurn = askedInTurn();
    part.readInTurn = math.constant(depthOfTurn() * linesOfPart());
  }
  return part;
}

/// Elements of K that a turn of the k loop takes.
int64_t BlockAddresses::depthOfTurn() const {
  if (layer.schedule.onTiles())
    return depthUnitOf(layer.weight);
  return lintel::depthOfTurn(layer.schedule, *dtypeOf(layer.panelType()),
                             layer.target);
}

/// Of the panel, or, on tile registers, of each part of it in which a turn asks
/// for some, in elements for each of K.
int64_t BlockAddresses::linesOfPart() const {
  const Schedule &schedule = layer.schedule;
  return schedule.onTiles() ? AskedLines::of(schedule).ofPart : schedule.nr;
}

/// On tile registers what the schedule says, of one part; on vectors an equal
/// part of what a turn reads for each strip of the block, if it is not more
/// lines than the schedule has.
Value BlockAddresses::askedInTurn() {
  const Schedule &schedule = layer.schedule;
  if (schedule.onTiles())
    return math.constant(AskedLines::of(schedule).ofStep * Target::kLineBytes /
                         layer.weightBytes());
  Value strips = math.max(math.sub(block.strips.end, block.strips.begin),
                          math.constant(1));
  const int64_t read = depthOfTurn() * schedule.nr;
  Value part = math.divU32(math.add(strips, math.constant(read - 1)), strips);
  const int64_t most =
      schedule.share * Target::kLineBytes / layer.weightBytes();
  return math.min(part, math.constant(most));
}

Value BlockAddresses::packedAt(Value strip, const DepthPart &part) {
  Value before = math.mul(math.sub(strip, block.strips.begin), block.tallRows);
  Value inBlock = math.add(block.packedA, math.mul(before, part.packedDepth));
  if (!layer.packsWholeDepth())
    return inBlock;
  Value rows =
      math.mul(math.sub(block.strips.end, block.strips.begin), block.tallRows);
  return math.add(inBlock, math.mul(part.begin, rows));
}

Value BlockAddresses::roomOfTile() {
  if (layer.cutsDepth() || layer.sumsInFlight() > 1)
    return math.constant(layer.tileFloats());
  return Value();
}

Value BlockAddresses::accumulatorsOf(const BlockTile &tile) {
  if (layer.slicesDepth()) {
    Value inOutput =
        math.add(math.mul(tile.strip, math.constant(layer.panels)), tile.panel);
    return math.add(block.accumulators,
                    math.mul(inOutput, math.constant(layer.tileFloats())));
  }
  Value turn = takingTurns(tile.before);
  return math.add(
      block.accumulators,
      layer.wholeDepth() ? turn : math.select(cutsDepth, tile.before, turn));
}

/// Which of the tiles of sums, where all tiles of a block share these.
Value BlockAddresses::takingTurns(Value before) {
  if (layer.sumsInFlight() == 1)
    return math.constant(0);
  return math.sub(before, math.roundDownTo(before, layer.sumsInFlight() *
                                                       layer.tileFloats()));
}

Value BlockAddresses::nextAccumulators(const BlockTile &tile) {
  Value strips = math.sub(block.strips.end, block.strips.begin);
  Value panels = math.sub(block.panels.end, block.panels.begin);
  Value room = math.constant(layer.tileFloats());
  Value following = math.add(tile.before, room);
  Value end = math.mul(math.mul(strips, panels), room);
  Value staysInBlock = math.both(cutsDepth, math.greater(end, following));
  return math.add(block.accumulators,
                  math.select(staysInBlock, following, math.constant(0)));
}

Value BlockAddresses::accumulatorsBefore(Value acc) {
  Value room = math.constant(layer.tileFloats());
  Value turn = math.sub(acc, block.accumulators);
  Value other = math.add(block.accumulators, math.sub(room, turn));
  return layer.cutsDepth() ? math.select(cutsDepth, math.sub(acc, room), other)
                           : other;
}

Value BlockAddresses::panelAt(Value panel, Value begin) {
  return math.mul(
      math.add(math.mul(panel, math.constant(layer.paddedDepth())), begin),
      math.constant(layer.schedule.nr));
}

/// The panel that follows in the block. After the last one comes the first
/// one of the next block: of K if there is more of it, else of columns, as
/// with blocks=mn or one block of rows.
Value BlockAddresses::nextPanel(Value panel, const DepthPart &part) {
  Value following = math.add(panel, math.constant(1));
  if (!layer.cutsDepth())
    return panelAt(following, part.begin);
  Value inBlock = math.greater(block.panels.end, following);
  Value more = part.moreFollows;
  Value ifLast = math.select(more, block.panels.begin, following);
  Value beginIfLast = math.select(more, part.end, math.constant(0));
  return panelAt(math.select(inBlock, following, ifLast),
                 math.select(inBlock, part.begin, beginIfLast));
}

Value BlockAddresses::prefetchedPart(const BlockTile &tile,
                                     const DepthPart &part) {
  Value stripInBlock = math.sub(tile.strip, block.strips.begin);
  Value before = math.mul(math.mul(stripInBlock, part.turns), part.askedInTurn);
  Value last =
      math.mul(part.turns, math.sub(part.readInTurn, part.askedInTurn));
  return math.add(nextPanel(tile.panel, part), math.min(before, last));
}

} // namespace lintel::ir
