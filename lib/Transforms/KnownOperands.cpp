// What lowerings ask of operands that are constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/KnownOperands.h"

#include "Lintel/AmxTile.h"
#include "Lintel/ElementType.h"
#include "Lintel/VectorStreams.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace lintel::ir {
namespace {

using mlir::getConstantIntValue;
using mlir::Value;

/// What an operand may be where it is known; lowerings make sizes and strides
/// of it.
struct KnownRange {
  llvm::StringRef name;
  Value value; ///< null: the operand is not there
  int64_t least = 0;
  int64_t most = std::numeric_limits<int64_t>::max();
};

/// Success unless one of the operands is a constant out of its range.
mlir::LogicalResult checkKnownRanges(mlir::Operation *op,
                                     llvm::ArrayRef<KnownRange> ranges) {
  for (const KnownRange &range : ranges) {
    if (!range.value)
      continue;
    const std::optional<int64_t> known = getConstantIntValue(range.value);
    if (known && (*known < range.least || *known > range.most))
      return op->emitOpError("has '")
             << range.name << "' of " << *known << "; it is at least "
             << range.least << " and at most " << range.most;
  }
  return mlir::success();
}

mlir::LogicalResult checkRanges(MicrokernelOp op) {
  const auto rows = static_cast<int64_t>(op.getRows());
  constexpr int64_t kLargest = RowRange::kLargest;
  return checkKnownRanges(
      op, {{"depth", op.getDepth(), 0, kLargest},
           {"lda", op.getLda(), 0, kLargest},
           {"ldacc", op.getLdacc(), 0, kLargest},
           {"row", op.getRow(), 0, kLargest},
           {"column", op.getColumn(), 0, kLargest},
           {"columns", op.getColumns(), 0, op.getSchedule().getValue().nr},
           {"valid", op.getValidRows(), rows - 1, rows},
           {"a offset", op.getAOffset()},
           {"b offset", op.getBOffset()},
           {"acc offset", op.getAccOffset()},
           {"next", op.getNext()},
           {"next_step", op.getNextStep()},
           {"next_acc", op.getNextAcc()},
           {"pending", op.getPendingAcc()},
           {"pending row", op.getPendingRow(), 0, kLargest},
           {"pending column", op.getPendingColumn(), 0, kLargest},
           {"pending rows", op.getPendingRows(), 0, rows}});
}

mlir::LogicalResult checkRanges(ApplyEpilogueOp op) {
  const Schedule &schedule = op.getSchedule().getValue();
  constexpr int64_t kLargest = RowRange::kLargest;
  return checkKnownRanges(op, {{"acc offset", op.getAccOffset()},
                               {"ldacc", op.getLdacc(), 0, kLargest},
                               {"row", op.getRow(), 0, kLargest},
                               {"column", op.getColumn(), 0, kLargest},
                               {"rows", op.getRows(), 0, schedule.mr},
                               {"columns", op.getColumns(), 0, schedule.nr}});
}

/// Sums of tile registers stand register by register.
mlir::LogicalResult checkSumsOfTiles(mlir::Operation *op, Value ldacc) {
  if (getConstantIntValue(ldacc) == AmxTile::kColumns)
    return mlir::success();
  return op->emitOpError("has unit = amx, whose sums have ldacc = ")
         << AmxTile::kColumns << ", a constant";
}

/// Rows of x that are not packed have no padding that their last line could
/// read.
mlir::LogicalResult checkLinesInPlace(MicrokernelOp op) {
  const int64_t line = depthUnitOf(op.getA().getType().getElementType());
  const std::optional<int64_t> depth = getConstantIntValue(op.getDepth());
  if (op.getSchedule().getValue().packsA() || !depth || *depth % line == 0)
    return mlir::success();
  return op.emitOpError("has unit = amx and pack = none, which reads whole "
                        "lines of ")
         << line << " elements of K, but a depth of " << *depth;
}

mlir::LogicalResult checkTile(MicrokernelOp op) {
  return mlir::failure(mlir::failed(checkLinesInPlace(op)) ||
                       mlir::failed(checkSumsOfTiles(op, op.getLdacc())));
}

/// Dot products begin at zero, and a tree adds up sums that stand side by side.
mlir::LogicalResult checkDotProducts(MicrokernelOp op) {
  const Schedule &schedule = op.getSchedule().getValue();
  const Target &target = op.getTarget().getValue();
  const mlir::Type element = op.getB().getType().getElementType();
  if (!element.isF32() && !target.hasMaskRegisters() &&
      !getConstantIntValue(op.getDepth()))
    return op.emitOpError("has groups of ")
           << schedule.group << " elements of " << element << ", which "
           << llvm::StringRef(toString(target.isa))
           << " cuts where it knows the depth: that must be a constant";
  if (!mlir::matchPattern(op.getFirst(), mlir::m_One()))
    return op.emitOpError("has groups of K, which begin at zero: 'first' must "
                          "be the constant true");
  if (getConstantIntValue(op.getLdacc()) != schedule.nr)
    return op.emitOpError("has groups of K, whose sums stand side by side: "
                          "'ldacc' must be ")
           << schedule.nr << ", a constant";
  return mlir::success();
}

/// Rows that multiply-adds broadcast are read by pointers at known distances.
mlir::LogicalResult checkEmbeddedRows(MicrokernelOp op) {
  const Schedule &schedule = op.getSchedule().getValue();
  if (schedule.embed == 0 || schedule.packsA() ||
      getConstantIntValue(op.getLda()))
    return mlir::success();
  return op.emitOpError("has embed = ")
         << schedule.embed
         << ", whose rows are packed, or lie a known distance apart: 'lda' "
            "must be a constant";
}

/// Without masks vectors are read and written whole.
mlir::LogicalResult checkColumns(MicrokernelOp op) {
  const Schedule &schedule = op.getSchedule().getValue();
  const Target &target = op.getTarget().getValue();
  const std::optional<int64_t> columns = getConstantIntValue(op.getColumns());
  const bool mayApplyEpilogue =
      schedule.epilogue == EpiloguePlacement::registers &&
      !mlir::matchPattern(op.getLast(), mlir::m_Zero());
  if (target.hasMaskRegisters() || !mayApplyEpilogue || !columns ||
      *columns == schedule.nr)
    return mlir::success();
  return op.emitOpError("writes ")
         << *columns << " of " << schedule.nr << " columns, but "
         << llvm::StringRef(toString(target.isa))
         << " has no masks, so that 'columns' must be " << schedule.nr
         << "; of a ragged tile 'last' is the constant false, and "
            "lintel.apply_epilogue follows";
}

/// A known depth makes the place of each stream a constant of the address.
mlir::LogicalResult checkStreams(MicrokernelOp op) {
  if (op.getSchedule().getValue().streams == 1 ||
      getConstantIntValue(op.getDepth()))
    return mlir::success();
  return refuseVectorStreams(op);
}

} // namespace

mlir::LogicalResult checkKnownOperands(MicrokernelOp op) {
  const Schedule &schedule = op.getSchedule().getValue();
  if (mlir::failed(checkRanges(op)))
    return mlir::failure();
  if (schedule.onTiles())
    return checkTile(op);
  if (schedule.group > interleaveOf(op.getB().getType().getElementType()))
    return checkDotProducts(op);
  return mlir::failure(mlir::failed(checkEmbeddedRows(op)) ||
                       mlir::failed(checkColumns(op)) ||
                       mlir::failed(checkStreams(op)));
}

mlir::LogicalResult checkKnownOperands(ApplyEpilogueOp op) {
  return mlir::failure(mlir::failed(checkRanges(op)) ||
                       (op.getSchedule().getValue().onTiles() &&
                        mlir::failed(checkSumsOfTiles(op, op.getLdacc()))));
}

} // namespace lintel::ir
