// What a race on a slice cannot tell about the whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/RacedPart.h"

#include "Schedule/Partition.h"
#include "Schedule/Ranking.h"
#include "Schedule/Strips.h"
#include "Tuning/ColumnSlice.h"

#include <algorithm>

namespace lintel {

/// The estimate may be wrong by so much between two schedules.
static constexpr double kEstimatesError = 1.3;
/// And by so much in how one schedule grows (decision 82).
static constexpr double kGrowthsError = 1.02;

/// Packing is a third of a call of 16 rows on 256 columns, the narrowest slice
/// (0.19 of 0.61 ms for K = 14336 on Zen 5).
static constexpr double kMostPacking = 0.5;

/// Chunks that a thread takes of a part, if the schedule has as many.
static constexpr int64_t kChunksOfPart = 2;

Schedule scheduleOnRows(const Schedule &schedule, const Problem &problem,
                        int64_t rows, int threads) {
  const int64_t all = std::max<int64_t>(1, problem.rows().typical);
  if (schedule.deal == Dealing::fixed || rows >= all)
    return schedule;
  const int64_t chunkRows = ceilDiv(all, schedule.gridM);
  const int64_t wanted = kChunksOfPart * std::max(1, threads);
  const int64_t fewest =
      ceilDiv(wanted, saturatingProduct({schedule.gridN, schedule.gridK}));
  Schedule raced = schedule;
  raced.gridM = std::min(
      schedule.gridM,
      std::max(fewest, ceilDiv(std::max<int64_t>(1, rows), chunkRows)));
  return raced;
}

bool leavesChunksToDeal(const Schedule &schedule, const Problem &problem,
                        int64_t rows, int threads) {
  const Schedule raced = scheduleOnRows(schedule, problem, rows, threads);
  const int64_t strips = cutIntoStrips(schedule.mr, rows).count;
  return schedule.deal == Dealing::fixed ||
         std::min(raced.gridM, strips) * raced.gridN * raced.gridK > threads;
}

/// Of the largest of `grid` chunks that strips, or panels, of `size` make up.
static int64_t largestChunk(int64_t total, int64_t size, int64_t grid) {
  return ceilDiv(ceilDiv(std::max<int64_t>(1, total), size), grid) * size;
}

bool triesBlocks(const Schedule &schedule, const Problem &problem,
                 const RacedPart &part, int threads) {
  const Schedule raced = scheduleOnRows(schedule, problem, part.rows, threads);
  const int64_t chunkRows =
      largestChunk(problem.rows().typical, schedule.mr, schedule.gridM);
  const int64_t chunkColumns =
      largestChunk(problem.n(), schedule.nr, schedule.gridN);
  return std::min(schedule.mc, chunkRows) <=
             largestChunk(part.rows, raced.mr, raced.gridM) &&
         std::min(schedule.nc, chunkColumns) <=
             largestChunk(part.columns, raced.nr, raced.gridN);
}

double leastSlowdown(const Schedule &schedule, const Schedule &other,
                     const Problem &problem, const Target &target,
                     int threads) {
  return predictMicroseconds(schedule, problem, target, threads) /
         predictMicroseconds(other, problem, target, threads) / kEstimatesError;
}

double growthFromPart(const Schedule &schedule, const Problem &problem,
                      const RacedPart &part, const Target &target,
                      int threads) {
  const Problem some = withColumns(*problem.withRows(part.rows), part.columns);
  return predictGrowth(schedule, problem,
                       scheduleOnRows(schedule, problem, part.rows, threads),
                       some, target, threads);
}

double packingOf(const RacedPart &part, const RacedPart &other,
                 const Schedule &schedule, const Problem &problem,
                 const Target &target, int threads) {
  const auto predicted = [&](const RacedPart &of) {
    const Problem some = withColumns(*problem.withRows(of.rows), of.columns);
    return predictPacking(scheduleOnRows(schedule, problem, of.rows, threads),
                          some, target, threads);
  };
  return predicted(part) / predicted(other);
}

double packingTold(double onSlice, double onNarrow, double share,
                   double packings) {
  // onSlice = products + packings * once
  // onNarrow = share * products + once
  const double once = (onNarrow - share * onSlice) / (1 - share * packings);
  return std::max(0.0, packings * once);
}

double timeOfWhole(double onSlice, double scale,
                   const PackingOnSlice &packing) {
  const double packed = std::min(packing.microseconds, kMostPacking * onSlice);
  return scale * (onSlice - packed) + packing.growth * packed;
}

double slowdownBeyondPart(double growth, double usualGrowth) {
  const double ratio = growth / usualGrowth;
  return ratio > 1 ? std::max(1.0, ratio / kGrowthsError)
                   : std::min(1.0, ratio * kGrowthsError);
}

} // namespace lintel
