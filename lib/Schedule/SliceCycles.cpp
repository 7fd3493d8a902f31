// What slices of K take beside their products: sums that threads pass on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/CostModel.h"
#include "Schedule/Partition.h"

#include <algorithm>
#include <cmath>

namespace lintel {

/// What parts wait for each other between two phases, for each part: a
/// quarter of a region, as 16 threads of Emerald Rapids were 2.5 to 4 us faster
/// than with a second region (decision 135).
static constexpr double kMeetingCyclesOfPart = 150;
/// What a line takes that one core stores and another reads, either of them,
/// for each thread of the call: of 16 threads of Emerald Rapids that left 16
/// KiB each half of what these lines took, of those that left 64 KiB all; with
/// two of Zen 3 it is less than the shared cache takes (decision 135).
static constexpr double kCyclesOfPassedLine = 1.5;

/// Bytes a cycle of sums that pass from one thread to another, which adds them
/// up: by no nearer way than the shared cache, where each line changes hands.
double CostModel::partialBandwidth(const Schedule &schedule, const Chunk &chunk,
                                   double active) const {
  const auto floats =
      static_cast<double>(partialFloats(schedule, rows, columns));
  const Level level = std::max(l3Level, levelOf(floats * kSumBytes));
  return std::min(bandwidth(level, active),
                  Target::kLineBytes / (kCyclesOfPassedLine * chunk.threads));
}

/// Storing the sums of a slice.
double CostModel::partialStoreCycles(const Schedule &schedule,
                                     const Chunk &chunk) const {
  const double vectors =
      chunk.strips * chunk.panels * chunk.rows * chunk.vectors;
  return vectors + vectors * lanes * kSumBytes /
                       partialBandwidth(schedule, chunk, chunk.threads);
}

/// Adding up the slices of one thread's tiles, their epilogue, and that threads
/// meet before unless one does it all.
double CostModel::secondPhaseCycles(const Schedule &schedule,
                                    const Chunk &chunk) const {
  const double active = finishingThreads(partialFloats(schedule, rows, columns),
                                         static_cast<int64_t>(chunk.allTiles),
                                         static_cast<int32_t>(chunk.threads));
  const double tiles = std::ceil(chunk.allTiles / active);
  const double vectors =
      tiles * chunk.rows * chunk.vectors * static_cast<double>(schedule.gridK);
  const double adding =
      vectors / core.vectorLoads +
      vectors * lanes * kSumBytes / partialBandwidth(schedule, chunk, active) +
      2 * kCallCycles * tiles;
  const double meeting = active > 1 ? kMeetingCyclesOfPart * chunk.threads : 0;
  return adding + finishingCycles(schedule, chunk, tiles) + meeting;
}

} // namespace lintel
