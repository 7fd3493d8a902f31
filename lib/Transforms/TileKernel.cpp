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
/// share to blocks.
class Driver {
public:
  explicit Driver(KernelWriter &writer)
      : writer(writer), layer(writer.layer), math(writer.math) {}

  void build() {
    mlir::Type i32 = writer.builder.getI32Type();
    mlir::func::FuncOp function =
        writer.createFunction(writer.name, {writer.argsType, i32, i32});
    // It runs a few hundred instructions a block; optimizing them would cost a
    // tenth of the object's compile time.
    function->setAttr("passthrough",
                      writer.builder.getStrArrayAttr({"noinline", "optnone"}));
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
    if (layer.schedule.streamsOutputs())
      fence();
    writer.finish(function);
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

  Value argument(KernelField field) { return writer.argument(args, field); }
  Value atLeastOne(Value value) { return math.max(value, math.constant(1)); }

  void readBlocking() {
    Value m = argument(KernelField::m);
    // A known M is cut by the height that it was found to have.
    Value stripCount = math.ceilDivBy(
        m, layer.oneHeight() ? layer.strips.tall.front() : layer.schedule.mr);
    block.baseRows = math.divU32(m, atLeastOne(stripCount));
    Value tallStrips = math.sub(m, math.mul(block.baseRows, stripCount));
    block.shortStrips = math.sub(stripCount, tallStrips);
    if (!layer.oneHeight())
      block.tallRows =
          math.add(block.baseRows, math.min(tallStrips, math.constant(1)));
    gridM = argument(KernelField::grid_m);
    gridN = argument(KernelField::grid_n);
    strips = split(stripCount, gridM);
    panels = split(math.constant(layer.panels), gridN);
    Value mc = argument(KernelField::mc), nc = argument(KernelField::nc);
    blockStrips =
        atLeastOne(math.min(math.divBy(mc, layer.schedule.mr), stripCount));
    blockPanels = atLeastOne(math.min(math.divBy(nc, layer.schedule.nr),
                                      math.constant(layer.panels)));
    cutsDepth = layer.wholeDepth()
                    ? math.boolean(false)
                    : math.greater(math.constant(layer.k),
                                   atLeastOne(argument(KernelField::kc)));
    blocksOuterN =
        math.equals(argument(KernelField::block_order), math.constant(1));
  }

  /// The thread's workspace: [accumulators][packed A]. The accumulators are a
  /// whole block when K is cut, else one tile. workspaceBytesPerThread counts
  /// the same.
  void placeWorkspace(Value tid) {
    Value stride =
        math.divBy(argument(KernelField::workspace_stride), sizeof(float));
    block.accumulators = math.mul(tid, stride);
    Value tileColumns = math.constant(layer.schedule.nr);
    if (!layer.wholeDepth())
      block.accumulatorStride = math.select(
          cutsDepth, math.mul(blockPanels, tileColumns), tileColumns);
    if (!layer.packs())
      return;
    bool tileNeedsScratch =
        layer.epilogueOnTile() || !layer.target.hasMaskRegisters();
    Value size = math.constant(
        tileNeedsScratch ? layer.schedule.mr * layer.schedule.nr : 0);
    if (!layer.wholeDepth()) {
      Value blockRows = math.mul(blockStrips, math.constant(layer.schedule.mr));
      size = math.select(cutsDepth,
                         math.mul(blockRows, block.accumulatorStride), size);
    }
    constexpr int64_t line = 64 / sizeof(float);
    block.packedA =
        math.add(block.accumulators,
                 math.mul(math.ceilDivBy(size, line), math.constant(line)));
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

  Range cut(Value begin, Value size, Value end) {
    return {begin, math.min(math.add(begin, size), end)};
  }

  void emitChunk(Range stripRange, Range panelRange) {
    orderedLoops(math, stripRange, blockStrips, panelRange, blockPanels,
                 blocksOuterN, [&](Value strip, Value panel, Value firstRound) {
                   emitBlock(cut(strip, blockStrips, stripRange.end),
                             cut(panel, blockPanels, panelRange.end),
                             firstRound);
                 });
  }

  void emitBlock(Range stripRange, Range panelRange, Value firstRound) {
    block.strips = stripRange;
    block.panels = panelRange;
    // The packed block of the previous one still stands when N blocks are the
    // inner loop, this is not the first of them, and K is not cut.
    if (layer.packs())
      block.packs =
          math.either(firstRound, math.either(blocksOuterN, cutsDepth));
    llvm::SmallVector<Value> operands = {args};
    operands.append(block.present());
    writer.call(writer.blockName(), operands);
  }

  KernelWriter &writer;
  const KernelLayer &layer;
  IndexMath &math;
  Value args, gridM, gridN, blockStrips, blockPanels, blocksOuterN, cutsDepth;
  Split strips, panels;
  BlockOperands block;
};

} // namespace

void buildKernel(LinearOp op, mlir::func::FuncOp function) {
  KernelWriter writer(op, function);
  buildTileFunctions(writer);
  buildBlockFunction(writer);
  Driver(writer).build();
}

} // namespace lintel::ir
