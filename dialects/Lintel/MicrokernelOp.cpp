// What lintel.microkernel refuses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/AmxVerifier.h"
#include "Lintel/ElementType.h"
#include "Lintel/EpilogueVerifier.h"
#include "Lintel/LintelDialect.h"
#include "Lintel/VectorStreams.h"
#include "Lintel/WholeVectors.h"
#include "Tmm/PlainMemory.h"

using namespace mlir;
using namespace lintel::ir;

static int64_t depthOfLane(MicrokernelOp op) {
  const std::optional<lintel::DType> weight =
      dtypeOf(op.getB().getType().getElementType());
  return weight ? lintel::depthOfLane(*weight, op.getTarget().getValue(),
                                      op.getSchedule().getValue().accumulate)
                : 1;
}

/// Dot products read a in place, and leave finished sums to
/// lintel.apply_epilogue.
static LogicalResult verifyDotProducts(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  const lintel::Target &target = op.getTarget().getValue();
  Type element = op.getB().getType().getElementType();
  const int64_t inVector = target.lanes() * depthOfLane(op);
  if (schedule.group != inVector)
    return op.emitOpError("has groups of ")
           << schedule.group << " elements of K; vectors of its target take "
           << inVector << " of " << element;
  if (schedule.pack != lintel::PackA::none ||
      schedule.epilogue != lintel::EpiloguePlacement::tile)
    return op.emitOpError("has groups of K, which take pack = none and "
                          "epilogue = tile");
  if (schedule.prefetch > 0 || schedule.ahead > 0 || schedule.share > 0 ||
      schedule.streamsOutputs())
    return op.emitOpError("has groups of K, which take neither prefetch, "
                          "ahead, share nor store = stream");
  return success();
}

/// Sums of pairs have an instruction of their own.
static LogicalResult verifyPairsInWords(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  const Type a = op.getA().getType().getElementType();
  if (!a.isUnsignedInteger(8) && !a.isSignlessInteger(8))
    return op.emitOpError("has accumulate = s16, which takes an a of ui8 or "
                          "i8, not ")
           << a;
  if (!op.getTarget().getValue().sumsPairsInWords())
    return op.emitOpError("has accumulate = s16, which takes a target of avx2 "
                          "or avx512 without VNNI");
  if (schedule.onTiles() || schedule.vectorsAlongK(lintel::DType::s8))
    return op.emitOpError("has accumulate = s16, which takes unit = vector and "
                          "no dot products");
  return success();
}

/// Runs of f16 are added to sums in memory.
static LogicalResult verifyHalfRuns(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  const lintel::Target &target = op.getTarget().getValue();
  const Type element = op.getB().getType().getElementType();
  if (!element.isF16())
    return op.emitOpError("has accumulate = f16, which takes a and b of f16, "
                          "not ")
           << element;
  if (!target.has(lintel::Extension::avx512Fp16))
    return op.emitOpError("has accumulate = f16, but its target has no "
                          "avx512fp16");
  if (schedule.onTiles() ||
      schedule.epilogue != lintel::EpiloguePlacement::tile ||
      schedule.vectorsAlongK(lintel::DType::f16))
    return op.emitOpError("has accumulate = f16, which takes unit = vector, "
                          "epilogue = tile and no dot products");
  if (schedule.nr % (2 * target.lanes()) != 0)
    return op.emitOpError("has accumulate = f16 and ")
           << schedule.nr << " columns; vectors of f16 take multiples of "
           << 2 * target.lanes();
  return success();
}

/// Rows that multiply-adds broadcast are operands in memory.
static LogicalResult verifyEmbeddedRows(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  const lintel::Target &target = op.getTarget().getValue();
  const Type a = op.getA().getType().getElementType();
  const Type b = op.getB().getType().getElementType();
  if (!a.isF32() || !b.isF32() || schedule.onTiles() || schedule.group != 1)
    return op.emitOpError("has embed = ")
           << schedule.embed
           << ", which takes products of f32, unit = vector and group = 1";
  if (!target.hasMaskRegisters())
    return op.emitOpError("has embed = ")
           << schedule.embed << ", which takes avx512";
  return success();
}

/// Sums that do not fit the registers are kept in memory, at a price that a
/// measurement may want to know; but each is an instruction of the loop.
static constexpr int64_t kMostSumsOfRegister = 8;

