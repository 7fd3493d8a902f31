// The bytes that a chunk draws from each level of the memory hierarchy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/CostModel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lintel {

/// Of a cache that is ours, what is found there again: the rest holds what else
/// passes.
static constexpr double kShareOfOwnCache = 0.75;

/// Of rows packed for all of K, or in place, that tiles read again from beyond
/// L2, what waits, on top of what they draw: nothing asks for them ahead.
/// 512x4096:4096x4096 in bf16 took 10 to 12 % longer on Emerald Rapids than
/// with rows from L2, 1024x1024:1024x512 in place and in two blocks of columns
/// 14 % longer than in one.
static constexpr double kLateRows = 0.6;
/// How much faster tiles draw w that ask for it in streams, each of them a
/// page, which the hardware does not leave. 16x14336:14336x4096 residual in
/// bf16, one thread of Emerald Rapids: 7.3 ms asking 8 KiB ahead, 6.2 in eight
/// places of 4 KiB (16x32, blocks of 512), 7.0 to 7.4 in larger ones. Less than
/// that, so that other ways stay in the race.
static constexpr double kGainOfStreams = 1.03;
static constexpr double kPageBytes = 4096;
/// Slowdown for each place beyond those that a core follows, of streams. Zen 3,
/// f32, K of 4096, against four streams of packed rows (eight places): three
/// rows in four (16 places) 1.13, two in eight (24) 1.25, four in four
/// (20) 1.4, five in four (24) 1.5, four in eight (40) 1.8.
static constexpr double kPlaceNotFollowed = 0.03;

/// The innermost level that still holds data read `distance` bytes ago.
CostModel::Level CostModel::levelOf(double distance) const {
  if (distance <= kShareOfOwnCache * l1)
    return l1Level;
  if (distance <= kShareOfOwnCache * l2)
    return l2Level;
  return distance <= core.shareOfL3 * l3 ? l3Level : memoryLevel;
}

/// Where the first chunk to ask finds w. What is streamed comes from L3 at the
/// nearest, or at that rate from memory: with the limit that all cores together
/// have there, the estimate would leave half of 16 of them without work for 2
/// to 4 MiB, which takes longer.
CostModel::Level CostModel::levelOfColdWeight() const {
  const Level level = levelOf(betweenCalls);
  return streamsWeight ? std::max(l3Level, level) : level;
}

/// Where a chunk finds what another one reads as well. Chunks that read the
/// same are taken to run at about the same time, a chunk apart: the first to
/// ask draws it from afar, where it is `cold`, and the others find it in the
/// shared cache, if that holds what all of them touch meanwhile.
CostModel::Level CostModel::levelOfShared(const Chunk &chunk,
                                          Level cold) const {
  const double slices = static_cast<double>(depth) / chunk.depth;
  const double rowsAtWork = std::min(chunk.threads, chunk.gridRows);
  const double columnsAtWork =
      std::clamp(chunk.threads / chunk.gridRows, 1.0, chunk.gridColumns);
  const double touched =
      slices *
      (rowsAtWork * chunk.bytesOfRows() +
       std::min(2 * columnsAtWork, chunk.gridColumns) * chunk.bytesOfColumns());
  // No farther than where the first to ask finds it.
  return std::min(cold, std::max(l3Level, levelOf(touched)));
}

/// Bytes a cycle that one of `active` threads draws. What L1 delivers is
/// limited by the load ports, counted elsewhere.
double CostModel::bandwidth(Level level, double active) const {
  switch (level) {
  case l1Level:
    return INFINITY;
  case l2Level:
    return core.l2;
  case l3Level:
    return core.l3;
  case memoryLevel:
    break;
  }
  return std::min(core.memory, core.allMemory / active);
}

CostModel::ReuseDistances CostModel::reuseDistances(const Schedule &schedule,
                                                    const Chunk &chunk) const {
  // What is loaded with the hint does not displace the other factor.
  const double stripsPassing =
      schedule.hint == StreamHint::a ? 0 : 2 * chunk.stripBytes;
  const double panelBytes = growthOfPanels(schedule) * chunk.panelBytes;
  const double panelsPassing =
      schedule.hint == StreamHint::b ? 0 : 2 * panelBytes;
  if (schedule.tiles == LoopOrder::mn)
    return {chunk.stripBytes + panelsPassing,
            chunk.blockPanels * panelBytes + chunk.stripBytes};
  const double narrow = schedule.widensPanels() ? chunk.panelBytes : 0;
  return {chunk.blockStrips * chunk.stripBytes + panelBytes + narrow,
          panelBytes + stripsPassing};
}

