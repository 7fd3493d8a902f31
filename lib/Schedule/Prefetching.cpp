// How a kernel may ask for the weight before it reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Prefetching.h"

#include "Schedule/AmxSchedules.h"
#include "Schedule/ColdWeight.h"
#include "Schedule/CoreModel.h"

namespace lintel {

/// Up to this many rows a kernel may wait for a weight that comes from memory:
/// on one core of Zen 4 64 rows of f32 took 3 to 9 % more without prefetching,
/// 512 and more as much as with it.
static constexpr int64_t kRowsOfOnePass = 64;
/// With more rows than this a core that outruns its own prefetching waits for
/// L2 rather than for memory: on Emerald Rapids 13 rows were faster with the
/// weight in L2, 33 with it in L1.
static constexpr int64_t kRowsThatWaitForMemory = 16;
/// With fewer rows one strip holds them all, or memory is all that they wait
/// for, however the panels are shared out.
static constexpr int64_t kFewestRowsThatShare = 9;
/// So far that the hardware's own prefetching, which may stop at the end of
/// each page, is not needed (decision 69). 4 KiB into L1 was slower by 0 to 6 %
/// on Zen 5 and within 2 % on Emerald Rapids.
static constexpr int64_t kBytesAhead = 8192;
/// Which the hardware's own prefetching does not leave.
static constexpr int64_t kPageBytes = 4096;

/// Of a weight that cores of this kind read faster in several places at once.
/// Beside more than a few rows of products they want to be told, too: on
/// Emerald Rapids, f32, one thread, 8x4096:4096x16384 took 15.9 ms with it and
/// 16.7 without (20.6 in one stream), 1x4096:4096x16384 19.9 and 17.7 (19.9),
/// with parts that met in the sets of L1. Asking into L1 is mostly better there
/// than either (decision 110), in one row of f32 and u8s8 a page ahead.
static std::vector<Prefetching> inStreams(int64_t rows,
                                          const StreamReading &reading) {
  constexpr int64_t kBytesAheadInStreams = 2048;
  const int64_t streams = reading.streams;
  std::vector<Prefetching> ways;
  if (rows <= reading.mostRowsUnasked)
    ways.push_back({.streams = streams});
  if (rows >= reading.fewestRowsAskedIntoL2)
    ways.push_back({.toL2 = kBytesAheadInStreams, .streams = streams});
  if (rows <= reading.mostRowsAskedIntoL1)
    ways.push_back({.toL1 = kBytesAheadInStreams, .streams = streams});
  if (rows <= reading.mostRowsAskedFarIntoL1)
    ways.push_back({.toL1 = 2 * kBytesAheadInStreams, .streams = streams});
  return ways;
}

void shareNextPanel(Schedule &schedule, int64_t strips, DType weight,
                    const Target &target) {
  if (schedule.onTiles())
    schedule.prefetch = nextPanelPrefetch(schedule, strips);
  else
    schedule.share =
        strips > 1 ? ceilDiv(linesOfTurn(schedule, weight, target), strips) : 0;
}

bool sharingSuits(const Schedule &schedule, const BlockTiles &block) {
  if (!schedule.prefetchesNextPanel())
    return true;
  if (block.panels > 1 && schedule.tiles == LoopOrder::mn)
    return false;
  if (schedule.onTiles())
    return streamsSuit(schedule, block.strips);
  return block.strips > 1 && schedule.blocks == LoopOrder::mn;
}

std::vector<Prefetching> waysToPrefetch(const Problem &problem,
                                        const Target &target, Unit unit) {
  std::vector<Prefetching> ways{{}};
  if (weightBytes(problem) <= target.l1)
    return ways;
  const int64_t rows = problem.rows().typical;
  const CoreModel core = CoreModel::of(target);
  const bool outruns = unit == Unit::vector && rows > kRowsThatWaitForMemory &&
                       core.outrunsPrefetching();
  if (outruns)
    ways.push_back({.toL1 = kBytesAhead});
  else if (rows <= kRowsOfOnePass && rows > core.rowsReadUnasked)
    ways.push_back({.toL2 = kBytesAhead});
  if (unit == Unit::vector && rows >= kFewestRowsThatShare &&
      weightBytes(problem) > target.l2)
    ways.push_back(
        {.toL1 = outruns ? kBytesAhead : 0, .nextPanel = NextPanel::shared});
  // Each a page deep, even of a panel of one vector.
  const int64_t deepest = problem.k() * bytesOf(problem.types().weight) *
                          target.lanes() / kPageBytes;
  StreamReading reading = core.reading;
  if (deepest < reading.streams)
    reading.streams = reading.streamsOfShallow;
  if (unit == Unit::vector && rows <= kTallestVectorInStreams &&
      reading.streams > 1 && reading.streams <= deepest)
    for (const Prefetching &way : inStreams(rows, reading))
      ways.push_back(way);
  return ways;
}

} // namespace lintel
