// The SPMD kernel around one linear layer: its driver.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/TileKernel.h"

#include "Transforms/BlockFunction.h"
#include "Transforms/KernelWriter.h"
#include "Transforms/TileFunctions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace lintel::ir {
namespace {

using mlir::Value;

/// Things dealt out to parts: each part gets `base`, the first `extra` parts
/// one more.
struct Split {
  Value base, extra;
};

/// Reads the blocking, deals the output out to the threads and each thread's
/// share to blocks. Where threads share K, it deals out slices of K in phase 0
/// and finished tiles in phase 1.
class Driver {
public:
  explicit Driver(KernelWriter &writer)
      : writer(writer), layer(writer.layer), math(writer.math) {}

  mlir::func::FuncOp build() {
    mlir::Type i32 = writer.builder.getI32Type();
    mlir::func::FuncOp function =
        writer.createFunction(writer.name, {writer.argsType, i32, i32});
    writer.leaveOnStack(function);
    args = function.getArgument(0);
    Value tid = math.fromI32(function.getArgument(1));
    Value threads = math.fromI32(function.getArgument(2));
    readBlocking();
    if (layer.slicesDepth()) {
      emitPhases(tid, threads);
    } else {
      placeWorkspace(tid);
      withTileRegisters([&] {
        math.loop(tid, math.mul(gridM, gridN), threads,
                  [&](Value chunk) { emitChunk(chunk); });
      });
    }
    if (layer.schedule.streamsOutputs())
      fence();
    writer.finish(function);
    return function;
  }

private:
  /// Streamed stores are weakly ordered: without a fence another thread could
  /// learn that this one is done before it sees what this one stored.
  void fence() {
    mlir::LLVM::CallIntrinsicOp::create(
        writer.builder, writer.loc,
        writer.builder.getStringAttr("llvm.x86.sse.sfence"),
        mlir::ValueRange());
  }

  /// Configures them around what `emit` emits, if the layer uses any.
  void withTileRegisters(llvm::function_ref<void()> emit) {
    if (layer.schedule.onTiles())
      tmm::ConfigOp::create(writer.builder, writer.loc, writer.tileConfig());
    emit();
    if (layer.schedule.onTiles())
      tmm::ReleaseOp::create(writer.builder, writer.loc);
  }

  Value argument(KernelField field) { return writer.number(args, field); }
  Value atLeastOne(Value value) { return math.max(value, math.constant(1)); }

  void readBlocking() {
    Value m = argument(KernelField::m);
    // A known M is cut by the height that it was found to have.
    stripCount =
        math.ceilDivBy(m, layer.oneTallHeight() ? layer.strips.tall.front()
                                                : layer.schedule.mr);
    block.baseRows = math.divU32(m, atLeastOne(stripCount));
    Value tallStrips = math.sub(m, math.mul(block.baseRows, stripCount));
    block.shortStrips = math.sub(stripCount, tallStrips);
    if (!layer.oneTallHeight())
      block.tallRows =
          math.add(block.baseRows, math.min(tallStrips, math.constant(1)));
    gridM = argument(KernelField::grid_m);
    gridN = argument(KernelField::grid_n);
    strips = split(stripCount, gridM);
    panels = split(math.constant(layer.panels), gridN);
    Value mc = argument(KernelField::mc), nc = argument(KernelField::nc);
    // No block, and so no workspace, is larger than a chunk.
    blockStrips = atLeastOne(
        math.min(math.divBy(mc, layer.schedule.mr), largestOf(strips)));
    blockPanels = atLeastOne(
        math.min(math.divBy(nc, layer.schedule.nr), largestOf(panels)));
    cutsDepth = layer.cutsDepth()
                    ? math.greater(math.constant(layer.k),
                                   atLeastOne(argument(KernelField::kc)))
                    : math.boolean(false);
    blocksOuterN =
        math.equals(argument(KernelField::block_order), math.constant(1));
  }

  /// The thread's workspace: [accumulators][widened panel][packed A]. The
  /// accumulators are a whole block when K is cut, else the tiles in flight.
  /// workspaceBytesPerThread counts at least as much.
  void placeWorkspace(Value tid) {
    Value stride =
        math.divBy(argument(KernelField::workspace_stride), sizeof(float));
    block.accumulators = math.mul(tid, stride);
    if (!layer.packs())
      return;
    bool tileNeedsScratch =
        layer.epilogueOnTile() || !layer.target.hasMaskRegisters();
    Value tile = math.constant(layer.tileFloats());
    Value size = math.constant(
        tileNeedsScratch ? layer.sumsInFlight() * layer.tileFloats() : 0);
    if (layer.cutsDepth())
      size = math.select(
          cutsDepth, math.mul(math.mul(blockStrips, blockPanels), tile), size);
    Value behind =
        math.add(block.accumulators, math.roundUpTo(size, kLineSums));
    if (layer.widensPanels()) {
      const int64_t perFloat = int64_t(sizeof(float)) * 8 /
                               layer.panelType().getIntOrFloatBitWidth();
      block.widePanel = math.mul(behind, math.constant(perFloat));
      behind = math.add(behind, widePanelFloats());
    }
    const int64_t perFloat = int64_t(sizeof(float)) / layer.packedBytes();
    block.packedA = math.mul(behind, math.constant(perFloat));
  }

  /// Room for a panel as deep as a block: a float, or two bf16, an element.
  Value widePanelFloats() {
    Value depth = math.constant(layer.k);
    if (layer.cutsDepth())
      depth = math.min(depth, atLeastOne(argument(KernelField::kc)));
    const int64_t unit =
        layer.schedule.depthUnitOfPanels(*dtypeOf(layer.weight));
    Value padded = math.roundUpTo(depth, unit);
    return math.roundUpTo(math.mul(padded, math.constant(layer.schedule.nr)),
                          kLineSums);
  }