/// What a chunk reads of a factor after the first time.
CostModel::Stream CostModel::repeatsOf(const Factor &factor,
                                       const Schedule &schedule,
                                       const Chunk &chunk) {
  const double other = factor.otherBlock * chunk.depthBlocks;
  Stream stream;
  stream.again = factor.bytes * (factor.otherBlocks - 1);
  stream.againDistance = other + (schedule.blocks == factor.outer
                                      ? factor.block * chunk.depthBlocks
                                      : factor.bytes);
  stream.inner = factor.bytes * (factor.otherTiles - factor.otherBlocks);
  stream.innerDistance = factor.innerDistance;
  // Where the other factor's tiles change in the outer loop, its next block
  // just goes on: each tile is read again one pass later.
  const bool goesOn = schedule.tiles != factor.outer &&
                      (schedule.blocks == factor.outer || factor.blocks == 1) &&
                      chunk.depthBlocks == 1;
  if (goesOn)
    stream.againDistance = stream.innerDistance;
  return stream;
}

/// How a chunk reads its rows of x.
CostModel::Stream CostModel::streamOfRows(const Schedule &schedule,
                                          const Chunk &chunk) const {
  const double bytes = chunk.bytesOfRows();
  Stream stream =
      repeatsOf({.bytes = bytes,
                 .block = chunk.blockStrips * chunk.stripBytes,
                 .blocks = chunk.stripBlocks,
                 .innerDistance = reuseDistances(schedule, chunk).strip,
                 .otherBlock = chunk.blockPanels * chunk.panelBytes,
                 .otherTiles = chunk.panels,
                 .otherBlocks = chunk.panelBlocks,
                 .outer = LoopOrder::mn},
                schedule, chunk);
  const double ofX = activationBytes / rowBytes(schedule);
  stream.cold = ofX * bytes / chunk.gridColumns;
  // Of a chunk on average: dealt out in a row, they find their rows packed.
  const double read = ofX * bytes * packings(schedule, chunk) / chunk.rounds;
  stream.shared = std::max(0.0, read - stream.cold);
  stream.packed = bytes - (stream.cold + stream.shared) / ofX;
  return stream;
}

/// Bytes of w that tiles draw for each that they read, the first time of a
/// block of rows; later it is nearby. What they ask for beyond the end of a
/// block of K is not what comes next where that is another panel, and nobody
/// asks for the beginning of that. 16x14336:14336x4096 residual in bf16, blocks
/// of 1024 and all of K: 7.5 to 8.1 and 7.1 ms (Emerald Rapids, one thread). On
/// vectors of Zen 5 blocks of K are no slower: with the same charge f32 was
/// tuned 3 % behind there.
double CostModel::drawnPerByte(const Schedule &schedule, const Chunk &chunk) {
  const double parts = chunk.depthBlocks * static_cast<double>(schedule.gridK);
  if (!schedule.onTiles() || parts == 1 || chunk.blockPanels == 1)
    return 1;
  return 1 +
         std::min(1.0, static_cast<double>(schedule.ahead) / chunk.panelBytes);
}

double CostModel::gainOfStreams(const Schedule &schedule, const Chunk &chunk) {
  const bool staysInPages =
      chunk.panelBytes <= static_cast<double>(schedule.streams) * kPageBytes;
  const bool gains = schedule.onTiles() && schedule.streams > 1 &&
                     passesPanelByPanel(schedule, chunk) && staysInPages;
  return gains ? kGainOfStreams : 1;
}

/// Each stream reads w in one place, and x in one for each row unless these are
/// packed.
double CostModel::slowdownOfPlaces(const Schedule &schedule,
                                   const Chunk &chunk) const {
  const auto followed = static_cast<double>(core.reading.placesFollowed);
  if (followed == 0 || schedule.onTiles() || schedule.streams == 1)
    return 1;
  const double ofStream = 1 + (schedule.packsA() ? 1 : chunk.rows);
  const double places = static_cast<double>(schedule.streams) * ofStream;
  return 1 + kPlaceNotFollowed * std::max(0.0, places - followed);
}

