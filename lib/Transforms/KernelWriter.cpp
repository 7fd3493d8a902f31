// What the functions of one kernel have in common while they are built.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/KernelWriter.h"

#include "Lintel/WholeUnits.h"
#include "Transforms/AmxMicrokernel.h"
#include "Transforms/KernelArguments.h"
#include "Transforms/KernelFunctions.h"

namespace lintel::ir {

using mlir::Value;

/// The heights that have a micro-kernel.
static StripHeights compiledHeights(const Schedule &schedule,
                                    const RowRange &rows) {
  if (schedule.onTiles() && !rows.isKnown())
    return {{schedule.mr}, /*someShort=*/true};
  return stripHeights(schedule.mr, rows);
}

KernelLayer KernelLayer::of(LinearOp op) {
  Schedule schedule = op.getScheduleAttr().getValue();
  return {op,
          schedule,
          op.getTargetAttr().getValue(),
          op.getInputType(),
          op.getWeightType(),
          op.getN(),
          op.getK(),
          ceilDiv(int64_t(op.getN()), schedule.nr),
          compiledHeights(schedule, op.getRowRange()),
          heightOfShortStrips(schedule, op.getRowRange(),
                              *dtypeOf(op.getWeightType()))};
}

bool KernelLayer::hasManySteps() const {
  // A step on tile registers has some products of 16 cycles each, one on
  // vectors some of one or two.
  constexpr int64_t kManyOnTiles = 16, kMany = 64;
  if (schedule.onTiles())
    return k >= kManyOnTiles * depthUnitOf(activation);
  return k >= kMany * schedule.depthOfStep();
}

bool KernelLayer::multipliesAsLoaded() const {
  if (schedule.accumulate != Accumulate::f32 || target.isa == IsaLevel::x86_64)
    return false;
  if (panelType().isBF16())
    return target.has(Extension::avx512Bf16);
  return panelType().isF32() ||
         (weight.isInteger() && target.multipliesQuads());
}

mlir::Type KernelLayer::panelType() const {
  const DType dtype = *dtypeOf(weight);
  const DType panels = schedule.typeOfPanels(dtype);
  return panels == dtype ? weight : typeOf(weight.getContext(), panels);
}

Schedule KernelLayer::scheduleOfTile() const {
  Schedule ofTile = schedule;
  if (splitsHalves()) {
    ofTile.group = tileInterleaveOf(DType::bf16);
  } else if (widensPanels()) {
    ofTile.widen = Widen::step;
    ofTile.pack = PackA::none;
    ofTile.group = interleaveOf(DType::f32);
  }
  return ofTile;
}

mlir::Type KernelLayer::packedActivation() const {
  if (shiftsX())
    return mlir::IntegerType::get(activation.getContext(), 8,
                                  mlir::IntegerType::Unsigned);
  const DType dtype = *dtypeOf(activation);
  const DType packed = schedule.typeOfRows(dtype, target);
  return packed == dtype ? activation : typeOf(activation.getContext(), packed);
}

bool KernelLayer::laysMicrokernelOut(int64_t rows) const {
  const bool flipsSigns = shiftsX() && !packs();
  return !schedule.onTiles() && hasManySteps() && multipliesAsLoaded() &&
         !flipsSigns && rows > 1 && schedule.nr > target.lanes() &&
         schedule.streams == 1 && schedule.embed == 0 &&
         !schedule.vectorsAlongK(*dtypeOf(weight)) &&
         stepsOfTurn(schedule, *dtypeOf(panelType()), target) == 1;
}

KernelWriter::KernelWriter(LinearOp op, mlir::func::FuncOp function)
    : layer(KernelLayer::of(op)), builder(function), loc(op.getLoc()),
      math(builder, loc), name(function.getSymName().str()),
      indexType(builder.getIndexType()), sumType(op.getAccumulatorType()),
      argsType(KernelArgsType::get(builder.getContext())) {}

mlir::func::FuncOp KernelWriter::createFunction(llvm::StringRef symbol,
                                                mlir::TypeRange inputs) {
  auto function = mlir::func::FuncOp::create(
      builder, loc, symbol, builder.getFunctionType(inputs, {}));
  function.addEntryBlock();
  builder.setInsertionPointToStart(&function.getBody().front());
  return function;
}

mlir::func::FuncOp KernelWriter::createPrivate(llvm::StringRef symbol,
                                               mlir::TypeRange inputs) {
  mlir::func::FuncOp function = createFunction(symbol, inputs);
  function.setPrivate();
  return function;
}

void KernelWriter::passThrough(mlir::func::FuncOp function,
                               llvm::ArrayRef<llvm::StringRef> attributes) {
  llvm::SmallVector<mlir::Attribute> all;
  if (auto given = function->getAttrOfType<mlir::ArrayAttr>("passthrough"))
    llvm::append_range(all, given);
  for (llvm::StringRef attribute : attributes)
    all.push_back(builder.getStringAttr(attribute));
  function->setAttr("passthrough", builder.getArrayAttr(all));
}

void KernelWriter::markMicrokernel(mlir::func::FuncOp function) {
  passThrough(function, {kMicrokernel});
}

void KernelWriter::keepLoops(mlir::func::FuncOp function) {
  passThrough(function, {kKeepsLoops});
}

void KernelWriter::leaveUnoptimized(mlir::func::FuncOp function) {
  passThrough(function, {"noinline", "optnone"});
}

void KernelWriter::leaveOnStack(mlir::func::FuncOp function) {
  leaveUnoptimized(function);
  passThrough(function, {kFastAllocation});
}

void KernelWriter::finish(mlir::func::FuncOp function) {
  mlir::func::ReturnOp::create(builder, loc);
  builder.setInsertionPointAfter(function);
}

void KernelWriter::call(llvm::StringRef symbol, mlir::ValueRange operands) {
  mlir::func::CallOp::create(builder, loc, symbol, mlir::TypeRange(), operands);
}

tmm::ConfigAttr KernelWriter::tileConfig() {
  return amxConfig(builder.getContext(), layer.strips.tall.front(),
                   layer.schedule.nr);
}

void KernelWriter::worksOnTiles(mlir::func::FuncOp function) {
  if (layer.schedule.onTiles())
    function->setAttr(tmm::kConfiguredAttribute, tileConfig());
}

void KernelWriter::leavesTilesAlone(mlir::func::FuncOp function) {
  if (layer.schedule.onTiles())
    function->setAttr(tmm::kUntouchedAttribute, builder.getUnitAttr());
}

Value KernelWriter::number(Value args, KernelField field) {
  return KernelArguments(builder, loc, args).number(field);
}

Value KernelWriter::pointer(Value args, KernelField field, mlir::Type element) {
  return KernelArguments(builder, loc, args).pointer(field, element);
}

Value firstRowOf(IndexMath &math, Value strip, Value baseRows,
                 Value shortStrips) {
  return math.add(math.mul(strip, baseRows),
                  math.sub(math.max(strip, shortStrips), shortStrips));
}

Value rowsOfStrip(IndexMath &math, Value strip, Value baseRows,
                  Value shortStrips) {
  return math.select(math.greater(shortStrips, strip), baseRows,
                     math.add(baseRows, math.constant(1)));
}

mlir::Value strideOfWidenedRows(IndexMath &math, mlir::Value depth) {
  mlir::Value lines = math.ceilDivBy(depth, kLineSums);
  mlir::Value pairs = math.divBy(lines, 2);
  return math.add(math.mul(pairs, math.constant(2 * kLineSums)),
                  math.constant(kLineSums));
}

void orderedLoops(IndexMath &math, const Steps &m, const Steps &n,
                  Value outerIsN, Value added,
                  llvm::function_ref<void(const Turn &)> body) {
  auto either = [&](const Steps &ifN, const Steps &ifM) {
    return Steps{math.select(outerIsN, ifN.begin, ifM.begin),
                 math.select(outerIsN, ifN.end, ifM.end),
                 math.select(outerIsN, ifN.step, ifM.step)};
  };
  const Steps outer = either(n, m), inner = either(m, n);
  llvm::SmallVector<Value> carried;
  if (added)
    carried.push_back(math.constant(0));
  math.nest(outer, inner, carried,
            [&](Value atOuter, Value atInner, mlir::ValueRange before) {
              body({math.select(outerIsN, atInner, atOuter),
                    math.select(outerIsN, atOuter, atInner), atInner,
                    inner.begin, added ? before.front() : Value()});
              llvm::SmallVector<Value> after;
              if (added)
                after.push_back(math.add(before.front(), added));
              return after;
            });
}

} // namespace lintel::ir
