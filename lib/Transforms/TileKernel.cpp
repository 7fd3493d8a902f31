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

/// What is known of the layer while its kernel is built.
struct Layer {
  LinearOp op;
  Schedule schedule;
  Target target;
  int64_t n, k, panels;
  std::vector<int64_t>
      strips; ///< row counts of the micro-kernels, largest first

  /// Ragged panels go through the scratch tile where masks are not free.
  bool raggedThroughTile() const {
    return !target.hasMaskRegisters() && n % schedule.nr != 0;
  }
  bool epilogueOnTile() const {
    return schedule.epilogue == EpiloguePlacement::tile;
  }
  bool packs() const { return schedule.pack == PackA::block; }
  int64_t packedColumns() const { return panels * schedule.nr; }
};

Layer describe(LinearOp op) {
  Schedule schedule = op.getScheduleAttr().getValue();
  std::optional<int64_t> m;
  if (!mlir::ShapedType::isDynamic(op.getM()))
    m = op.getM();
  return Layer{op,
               schedule,
               op.getTargetAttr().getValue(),
               op.getN(),
               op.getK(),
               (op.getN() + schedule.nr - 1) / schedule.nr,
               stripSizes(schedule.mr, m)};
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
    for (int64_t rows : layer.strips)
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

  /// (args, aOffset, lda, bOffset, depth, accOffset, ldacc, first, last, row,
  /// column, columns)
  void buildMicrokernel(int64_t rows) {
    mlir::Type i1 = builder.getI1Type();
    mlir::func::FuncOp function = createPrivate(
        microkernelName(rows),
        {argsType, indexType, indexType, indexType, indexType, indexType,
         indexType, i1, i1, indexType, indexType, indexType});
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    Value args = arg(0);
    Value workspace = argument(args, KernelField::workspace);
    Value a = layer.packs() ? workspace : argument(args, KernelField::x);
    Value b = argument(args, KernelField::w);
    auto op = MicrokernelOp::create(
        builder, loc, args, a, arg(1), arg(2), b, arg(3), arg(4), workspace,
        arg(5), arg(6), arg(7), arg(8), arg(9), arg(10), arg(11), rows,
        layer.op.getScheduleAttr(), layer.op.getTargetAttr(),
        layer.epilogueOnTile() ? builder.getArrayAttr({}) : broadcasts());
    if (layer.epilogueOnTile())
      emptyEpilogueInto(op.getEpilogue());
    else
      cloneEpilogueInto(op.getEpilogue());
    finish(function);
  }

  /// (args, accOffset, ldacc, row, column, rows, columns)
  void buildEpilogue() {
    mlir::func::FuncOp function = createPrivate(
        name + "_epilogue", {argsType, indexType, indexType, indexType,
                             indexType, indexType, indexType});
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    Value workspace = argument(arg(0), KernelField::workspace);
    auto op = ApplyEpilogueOp::create(builder, loc, arg(0), workspace, arg(1),
                                      arg(2), arg(3), arg(4), arg(5), arg(6),
                                      layer.op.getScheduleAttr(),
                                      layer.op.getTargetAttr(), broadcasts());
    cloneEpilogueInto(op.getEpilogue());
    finish(function);
  }

  /// (args, xOffset, ldx, rows, depth, packedOffset): one strip of x to
  /// [depth][rows] in the workspace.
  void buildPacking() {
    mlir::func::FuncOp function =
        createPrivate(name + "_pack", {argsType, indexType, indexType,
                                       indexType, indexType, indexType});
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    Value rows = arg(3), depth = arg(4);
    Value from = math.view(argument(arg(0), KernelField::x), arg(1),
                           {rows, depth}, {arg(2), math.constant(1)});
    Value to = math.view(argument(arg(0), KernelField::workspace), arg(5),
                         {depth, rows}, {rows, math.constant(1)});
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
    Value chunks = math.mul(gridM, gridN);
    math.loop(tid, chunks, threads, [&](Value chunk) {
      Value cm = math.div(chunk, gridN), cn = math.rem(chunk, gridN);
      emitChunk(share(stripCount, cm, gridM),
                share(math.constant(layer.panels), cn, gridN));
    });
    finish(function);
  }

  void readBlocking() {
    auto atLeastOne = [&](Value value) {
      return math.max(value, math.constant(1));
    };
    Value m = argument(args, KernelField::m);
    stripCount = math.ceilDiv(m, math.constant(layer.strips.front()));
    baseRows = math.div(m, atLeastOne(stripCount));
    longStrips = math.sub(m, math.mul(baseRows, stripCount));
    gridM = argument(args, KernelField::grid_m);
    gridN = argument(args, KernelField::grid_n);
    Value mc = argument(args, KernelField::mc),
          nc = argument(args, KernelField::nc);
    blockStrips = atLeastOne(
        math.min(math.div(mc, math.constant(layer.schedule.mr)), stripCount));
    blockPanels =
        atLeastOne(math.min(math.div(nc, math.constant(layer.schedule.nr)),
                            math.constant(layer.panels)));
    kc = atLeastOne(
        math.min(argument(args, KernelField::kc), math.constant(layer.k)));
    depthBlocks = atLeastOne(math.ceilDiv(math.constant(layer.k), kc));
    ldx = argument(args, KernelField::ldx);
    blocksOuterN =
        math.equals(argument(args, KernelField::block_order), math.constant(1));
    tilesOuterN =
        math.equals(argument(args, KernelField::tile_order), math.constant(1));
  }

  /// The thread's workspace: [accumulators][packed A]. The accumulators are a
  /// whole block when K is cut, else one tile. workspaceBytesPerThread counts
  /// the same.
  void placeWorkspace(Value tid) {
    Value stride = math.div(argument(args, KernelField::workspace_stride),
                            math.constant(4));
    accumulators = math.mul(tid, stride);
    cutsDepth = math.greater(depthBlocks, math.constant(1));
    Value tileRows = math.constant(layer.schedule.mr),
          tileColumns = math.constant(layer.schedule.nr);
    accumulatorStride =
        math.select(cutsDepth, math.mul(blockPanels, tileColumns), tileColumns);
    if (!layer.packs())
      return;
    Value blockSize =
        math.mul(math.mul(blockStrips, tileRows), accumulatorStride);
    bool tileNeedsScratch =
        layer.epilogueOnTile() || !layer.target.hasMaskRegisters();
    Value tileSize = math.constant(
        tileNeedsScratch ? layer.schedule.mr * layer.schedule.nr : 0);
    Value size = math.select(cutsDepth, blockSize, tileSize);
    Value line = math.constant(16);
    packedA = math.add(accumulators, math.mul(math.ceilDiv(size, line), line));
  }

  /// Part `index` of `count` things over `parts` parts, sizes differing by one
  /// at most.
  Range share(Value count, Value index, Value parts) {
    Value next = math.add(index, math.constant(1));
    return {math.div(math.mul(count, index), parts),
            math.div(math.mul(count, next), parts)};
  }

  /// First row of a strip: the first `longStrips` strips have one row more.
  Value firstRow(Value strip) {
    return math.add(math.mul(strip, baseRows), math.min(strip, longStrips));
  }

  /// Two nested loops over m < countM and n < countN whose nesting is chosen at
  /// run time, with one copy of the body.
  void orderedLoops(Value countM, Value countN, Value outerIsN,
                    llvm::function_ref<void(Value, Value, Value)> body) {
    Value outerCount = math.select(outerIsN, countN, countM);
    Value innerCount = math.select(outerIsN, countM, countN);
    math.loop(outerCount, [&](Value outer) {
      math.loop(innerCount, [&](Value inner) {
        body(math.select(outerIsN, inner, outer),
             math.select(outerIsN, outer, inner), inner);
      });
    });
  }

  void emitChunk(Range strips, Range panels) {
    Value blocksM =
        math.ceilDiv(math.sub(strips.end, strips.begin), blockStrips);
    Value blocksN =
        math.ceilDiv(math.sub(panels.end, panels.begin), blockPanels);
    orderedLoops(blocksM, blocksN, blocksOuterN,
                 [&](Value im, Value in, Value inner) {
                   emitBlock(cut(strips, im, blockStrips),
                             cut(panels, in, blockPanels), inner);
                 });
  }

  Range cut(Range whole, Value index, Value size) {
    Value begin = math.add(whole.begin, math.mul(index, size));
    return {begin, math.min(math.add(begin, size), whole.end)};
  }

  void emitBlock(Range strips, Range panels, Value innerIndex) {
    math.loop(depthBlocks, [&](Value kb) {
      Value k0 = math.mul(kb, kc);
      Value depth = math.min(kc, math.sub(math.constant(layer.k), k0));
      if (layer.packs())
        emitPacking(strips, k0, depth, innerIndex);
      Value countM = math.sub(strips.end, strips.begin);
      Value countN = math.sub(panels.end, panels.begin);
      orderedLoops(countM, countN, tilesOuterN, [&](Value s, Value p, Value) {
        emitTile(strips, s, math.add(panels.begin, p), p, kb, k0, depth);
      });
    });
  }

  /// The packed block of the previous (m, k) block still stands when N blocks
  /// are the inner loop, this is not the first of them, and K is not cut.
  void emitPacking(Range strips, Value k0, Value depth, Value innerIndex) {
    Value revisited =
        math.both(math.greater(innerIndex, math.constant(0)),
                  math.negate(math.either(blocksOuterN, cutsDepth)));
    math.when(math.negate(revisited), [&] {
      Value blockRow = firstRow(strips.begin);
      math.loop(strips.begin, strips.end, math.constant(1), [&](Value strip) {
        Value row = firstRow(strip);
        Value rows = math.sub(firstRow(math.add(strip, math.constant(1))), row);
        Value from = math.add(math.mul(row, ldx), k0);
        Value to = math.add(packedA, math.mul(math.sub(row, blockRow), depth));
        call(name + "_pack", {args, from, ldx, rows, depth, to});
      });
    });
  }

  void emitTile(Range strips, Value s, Value panel, Value p, Value kb, Value k0,
                Value depth) {
    Value strip = math.add(strips.begin, s);
    Value row = firstRow(strip);
    Value rows = math.sub(firstRow(math.add(strip, math.constant(1))), row);
    Value nr = math.constant(layer.schedule.nr);
    Value column = math.mul(panel, nr);
    Value columns = math.min(nr, math.sub(math.constant(layer.n), column));
    Value a, lda;
    if (layer.packs()) {
      a = math.add(packedA,
                   math.mul(math.sub(row, firstRow(strips.begin)), depth));
      lda = rows;
    } else {
      a = math.add(math.mul(row, ldx), k0);
      lda = ldx;
    }
    Value b =
        math.mul(math.add(math.mul(panel, math.constant(layer.k)), k0), nr);
    Value inBlock =
        math.add(math.mul(math.mul(s, math.constant(layer.schedule.mr)),
                          accumulatorStride),
                 math.mul(p, nr));
    Value acc = math.add(accumulators,
                         math.select(cutsDepth, inBlock, math.constant(0)));
    Value first = math.equals(kb, math.constant(0));
    Value last = math.equals(kb, math.sub(depthBlocks, math.constant(1)));
    Value ragged = math.greater(nr, columns);
    Value finishInRegisters =
        layer.raggedThroughTile() ? math.both(last, math.negate(ragged)) : last;
    callMicrokernel(rows, {args, a, lda, b, depth, acc, accumulatorStride,
                           first, finishInRegisters, row, column, columns});
    if (!layer.epilogueOnTile() && !layer.raggedThroughTile())
      return;
    math.when(layer.epilogueOnTile() ? last : math.both(last, ragged), [&] {
      call(name + "_epilogue",
           {args, acc, accumulatorStride, row, column, rows, columns});
    });
  }

  /// One call for each strip size the object has; balanced strips have no
  /// other.
  void callMicrokernel(Value rows, mlir::ValueRange operands) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    for (int64_t size : llvm::ArrayRef(layer.strips).drop_back()) {
      auto branch = mlir::scf::IfOp::create(
          builder, loc, math.equals(rows, math.constant(size)),
          /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
      call(microkernelName(size), operands);
      builder.setInsertionPointToStart(branch.elseBlock());
    }
    call(microkernelName(layer.strips.back()), operands);
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
  Value args, stripCount, baseRows, longStrips, gridM, gridN, blockStrips,
      blockPanels, kc, depthBlocks, ldx, blocksOuterN, tilesOuterN, cutsDepth,
      accumulators, accumulatorStride, packedA;
};

} // namespace

void buildKernel(LinearOp op, mlir::func::FuncOp function) {
  KernelBuilder(op, function).build();
}

} // namespace lintel::ir
