// What operations with unit = amx refuse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/AmxVerifier.h"
#include "Lintel/AmxTile.h"
#include "Lintel/ElementType.h"

using namespace mlir;
using namespace lintel::ir;

/// The factors hold what f16 was split into, packed. What a step asks for is
/// yet to be split, and so in other memory than b.
static LogicalResult verifyHalves(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  for (Type element : {op.getA().getType().getElementType(),
                       op.getB().getType().getElementType()})
    if (!element.isBF16())
      return op.emitOpError("has unit = amx and widen = panel, which takes a "
                            "and b of bf16, the halves of f16, not ")
             << element;
  if (!schedule.packsA() || schedule.ahead > 0)
    return op.emitOpError("has unit = amx and widen = panel, which takes rows "
                          "that are packed and no ahead");
  const bool isOfF16 =
      op.getNextIn() && op.getNextIn().getType().getElementType().isF16();
  if (bool(op.getNext()) != bool(op.getNextIn()) ||
      (op.getNextIn() && !isOfF16))
    return op.emitOpError("has unit = amx and widen = panel, where 'next' and "
                          "'next_in', f16 that are yet to be split, take each "
                          "other");
  return success();
}

LogicalResult lintel::ir::verifyAmxTile(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  Type element = op.getB().getType().getElementType();
  const std::optional<lintel::DType> weight = dtypeOf(element);
  if (!weight || !op.getTarget().getValue().multipliesTilesOf(*weight))
    return op.emitOpError("has unit = amx, but its target has no tiles of ")
           << element;
  if (schedule.epilogue == lintel::EpiloguePlacement::registers)
    return op.emitOpError(
        "has unit = amx, which takes epilogue = tile or epilogue = next");
  if (schedule.nr % lintel::AmxTile::kColumns != 0 ||
      !lintel::AmxTile::of(op.getRows(), schedule.nr).fits())
    return op.emitOpError("has unit = amx, whose registers hold no tile of ")
           << op.getRows() << "x" << schedule.nr;
  if (schedule.widensPanels() && failed(verifyHalves(op)))
    return failure();
  for (const auto &[name, bytes] : {std::pair("prefetch", schedule.prefetch),
                                    std::pair("ahead", schedule.ahead)})
    if (bytes % lintel::Target::kLineBytes != 0)
      return op.emitOpError("has unit = amx, which takes ")
             << name << " in multiples of " << lintel::Target::kLineBytes
             << " bytes, not " << bytes;
  if (schedule.prefetch > schedule.mostPrefetchOnTiles())
    return op.emitOpError("has unit = amx, which with ")
           << schedule.nr << " columns takes a prefetch of at most "
           << schedule.mostPrefetchOnTiles() << " bytes, not "
           << schedule.prefetch;
  return success();
}

LogicalResult lintel::ir::verifyTileStreams(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  if (schedule.asksForEqualParts())
    return success();
  return op.emitOpError("has streams = ")
         << schedule.streams << ", which with unit = amx takes a prefetch in "
         << "multiples of " << schedule.streams * lintel::Target::kLineBytes
         << " and columns in multiples of " << schedule.streams;
}

LogicalResult lintel::ir::verifyVectorsOfTiles(ApplyEpilogueOp op) {
  if (op.getTarget().getValue().lanes() == lintel::AmxTile::kColumns)
    return success();
  return op.emitOpError("has unit = amx, whose sums take an avx512 target");
}