/// The lowering unrolls a tile, so that its code is as large as the tile.
static LogicalResult verifySize(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  const lintel::Target &target = op.getTarget().getValue();
  const Type element = op.getB().getType().getElementType();
  const int64_t lanes = schedule.group > interleaveOf(element) ? 1
                        : schedule.sumsRunsInHalf() ? 2 * target.lanes()
                                                    : target.lanes();
  const int64_t sums = op.getRows() * (schedule.nr / lanes);
  const int64_t most = kMostSumsOfRegister * target.vectorRegisters();
  if (sums <= most)
    return success();
  return op.emitOpError("has a tile of ")
         << op.getRows() << "x" << schedule.nr << ", whose sums are " << sums
         << " vectors; it may have " << most << ", " << kMostSumsOfRegister
         << " for each register of " << StringRef(toString(target.isa))
         << ": lower its rows or columns";
}

/// Vectors run along K in dot products, else along N, of as many elements of K
/// as fill a lane.
static LogicalResult verifyTile(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  if (schedule.onTiles() && failed(verifyAmxTile(op)))
    return failure();
  if (schedule.sumsRunsInHalf() && failed(verifyHalfRuns(op)))
    return failure();
  if (schedule.sumsPairsInWords() && failed(verifyPairsInWords(op)))
    return failure();
  if (schedule.embed > 0 && failed(verifyEmbeddedRows(op)))
    return failure();
  if (schedule.widensPanels() && !schedule.onTiles())
    return op.emitOpError("has widen = panel, which is for what calls it: a "
                          "panel that was widened is a b of f32");
  if (schedule.hint != lintel::StreamHint::none && !schedule.onTiles())
    return op.emitOpError("has a hint, which takes unit = amx; vector loads "
                          "have none");
  const Type element = op.getB().getType().getElementType();
  const int64_t interleave =
      schedule.onTiles() ? tileInterleaveOf(element) : depthOfLane(op);
  if (schedule.group > interleaveOf(element) && !schedule.onTiles())
    return verifyDotProducts(op);
  if (schedule.group != interleave)
    return op.emitOpError("has groups of ")
           << schedule.group << " elements of K; of " << element << ", "
           << interleave << " stand side by side";
  return verifyWholeVectors(op, schedule.nr, op.getTarget().getValue());
}

/// Dot products and runs of f16 have k loops of their own, and pairs in s16
/// leave streams too few registers.
static LogicalResult verifyStreams(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  if (schedule.onTiles() && schedule.streams > 1)
    return verifyTileStreams(op);
  if (schedule.streams == 1 ||
      (schedule.accumulate == lintel::Accumulate::f32 &&
       schedule.group == depthOfLane(op)))
    return success();
  return refuseVectorStreams(op);
}

/// One of the tile before, or none.
static LogicalResult verifyPending(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  const bool finishes = schedule.epilogue == lintel::EpiloguePlacement::next;
  if (finishes && !schedule.onTiles())
    return op.emitOpError("has epilogue = next, which takes unit = amx");
  if (finishes && schedule.streamsOutputs())
    return op.emitOpError("has epilogue = next, which takes store = cached");
  for (Value value : {op.getPendingAcc(), op.getPendingRow(),
                      op.getPendingColumn(), op.getPendingRows()})
    if (bool(value) != finishes)
      return op.emitOpError("takes 'pending', a tile to apply the epilogue to, "
                            "with epilogue = next, and only then");
  return success();
}

/// Whether a may hold rows that were widened as they were packed.
static bool mayHoldWidenedRows(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  const Type element = op.getB().getType().getElementType();
  const std::optional<lintel::DType> weight = dtypeOf(element);
  if (!weight || element.isUnsignedInteger())
    return false;
  const lintel::DType rows =
      schedule.typeOfRows(*weight, op.getTarget().getValue());
  return rows != *weight &&
         op.getA().getType().getElementType() == typeOf(op.getContext(), rows);
}

/// The element types and the memory of a and b, and where acc is.
static LogicalResult verifyFactors(MicrokernelOp op) {
  const Type element = op.getA().getType().getElementType();
  const Type weight = op.getB().getType().getElementType();
  if (!isa<IntegerType>(element) && !dtypeOf(element))
    return op.emitOpError("multiplies f32, bf16, f16 or integers, not ")
           << element;
  const bool integers =
      (element.isSignlessInteger(8) || element.isUnsignedInteger(8)) &&
      weight.isSignlessInteger(8);
  const bool floats = !isa<IntegerType>(element) && element == weight;
  if (!integers && !floats && !mayHoldWidenedRows(op))
    return op.emitOpError("needs a and b of one float type, a of i8 or ui8 and "
                          "b of i8, or, with pack = block, an a of f32 or i16 "
                          "where the target multiplies in that, but they hold ")
           << element << " and " << weight;
  for (MemRefType memory :
       {op.getA().getType(), op.getB().getType(), op.getAcc().getType()})
    if (failed(lintel::tmm::verifyPlainMemory(op, memory)))
      return failure();
  return success();
}