bool CostModel::passesPanelByPanel(const Schedule &schedule,
                                   const Chunk &chunk) {
  return schedule.tiles == LoopOrder::nm || chunk.blockPanels == 1;
}

/// How a chunk reads its columns of w.
CostModel::Stream CostModel::streamOfColumns(const Schedule &schedule,
                                             const Chunk &chunk) const {
  const double bytes = chunk.bytesOfColumns();
  Stream stream =
      repeatsOf({.bytes = bytes,
                 .block = chunk.blockPanels * chunk.panelBytes,
                 .blocks = chunk.panelBlocks,
                 .innerDistance = reuseDistances(schedule, chunk).panel,
                 .otherBlock = chunk.blockStrips * chunk.stripBytes,
                 .otherTiles = chunk.strips,
                 .otherBlocks = chunk.stripBlocks,
                 .outer = LoopOrder::nm},
                schedule, chunk);
  const double drawn = bytes * drawnPerByte(schedule, chunk);
  stream.cold = drawn / chunk.gridRows;
  stream.shared = drawn - stream.cold;
  // Written once a block, and then read by every strip.
  if (schedule.widensPanels())
    stream.inner =
        growthOfPanels(schedule) * bytes * (chunk.strips + chunk.stripBlocks);
  return stream;
}

CostModel::MemoryCycles CostModel::memoryCycles(const Schedule &schedule,
                                                const Chunk &chunk) const {
  const Stream a = streamOfRows(schedule, chunk);
  const Stream b = streamOfColumns(schedule, chunk);
  using LevelBytes = std::array<double, 4>;
  LevelBytes firstPass{}, others{};
  const Level coldColumns = levelOfColdWeight();
  firstPass[coldColumns] += b.cold * slowdownOfPlaces(schedule, chunk) /
                            gainOfStreams(schedule, chunk);
  firstPass[levelOfShared(chunk, coldColumns)] += b.shared;
  // Blocks of rows that find w in L2 draw nothing. Those that find it in L3
  // count as drawing it, also where the first of them had to go to memory.
  const Level againLevel = levelOf(b.againDistance);
  const bool drawnOnce = againLevel <= l2Level;
  (drawnOnce ? others : firstPass)[againLevel] += b.again;
  others[levelOf(a.againDistance)] += a.again;
  const double inL1 = schedule.onTiles() ? sharesInL1(schedule, chunk).a : 0;
  others[levelOf(a.innerDistance)] += a.inner * (1 - inL1);
  const double lateBytes = schedule.packsA() ? 0 : others[memoryLevel];
  others[memoryLevel] -= lateBytes;
  double lateRows = lateBytes / bandwidth(memoryLevel, chunk.threads);
  const Level packed = std::max(l2Level, levelOf(chunk.bytesOfRows()));
  if (schedule.onTiles()) {
    const auto wait = [&](Level level, double bytes) {
      if (level > l2Level)
        lateRows += kLateRows * bytes / bandwidth(level, chunk.threads);
    };
    const Level again = levelOf(a.againDistance);
    const bool countedAbove = !schedule.packsA() && again == memoryLevel;
    if (schedule.pack != PackA::block && !countedAbove)
      wait(again, a.again);
    if (schedule.pack == PackA::whole)
      wait(packed, a.packed);
  }
  const Level coldRows = levelOf(betweenCalls);
  others[coldRows] += a.cold;
  others[levelOfShared(chunk, coldRows)] += a.shared;
  others[packed] += a.packed;
  others[levelOf(b.innerDistance)] += b.inner;
  // The levels deliver side by side.
  const auto slowest = [&](const LevelBytes &bytes) {
    double cycles = 0;
    for (Level level : {l2Level, l3Level, memoryLevel})
      cycles = std::max(cycles, bytes[level] / bandwidth(level, chunk.threads));
    return cycles;
  };
  LevelBytes all = others;
  for (Level level : {l2Level, l3Level, memoryLevel})
    all[level] += firstPass[level];
  return {slowest(firstPass), drawnOnce ? 1 : chunk.stripBlocks,
          slowest(others), slowest(all), lateRows};
}

} // namespace lintel
