// An analytic estimate of a kernel's time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/CostModel.h"

#include "Lintel/AmxTile.h"
#include "Problem/EpilogueCost.h"
#include "Schedule/ColdWeight.h"
#include "Schedule/Strips.h"

#include <algorithm>
#include <cmath>

namespace lintel {

static constexpr double kCyclesPerMicrosecond = 3000;
static constexpr double kFloatBytes = 4;

/// Copying and transposing what fills a lane of A, of 32 bits or one f16, four
/// rows together (0.35 from L2 and 0.5 from L3 on Zen 4), and one element of
/// strips that are too low for it: when a packed strip fits L1, and when its
/// lines leave L1 before they are full.
static constexpr double kTransposeCycles = 0.45;
static constexpr double kPackCyclesInL1 = 1.2;
static constexpr double kPackCyclesBeyondL1 = 4;
/// Copying one element of A, a vector or a cache line at a time.
static constexpr double kVectorPackCycles = 0.15;
/// What of the shorter of compute and memory time does not overlap.
static constexpr double kUnhidden = 0.3;
/// The same where the weight is prefetched.
static constexpr double kUnhiddenByPrefetch = 0.2;
/// The same where it is read in streams that the core follows: a little better,
/// so that such kernels are raced first (decision 76).
static constexpr double kUnhiddenInStreams = 0.15;
/// The same of streams that are asked for into L1 (decision 110).
static constexpr double kUnhiddenInAskedStreams = 0.12;
/// The same of sums that tiles ask for: fitted, with kLateRows, to blocks of
/// 512, 1024 and 4096 columns of 512x4096:4096x4096 in bf16 (decision 78).
static constexpr double kUnhiddenSums = 0.03;
/// An epilogue dearer than this pushes accumulators out of the registers: bias
/// from s8s8 to s8, 8.25 cycles, does not, and with relu, 9, it does.
static constexpr double kCheapEpilogue = 8.5;
/// A region of no work: 0.5, 1.2, 2.1 and 3.4 us for 2, 4, 8 and 16 threads on
/// Emerald Rapids, 0.57 for 2 on Zen 5. Beyond 16 not measured.
static constexpr double kForkJoinCycles = 400;
static constexpr double kForkJoinCyclesOfThread = 600;
/// How much longer the slowest thread takes for its share of equal ones, for
/// each further thread, and at most: cores have other tenants and change their
/// clocks. A guess between what was seen on 16 of them, nothing in some minutes
/// and 70 % or more in most (decision 71).
static constexpr double kUnevenness = 0.02;
static constexpr double kMostUnevenness = 0.3;

/// Threads that take chunks as they get free end half a chunk apart.
static constexpr double kApartAtTheEnd = 0.5;

/// Shares that the slowest of so many threads seems to have.
static double slowestShare(double threads) {
  return 1 + std::min(kMostUnevenness, kUnevenness * (threads - 1));
}

/// The share of cores that are busy with something else as well: as many as
/// make equal shares uneven, and half of them where those are most uneven.
static double busyCoresOf(double threads) {
  return 0.5 * (slowestShare(threads) - 1) / kMostUnevenness;
}

CostModel::CostModel(const Problem &problem, const Target &target,
                     int threadCount)
    : rowRange(problem.rows()),
      rows(std::max<int64_t>(1, problem.rows().typical)),
      columns(std::max<int64_t>(1, problem.n())),
      depth(std::max<int64_t>(1, problem.k())),
      lanes(static_cast<double>(target.lanes())), core(CoreModel::of(target)),
      fusedMultiplyAdd(target.hasFma()), target(target),
      activation(problem.types().activation), weight(problem.types().weight),
      product(ProductForm::of(weight, target)),
      halfProduct(ProductForm::of(weight, target, Accumulate::f16)),
      wordProduct(ProductForm::of(weight, target, Accumulate::s16)),
      wideProduct(ProductForm::of(DType::f32, target)),
      activationBytes(
          static_cast<double>(byteSize(problem.types().activation))),
      weightBytes(static_cast<double>(byteSize(weight))),
      resultBytes(static_cast<double>(byteSize(problem.types().result))),
      l1(static_cast<double>(target.l1)), l2(static_cast<double>(target.l2)),
      l3(static_cast<double>(target.l3)), threads(std::max(1, threadCount)),
      busyCores(busyCoresOf(threads)), betweenCalls(0),
      streamsWeight(streamsColdWeight(problem, rows, target)),
      epilogueCycles(epilogueCyclesPerVector(problem.epilogue())),
      outputs(problem.epilogue().numResults()), fullOperandBytes(0) {
  for (const EpilogueOperand &operand : problem.epilogue().operands())
    if (operand.broadcast == Broadcast::full)
      fullOperandBytes += static_cast<double>(byteSize(operand.dtype));
  // Everything is touched once.
  betweenCalls = static_cast<double>(depth) *
                     (static_cast<double>(rows) * activationBytes +
                      static_cast<double>(columns) * weightBytes) +
                 finishedBytes();
}

CostModel::CostModel(const Problem &part, const Target &target, int threads,
                     const CostModel &whole)
    : CostModel(part, target, threads) {
  // Its kernels were compiled for all of M.
  rowRange = whole.rowRange;
  betweenCalls = whole.betweenCalls;
  streamsWeight = whole.streamsWeight;
}

CostModel CostModel::besideHyperthreads(const Problem &problem,
                                        const Target &target, int threads) {
  CostModel model(problem, target, threads);
  model.core = model.core.besideHyperthread();
  if (model.core.uopsBesideHyperthread > 0)
    model.busyCores = 1;
  return model;
}

double CostModel::rowsOfStrip(const Schedule &schedule, const Partition &parts,
                              const Chunk &chunk) const {
  if (heightOfShortStrips(schedule, rowRange, weight) == 0)
    return static_cast<double>(ceilDiv(rows, parts.strips));
  if (chunk.dealt)
    return static_cast<double>(rows) / static_cast<double>(parts.strips);
  const auto chunks = static_cast<int64_t>(chunk.gridRows);
  return static_cast<double>(mostRowsOfChunk(rows, parts.strips, chunks)) /
         chunk.strips;
}

CostModel::Chunk CostModel::largestChunk(const Schedule &schedule,
                                         const Partition &parts) const {
  const int64_t gridM = std::min(schedule.gridM, parts.strips);
  const int64_t gridN = std::min(schedule.gridN, parts.panels);
  const int64_t strips = ceilDiv(parts.strips, gridM);
  const int64_t panels = ceilDiv(parts.panels, gridN);
  const int64_t blockStrips = std::min(strips, parts.stripsPerBlock);
  const int64_t blockPanels = std::min(panels, parts.panelsPerBlock);
  const auto slices = static_cast<double>(schedule.gridK);
  const double chunks =
      static_cast<double>(gridM) * static_cast<double>(gridN) * slices;

  Chunk chunk;
  chunk.strips = static_cast<double>(strips);
  chunk.panels = static_cast<double>(panels);
  chunk.stripBlocks = static_cast<double>(ceilDiv(strips, blockStrips));
  chunk.panelBlocks = static_cast<double>(ceilDiv(panels, blockPanels));
  chunk.depthBlocks = static_cast<double>(parts.depthBlocks);
  chunk.blockStrips = static_cast<double>(blockStrips);
  chunk.blockPanels = static_cast<double>(blockPanels);
  chunk.threads = std::min(threads, chunks);
  chunk.dealt = schedule.deal == Dealing::dynamic && chunks > threads;
  chunk.gridRows = static_cast<double>(gridM);
  chunk.gridColumns = static_cast<double>(gridN);
  chunk.rows = rowsOfStrip(schedule, parts, chunk);
  // Of the finished tile: a row of dot products is part of a vector.
  chunk.vectors = std::ceil(static_cast<double>(schedule.nr) / lanes);
  chunk.depth = static_cast<double>(depth) / slices;
  chunk.allTiles =
      static_cast<double>(parts.strips) * static_cast<double>(parts.panels);
  const double blockDepth = chunk.depth / chunk.depthBlocks;
  chunk.stripBytes = chunk.rows * blockDepth * rowBytes(schedule);
  chunk.panelBytes =
      static_cast<double>(schedule.nr) * blockDepth * weightBytes;
  chunk.rounds = chunk.dealt ? chunks / threads : std::ceil(chunks / threads);
  chunk.apart = chunk.dealt ? kApartAtTheEnd : 0;
  chunk.slowest = chunk.dealt ? 1 : slowestShare(chunk.threads);
  return chunk;
}

static double unhiddenPart(const Schedule &schedule, const CoreModel &core) {
  if (!schedule.onTiles() && schedule.streams > 1 && core.reading.streams > 1)
    return schedule.prefetch > 0 ? kUnhiddenInAskedStreams : kUnhiddenInStreams;
  if (schedule.prefetch > 0 || schedule.ahead > 0)
    return kUnhiddenByPrefetch;
  return kUnhidden;
}

/// What the first pass of w takes beside `compute`. Only the first strip of a
/// block waits for columns of w from afar, and only its products hide that,
/// unless all strips ask for the next panel; where it is widened first, only
/// what that takes. The others find it nearby.
double CostModel::firstPassCycles(const Schedule &schedule, const Chunk &chunk,
                                  const MemoryCycles &memory,
                                  double compute) const {
  double unhidden = unhiddenPart(schedule, core);
  double meanwhile = compute * memory.drawingBlocks / chunk.strips;
  if (schedule.prefetchesNextPanel() && passesPanelByPanel(schedule, chunk)) {
    meanwhile = compute;
    unhidden = std::min(unhidden, kUnhiddenByPrefetch);
  } else if (schedule.widensPanels()) {
    meanwhile = wideningCycles(schedule, chunk);
    unhidden = kUnhidden;
  }
  return std::max(0.0, memory.firstPass - meanwhile) +
         unhidden * std::min(meanwhile, memory.firstPass);
}

/// Products while memory delivers.
double CostModel::overlappedCycles(const Schedule &schedule,
                                   const Chunk &chunk) const {
  const double unhidden = unhiddenPart(schedule, core);
  const double compute = computeCycles(schedule, chunk);
  const MemoryCycles memory = memoryCycles(schedule, chunk);
  // With the products of that pass hidden, and those of all others to come.
  const double passed =
      compute + firstPassCycles(schedule, chunk, memory, compute);
  // What tiles ask for is columns of w: the rest hides no better for it.
  const double unhiddenRest =
      schedule.onTiles() ? kUnhidden : std::min(unhidden, core.mostUnhidden);
  const double overlapped = std::max(passed, memory.others) +
                            unhiddenRest * std::min(passed, memory.others);
  return std::max(overlapped, memory.all) + memory.lateRows;
}

double CostModel::packingCycles(const Schedule &schedule,
                                const Chunk &chunk) const {
  if (schedule.pack == PackA::none)
    return 0;
  // What was packed outlives the N blocks that follow each other directly.
  const bool packedOnce =
      schedule.blocks == LoopOrder::mn &&
      (chunk.depthBlocks == 1 || schedule.pack == PackA::whole);
  const double times = packedOnce ? 1 : chunk.panelBlocks;
  const double elements = chunk.strips * chunk.rows * chunk.depth;
  const double oneByOne =
      chunk.stripBytes <= l1 ? kPackCyclesInL1 : kPackCyclesBeyondL1;
  const double transposed =
      chunk.rows >= kRowsTransposedTogether
          ? kTransposeCycles / static_cast<double>(schedule.group)
          : oneByOne;
  const bool copiesVectors = schedule.onTiles() || widensRows(schedule);
  const double cycles = schedule.splitsHalves() ? kSplitCycles / lanes
                        : copiesVectors         ? kVectorPackCycles
                                                : transposed;
  return elements * times * cycles;
}

/// How often a thread packs the rows of a chunk. Chunks dealt out in a row find
/// them packed, as long as they are of the same rows, and these one block with
/// all of K.
double CostModel::packings(const Schedule &schedule, const Chunk &chunk) const {
  const bool staysPacked =
      schedule.packsA() && chunk.dealt && chunk.stripBlocks == 1 &&
      (chunk.depthBlocks == 1 || schedule.pack == PackA::whole);
  return staysPacked ? std::min(chunk.rounds,
                                1 + (chunk.rounds - 1) / chunk.gridColumns)
                     : chunk.rounds;
}

/// Sums kept between K blocks.
double CostModel::sumsCycles(const Schedule &schedule,
                             const Chunk &chunk) const {
  const double tileVectors = chunk.rows * chunk.vectors;
  const double vectors = chunk.strips * chunk.panels * tileVectors;
  const double vectorBytes = lanes * kFloatBytes;

  const double blockSums =
      chunk.blockStrips * chunk.blockPanels * tileVectors * vectorBytes;
  const double sumBytes = 2 * vectors * vectorBytes * (chunk.depthBlocks - 1);
  // Tile registers ask for the next sums in time.
  const double waited = schedule.onTiles() ? kUnhiddenSums : 1;
  // Beyond L2, where only those of tiles may wait, the sums of all threads
  // share a cache.
  const bool beyondL2 = schedule.onTiles() && levelOf(blockSums) > l2Level;
  const Level level = levelOf(beyondL2 ? blockSums * chunk.threads : blockSums);
  return sumBytes / vectorBytes +
         waited * sumBytes / bandwidth(level, chunk.threads);
}

/// The epilogue of `tiles` tiles, and the stores of their outputs.
double CostModel::finishingCycles(const Schedule &schedule, const Chunk &chunk,
                                  double tiles) const {
  const double vectors = tiles * chunk.rows * chunk.vectors;

  // Through memory: a store, a load and loop control. On registers: nothing,
  // unless the epilogue's own values need the accumulators' registers.
  const double tileDetour = 2.5;
  const double spills = epilogueCycles > kCheapEpilogue ? 3.0 : 0;
  const double placement =
      schedule.epilogue == EpiloguePlacement::registers ? spills : tileDetour;
  const double ofVector = 1.5 + epilogueCycles + placement;

  return vectors * (ofVector - hiddenCycles(schedule, chunk, ofVector)) +
         outputCycles(schedule, vectors * lanes, chunk.threads);
}

/// Of the cycles that a vector's epilogue takes, those in which tile registers
/// multiply for the next tile: a product takes a cycle for each row of its
/// registers, and as many steps take a vector along with each sum's products.
double CostModel::hiddenCycles(const Schedule &schedule, const Chunk &chunk,
                               double ofVector) const {
  if (schedule.epilogue != EpiloguePlacement::next)
    return 0;
  const AmxTile tile = AmxTile::of(schedule.mr, schedule.nr);
  const double rows = chunk.rows / static_cast<double>(tile.rowTiles);
  const double steps = chunk.depth / chunk.depthBlocks /
                       static_cast<double>(depthUnitOf(weight));
  // The last tile of a block has no next one.
  const double others = 1 - 1 / (chunk.blockStrips * chunk.blockPanels);
  const double ofProducts =
      rows * static_cast<double>(schedule.productsOfPair());
  return others * std::min(ofVector, ofProducts) * std::min(1.0, steps / rows);
}

/// Bytes of the outputs and of the operands that are as large.
double CostModel::finishedBytes() const {
  return (outputs * resultBytes + fullOperandBytes) *
         static_cast<double>(rows) * static_cast<double>(columns);
}

/// Reading the full operands and writing the outputs, `elements` of each. A
/// normal store to memory reads the line first.
double CostModel::outputCycles(const Schedule &schedule, double elements,
                               double active) const {
  const Level level = std::max(l2Level, levelOf(finishedBytes()));
  const bool streamed = schedule.streamsOutputs();
  const double transfers = level == memoryLevel && !streamed ? 2 : 1;
  return elements * (fullOperandBytes / bandwidth(level, active) +
                     outputs * resultBytes * transfers /
                         bandwidth(streamed ? memoryLevel : level, active));
}

/// A run with parts for `active` threads. Its region has all of the engine's
/// (decision 79); an executor of the embedder's is charged the same.
double CostModel::forkJoinCycles(double active) const {
  return active > 1 ? kForkJoinCycles + kForkJoinCyclesOfThread * threads : 0;
}

double CostModel::regionMicroseconds() const {
  return forkJoinCycles(threads) / kCyclesPerMicrosecond;
}

double CostModel::productMicroseconds(const Schedule &schedule) const {
  const Partition parts = partition(schedule, rows, columns, depth);
  const Chunk chunk = largestChunk(schedule, parts);
  return chunk.slowest * chunk.rounds * overlappedCycles(schedule, chunk) /
         kCyclesPerMicrosecond;
}

double CostModel::packingMicroseconds(const Schedule &schedule) const {
  const Partition parts = partition(schedule, rows, columns, depth);
  const Chunk chunk = largestChunk(schedule, parts);
  return chunk.slowest * packings(schedule, chunk) *
         packingCycles(schedule, chunk) / kCyclesPerMicrosecond;
}

double CostModel::microseconds(const Schedule &schedule) const {
  const Partition parts = partition(schedule, rows, columns, depth);
  const Chunk chunk = largestChunk(schedule, parts);
  double chunkCycles =
      overlappedCycles(schedule, chunk) + sumsCycles(schedule, chunk);
  double afterwards = 0;
  if (schedule.depth() == Depth::sliced) {
    chunkCycles += partialStoreCycles(schedule, chunk);
    afterwards = secondPhaseCycles(schedule, chunk);
  } else {
    chunkCycles +=
        finishingCycles(schedule, chunk, chunk.strips * chunk.panels);
  }
  const double threadCycles =
      (chunk.rounds + chunk.apart) * chunkCycles +
      packings(schedule, chunk) * packingCycles(schedule, chunk);
  return (chunk.slowest * threadCycles + forkJoinCycles(chunk.threads) +
          afterwards) /
         kCyclesPerMicrosecond;
}

} // namespace lintel
