// Where the k loop of a micro-kernel on vectors reads A and B.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/TileFactors.h"

#include "Lintel/ElementType.h"
#include "Schedule/Partition.h"

#include <iterator>

namespace lintel::ir {

using mlir::Value;

bool isTransposed(MicrokernelOp op) {
  const auto bitsOf = [](auto factor) {
    return factor.getType().getElementType().getIntOrFloatBitWidth();
  };
  return op.getSchedule().getValue().packsA() &&
         bitsOf(op.getA()) == bitsOf(op.getB());
}

int64_t depthOfTurn(MicrokernelOp op) {
  const DType type = *dtypeOf(op.getB().getType().getElementType());
  return lintel::depthOfTurn(op.getSchedule().getValue(), type,
                             op.getTarget().getValue());
}

/// How many views serve `rows` rows: with as few groups as leave registers to
/// what else lives through the loop. Views and groups each take one, of the 14
/// that x86-64 has beside the stack's, B two, and the loop one.
static int64_t viewsOfRows(int64_t rows) {
  constexpr int64_t kMostRegisters = 7;
  int64_t best = rows;
  for (int64_t groups = 1; groups <= rows; ++groups) {
    const int64_t views = ceilDiv(rows, groups);
    if (views + groups < best + ceilDiv(rows, best))
      best = views;
    if (views + groups <= kMostRegisters)
      return views;
  }
  return best;
}

TileFactors::TileFactors(MicrokernelOp op, mlir::OpBuilder &builder,
                         IndexMath &math)
    : op(op), math(math), schedule(op.getSchedule().getValue()),
      rows(static_cast<int64_t>(op.getRows())), stepDepth(schedule.group),
      turnDepth(depthOfTurn(op)), transposed(isTransposed(op)),
      rowDistance(knownRowDistance()) {
  if (schedule.embed > 0)
    embedded.emplace(op, builder, math,
                     DistancesInA{*rowDistance, transposed ? rows : 1});
  else
    viewRowsOfA();
  Value ofB = math.mul(math.roundUpTo(op.getDepth(), stepDepth),
                       math.constant(schedule.nr));
  viewOfB = flatView(op.getB(), op.getBOffset(), ofB);
  viewOfNext = viewOfB;
  if (op.getNextIn())
    viewOfNext = flatView(op.getNextIn(), op.getNext(), ofB);
}

void TileFactors::viewRowsOfA() {
  Value padded = math.roundUpTo(op.getDepth(), stepDepth);
  Value ofA = math.mul(transposed ? padded : op.getLda(), math.constant(rows));
  Value offset = op.getAOffset();
  viewsOfA.push_back(flatView(op.getA(), offset, ofA));
  while (!rowDistance && rowsOfGroup() < viewsOfRows(rows)) {
    offset = math.add(offset, op.getLda());
    viewsOfA.push_back(flatView(op.getA(), offset, ofA));
  }
}

/// Both indices count elements. Sizes are what loads stay within, prefetches go
/// beyond, and nobody reads.
Value TileFactors::flatView(Value pointer, Value offset, Value elements) {
  Value one = math.constant(1);
  return math.view(pointer, offset, {elements, elements}, {one, one});
}

std::optional<int64_t> TileFactors::knownRowDistance() {
  if (transposed)
    return stepDepth;
  return mlir::getConstantIntValue(op.getLda());
}

llvm::SmallVector<Value> TileFactors::groupsAt(Value k) {
  llvm::SmallVector<Value> carried;
  if (transposed) {
    carried.push_back(math.mul(k, math.constant(rows)));
  } else if (!rowDistance) {
    Value apart = math.mul(op.getLda(), math.constant(rowsOfGroup()));
    Value offset = k;
    for (int64_t row = rowsOfGroup(); row < rows; row += rowsOfGroup()) {
      offset = math.add(offset, apart);
      carried.push_back(offset);
    }
  }
  return carried;
}

llvm::SmallVector<Value> TileFactors::carriedAt(Value k) {
  llvm::SmallVector<Value> carried;
  if (embedsRows())
    carried.append(embedded->at(k));
  else
    carried.append(groupsAt(k));
  carried.push_back(math.mul(k, math.constant(schedule.nr)));
  if (asksForNextPanel()) {
    Value asked = math.mul(math.divBy(k, turnDepth), op.getNextStep());
    // Counted from where B begins, where its view serves both.
    if (!op.getNextIn())
      asked = math.add(math.sub(op.getNext(), op.getBOffset()), asked);
    carried.push_back(asked);
  }
  return carried;
}

llvm::SmallVector<Value> TileFactors::groupsAfter(const FactorOffsets &offsets,
                                                  int64_t depth) {
  llvm::SmallVector<Value> carried;
  Value apart = math.constant(transposed ? depth * rows : depth);
  for (Value group :
       llvm::ArrayRef(offsets.groups).drop_front(transposed ? 0 : 1))
    carried.push_back(math.add(group, apart));
  return carried;
}

llvm::SmallVector<Value> TileFactors::carriedAfter(const FactorOffsets &offsets,
                                                   int64_t depth) {
  llvm::SmallVector<Value> carried;
  if (embedsRows())
    carried.append(embedded->after(offsets.pointers, depth));
  else
    carried.append(groupsAfter(offsets, depth));
  carried.push_back(math.add(offsets.b, math.constant(depth * schedule.nr)));
  if (asksForNextPanel())
    carried.push_back(
        math.add(offsets.next,
                 math.mul(math.constant(depth / turnDepth), op.getNextStep())));
  return carried;
}

FactorOffsets TileFactors::fromCarried(Value k,
                                       mlir::ValueRange carried) const {
  FactorOffsets offsets;
  if (asksForNextPanel()) {
    offsets.next = carried.back();
    carried = carried.drop_back();
  }
  offsets.b = carried.back();
  carried = carried.drop_back();
  if (embedsRows()) {
    llvm::append_range(offsets.pointers, carried);
    return offsets;
  }
  if (!transposed)
    offsets.groups.push_back(k);
  llvm::append_range(offsets.groups, carried);
  return offsets;
}

FactorPlace TileFactors::rowOfA(const FactorOffsets &offsets, int64_t row,
                                int64_t depth) {
  if (rowDistance)
    return {
        viewsOfA.front(),
        {offsets.groups.front(),
         math.constant(row * *rowDistance + depth * (transposed ? rows : 1))}};
  return {viewsOfA[row % rowsOfGroup()],
          {offsets.groups[row / rowsOfGroup()], math.constant(depth)}};
}

FactorPlace TileFactors::columnOfB(const FactorOffsets &offsets, int64_t column,
                                   int64_t depth) {
  return {viewOfB,
          {offsets.b, math.constant(column * stepDepth + depth * schedule.nr)}};
}

FactorPlace TileFactors::lineOfNextPanel(const FactorOffsets &offsets,
                                         int64_t line) {
  const auto memory = llvm::cast<mlir::MemRefType>(viewOfNext.getType());
  const int64_t bytes = memory.getElementType().getIntOrFloatBitWidth() / 8;
  return {viewOfNext,
          {offsets.next, math.constant(line * Target::kLineBytes / bytes)}};
}

} // namespace lintel::ir