  Split split(Value count, Value parts) {
    Value base = math.divU32(count, parts);
    return {base, math.sub(count, math.mul(base, parts))};
  }

  Value largestOf(Split split) {
    return math.add(split.base, math.min(split.extra, math.constant(1)));
  }

  Value firstOf(Split split, Value part) {
    return math.add(math.mul(part, split.base), math.min(part, split.extra));
  }

  Range share(Split split, Value part) {
    return {firstOf(split, part),
            firstOf(split, math.add(part, math.constant(1)))};
  }

  Range cut(Value begin, Value size, Value end) {
    return {begin, math.min(math.add(begin, size), end)};
  }

  /// Threads wait for each other between the phases (SecondPhase).
  void emitPhases(Value tid, Value threads) {
    // Floats that a slice of K has sums in.
    sliceStride =
        math.mul(stripCount, math.constant(layer.panels * layer.tileFloats()));
    Value sumsUp = math.equals(argument(KernelField::phase), math.constant(0));
    // Finishing takes vectors alone, and configuring some 200 cycles.
    math.when(sumsUp,
              [&] { withTileRegisters([&] { emitSlices(tid, threads); }); });
    math.when(math.negate(sumsUp), [&] { emitFinishing(tid, threads); });
  }

  /// Slices end at cache lines of x; the last may be shorter or empty, and
  /// then gives zeros.
  void emitSlices(Value tid, Value threads) {
    Value gridK = argument(KernelField::grid_k);
    Value chunks = math.mul(gridM, gridN);
    const int64_t lineElements = Target::kLineBytes / layer.activationBytes();
    Value k = math.constant(layer.k), line = math.constant(lineElements);
    Split lines = split(math.ceilDivBy(k, lineElements), gridK);
    math.loop(tid, math.mul(chunks, gridK), threads, [&](Value item) {
      Value slice = math.divU32(item, chunks);
      Range depth = share(lines, slice);
      block.firstDepth = math.min(math.mul(depth.begin, line), k);
      block.depth =
          math.sub(math.min(math.mul(depth.end, line), k), block.firstDepth);
      block.accumulators = math.mul(slice, sliceStride);
      emitChunk(math.sub(item, math.mul(slice, chunks)));
    });
  }

  void emitFinishing(Value tid, Value threads) {
    Value panelCount = math.constant(layer.panels);
    Range tiles = share(split(math.mul(stripCount, panelCount), threads), tid);
    math.loop(tiles.begin, tiles.end, math.constant(1), [&](Value tile) {
      Value strip = math.divU32(tile, panelCount);
      Value panel = math.sub(tile, math.mul(strip, panelCount));
      Value row = firstRowOf(math, strip, block.baseRows, block.shortStrips);
      Value rows = rowsOfStrip(math, strip, block.baseRows, block.shortStrips);
      Value column = math.mul(panel, math.constant(layer.schedule.nr));
      Value sums = math.mul(tile, math.constant(layer.tileFloats()));
      writer.call(writer.reduceName(), {args, sums, rows, sliceStride});
      writer.call(writer.epilogueName(), {args, sums, row, column, rows});
    });
  }

  void emitChunk(Value chunk) {
    Value cm = math.divU32(chunk, gridN);
    Value cn = math.sub(chunk, math.mul(cm, gridN));
    Range stripRange = share(strips, cm), panelRange = share(panels, cn);
    if (layer.packs())
      rowsArePacked = stillPacked(stripRange);
    orderedLoops(math, {stripRange.begin, stripRange.end, blockStrips},
                 {panelRange.begin, panelRange.end, blockPanels}, blocksOuterN,
                 /*added=*/Value(), [&](const Turn &at) {
                   block.strips = cut(at.m, blockStrips, stripRange.end);
                   block.panels = cut(at.n, blockPanels, panelRange.end);
                   emitBlock(at);
                 });
  }

  /// Whether what is packed has less than all of K.
  Value packsPartly() {
    return layer.packsWholeDepth() ? math.boolean(false) : cutsDepth;
  }

  /// Whether the chunk before left all rows of this one packed, for all of K.
  Value stillPacked(Range stripRange) {
    Value severalBlocks =
        math.greater(math.sub(stripRange.end, stripRange.begin), blockStrips);
    Value sameRows =
        math.equals(argument(KernelField::same_rows), math.constant(1));
    return math.both(sameRows,
                     math.negate(math.either(severalBlocks, packsPartly())));
  }

  void emitBlock(const Turn &at) {
    // The packed block of the previous one still stands when N blocks are the
    // inner loop, this is not the first of them, and it has all of K; that of
    // the chunk before, when the caller says so.
    if (layer.packs()) {
      Value firstRound = math.equals(at.inner, at.innerBegin);
      Value again =
          math.either(firstRound, math.either(blocksOuterN, packsPartly()));
      block.packs = math.both(again, math.negate(rowsArePacked));
    }
    llvm::SmallVector<Value> operands = {args};
    operands.append(valuesPassed(block.parameters(), layer));
    writer.call(writer.blockName(), operands);
  }

  KernelWriter &writer;
  const KernelLayer &layer;
  IndexMath &math;
  Value args, gridM, gridN, stripCount, blockStrips, blockPanels, blocksOuterN,
      cutsDepth, sliceStride, rowsArePacked;
  Split strips, panels;
  BlockOperands block;
};

} // namespace

mlir::func::FuncOp buildKernel(LinearOp op, mlir::func::FuncOp function) {
  KernelWriter writer(op, function);
  buildTileFunctions(writer);
  buildBlockFunction(writer);
  return Driver(writer).build();
}

} // namespace lintel::ir
