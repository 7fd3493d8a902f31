// Where the operands of a block's tiles stand in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/BlockFunction.h"

namespace lintel::ir {

/// Offsets for one block of the output, while its function is built. `strip`
/// and `panel` count from the start of the output; `k0` and `depth` say which
/// part of K is in work.
class BlockAddresses {
public:
  /// `tilesOuterN`: the inner loop over tiles goes down a panel. `cutsDepth`:
  /// this call cuts K; null where no call does.
  BlockAddresses(KernelWriter &writer, const BlockOperands &block,
                 mlir::Value tilesOuterN, mlir::Value cutsDepth)
      : layer(writer.layer), math(writer.math), block(block),
        tilesOuterN(tilesOuterN), cutsDepth(cutsDepth) {}

  /// Where a strip of the block of K that begins at `k0` stands, packed: all
  /// take the room of a tall one. A block of K is in one piece, also where all
  /// of them are packed at once: strips that each held all of K would stand
  /// powers of two apart, and meet in few sets of L2.
  mlir::Value packedAt(mlir::Value strip, mlir::Value k0, mlir::Value depth);

  /// Where the sums of a tile wait: in a tile of the slice or, when K is cut,
  /// of the block, else in the one there is.
  mlir::Value accumulatorsOf(mlir::Value strip, mlir::Value panel);

  /// Where the sums of the tile that comes next wait; behind the last one of
  /// the block comes the first one, for the next block of K.
  mlir::Value nextAccumulators(mlir::Value strip, mlir::Value panel);

  /// Where the sums of the tile before one with its sums at `acc` wait: before
  /// those, or, of the two that take turns, in the other.
  mlir::Value accumulatorsBefore(mlir::Value acc);

  /// Where the depth `k0` of a panel begins in the packed weight.
  mlir::Value panelAt(mlir::Value panel, mlir::Value k0);

  /// The part of the next panel that a strip asks for, while this panel is in
  /// use: each strip of the block another one, and those that are too many the
  /// last.
  mlir::Value prefetchedPart(mlir::Value strip, mlir::Value panel,
                             mlir::Value k0, mlir::Value depth);

private:
  mlir::Value takingTurns(mlir::Value strip, mlir::Value panel);
  mlir::Value tileInBlock(mlir::Value strip, mlir::Value panel);
  mlir::Value tileOffset(mlir::Value row, mlir::Value columns,
                         mlir::Value column);
  mlir::Value nextPanel(mlir::Value panel, mlir::Value k0, mlir::Value depth);

  const KernelLayer &layer;
  IndexMath &math;
  const BlockOperands &block;
  mlir::Value tilesOuterN, cutsDepth;
};

} // namespace lintel::ir