/// Strips share out what a turn reads of the panel that follows, and each line
/// is an instruction of the loop.
static LogicalResult verifyShare(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  if (schedule.share == 0)
    return success();
  if (schedule.onTiles() || schedule.streams > 1)
    return op.emitOpError("has a share, which takes unit = vector and streams "
                          "= 1");
  const Type element = op.getB().getType().getElementType();
  const int64_t most =
      linesOfTurn(schedule, *dtypeOf(element), op.getTarget().getValue());
  if (schedule.share <= most)
    return success();
  return op.emitOpError("has a share of ")
         << schedule.share << " lines; a turn of " << schedule.nr
         << " columns of " << element << " has " << most;
}

/// Where the panel that follows begins, and how turns ask for it.
static LogicalResult verifyNextPanel(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  if (bool(op.getNext()) != schedule.prefetchesNextPanel())
    return op.emitOpError("takes 'next', where the next panel begins, with "
                          "unit = amx and a prefetch or on vectors with a "
                          "share, and only then");
  if (bool(op.getNextStep()) != (schedule.share > 0))
    return op.emitOpError("takes 'next_step', how far apart turns ask for the "
                          "next panel, with a share, and only then");
  if (op.getNextIn() && schedule.share == 0 && !schedule.splitsHalves())
    return op.emitOpError("takes 'next_in', where the next panel is if not in "
                          "b, with a share or with unit = amx and widen = "
                          "panel alone");
  if (op.getNextIn() &&
      failed(lintel::tmm::verifyPlainMemory(op, op.getNextIn().getType())))
    return failure();
  return verifyShare(op);
}

static LogicalResult verifyNextTile(MicrokernelOp op) {
  const bool onTiles = op.getSchedule().getValue().onTiles();
  if (op.getNextAcc() && !onTiles)
    return op.emitOpError("takes 'next_acc', where the sums of the next tile "
                          "wait, with unit = amx alone");
  if (!op.getTouched().empty() && !onTiles)
    return op.emitOpError("takes 'touches', what the epilogue will touch, "
                          "with unit = amx alone");
  for (Value touched : op.getTouched()) {
    auto type = cast<MemRefType>(touched.getType());
    if (type.getMemorySpace())
      return op.emitOpError("takes 'touches' in no memory space of its own, "
                            "but one is ")
             << type;
    if (!type.isStrided())
      return op.emitOpError("takes 'touches' whose rows are a stride apart, "
                            "but one is ")
             << type;
  }
  return success();
}

LogicalResult MicrokernelOp::verify() {
  const Schedule &schedule = getSchedule().getValue();
  int64_t rows = getRows();
  if (rows < 1 || rows > schedule.mr)
    return emitOpError("computes 1 to ")
           << schedule.mr << " rows, the height of its schedule's tile, not "
           << rows;
  return failure(
      failed(verifyFactors(*this)) || failed(verifyNextPanel(*this)) ||
      failed(verifyNextTile(*this)) || failed(verifyPending(*this)) ||
      failed(verifyAccumulatorType(*this, getA().getType().getElementType(),
                                   getAcc().getType().getElementType())) ||
      failed(verifyTile(*this)) ||
      (!schedule.onTiles() && failed(verifySize(*this))) ||
      failed(verifyStreams(*this)) ||
      failed(verifyBroadcasts(*this, getBroadcasts(),
                              getAcc().getType().getElementType())));
}

LogicalResult MicrokernelOp::verifyRegions() {
  if (getSchedule().getValue().epilogue != EpiloguePlacement::tile)
    return verifyKernelEpilogue(*this, getEpilogue(), getBroadcasts(),
                                getAcc().getType().getElementType());
  Block &body = getEpilogue().front();
  if (!getBroadcasts().empty() || body.getNumArguments() != 0 ||
      body.getOperations().size() != 1 ||
      body.getTerminator()->getNumOperands() != 0)
    return emitOpError("leaves the epilogue to lintel.apply_epilogue when its "
                       "schedule says epilogue = tile: its region and its "
                       "broadcasts must be empty");
  return success();
}
