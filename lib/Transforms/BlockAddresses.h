// Where the operands of a block's tiles stand in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/BlockFunction.h"

namespace lintel::ir {

/// A part of K that is in work, and what all of its tiles share.
struct DepthPart {
  mlir::Value begin, depth;
  mlir::Value end, moreFollows; ///< where calls cut K
  mlir::Value packedDepth;      ///< when x is packed: the room of a row
  /// When the next panel is prefetched: turns of the k loop, and elements that
  /// each of them asks for, of so many that it would have to if it asked for
  /// all: of the panel or, on tile registers, of each part of it.
  mlir::Value turns, askedInTurn, readInTurn;
};

/// A tile of the block. `strip` and `panel` count from the start of the output.
struct BlockTile {
  mlir::Value strip, panel;
  /// Room of the sums of those before it in the block; null where roomOfTile()
  /// is.
  mlir::Value before;
};

/// Offsets for one block of the output, while its function is built.
class BlockAddresses {
public:
  /// `cutsDepth`: this call cuts K; null where no call does.
  BlockAddresses(KernelWriter &writer, const BlockOperands &block,
                 mlir::Value cutsDepth)
      : layer(writer.layer), math(writer.math), block(block),
        cutsDepth(cutsDepth) {}

  DepthPart depthPart(mlir::Value begin, mlir::Value depth);

  /// Where a strip of a part of K stands, packed: all take the room of a tall
  /// one. A part of K is in one piece, also where all of them are packed at
  /// once: strips that each held all of K would stand powers of two apart, and
  /// meet in few sets of L2.
  mlir::Value packedAt(mlir::Value strip, const DepthPart &part);

  /// The room of a tile's sums, by which those of the tiles of a block stand
  /// one behind the other as they are computed; null where no call needs them
  /// to.
  mlir::Value roomOfTile();

  /// Where the sums of a tile wait: in a tile of the slice or, when K is cut,
  /// of the block, else in the one there is.
  mlir::Value accumulatorsOf(const BlockTile &tile);

  /// Where the sums of the tile that comes next wait; behind the last one of
  /// the block comes the first one, for the next block of K.
  mlir::Value nextAccumulators(const BlockTile &tile);

  /// Where the sums of the tile before one with its sums at `acc` wait: before
  /// those, or, of the two that take turns, in the other.
  mlir::Value accumulatorsBefore(mlir::Value acc);

  /// Where a panel's part of K from `begin` on stands in the packed weight.
  mlir::Value panelAt(mlir::Value panel, mlir::Value begin);

  /// The part of the next panel that a strip asks for, while this panel is in
  /// use: each strip of the block another one, and those that are too many the
  /// last.
  mlir::Value prefetchedPart(const BlockTile &tile, const DepthPart &part);

private:
  int64_t depthOfTurn() const;
  int64_t linesOfPart() const;
  mlir::Value askedInTurn();
  mlir::Value takingTurns(mlir::Value before);
  mlir::Value nextPanel(mlir::Value panel, const DepthPart &part);

  const KernelLayer &layer;
  IndexMath &math;
  const BlockOperands &block;
  mlir::Value cutsDepth;
};

} // namespace lintel::ir
