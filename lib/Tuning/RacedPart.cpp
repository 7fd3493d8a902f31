// What a race on a slice cannot tell about the whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/RacedPart.h"

#include "Schedule/Partition.h"
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/ColumnSlice.h"

#include <algorithm>

namespace lintel {

/// The estimate may be wrong by so much between two schedules.
static constexpr double kEstimatesError = 1.3;
/// And by so much in how one schedule grows.
static constexpr double kGrowthsError = 1.05;

/// Chunks that a thread takes of a part, if the schedule has as many.
static constexpr int64_t kChunksOfPart = 2;

Schedule scheduleOnRows(const Schedule &schedule, const Problem &problem,
                        int64_t rows, int threads) {
  Schedule raced = schedule;
  if (schedule.deal == Dealing::fixed)
    return raced;
  const int64_t all = std::max<int64_t>(1, planningRows(problem));
  const int64_t chunkRows = ceilDiv(all, schedule.gridM);
  const int64_t wanted = kChunksOfPart * std::max(1, threads);
  const int64_t fewest =
      ceilDiv(wanted, saturatingProduct({schedule.gridN, schedule.gridK}));
  raced.gridM = std::min(
      schedule.gridM,
      std::max(fewest, ceilDiv(std::max<int64_t>(1, rows), chunkRows)));
  return raced;
}

/// Whether the chunks of a part, cut into `gridOfPart`, hold a block.
static bool triesBlock(int64_t block, int64_t whole, int64_t grid, int64_t part,
                       int64_t gridOfPart) {
  const int64_t chunk = ceilDiv(std::max<int64_t>(1, whole), grid);
  const int64_t chunkOfPart = ceilDiv(std::max<int64_t>(1, part), gridOfPart);
  return std::min(block, chunk) <= chunkOfPart;
}

bool triesBlocks(const Schedule &schedule, const Problem &problem,
                 const RacedPart &part, int threads) {
  const Schedule raced = scheduleOnRows(schedule, problem, part.rows, threads);
  return triesBlock(schedule.mc, planningRows(problem), schedule.gridM,
                    part.rows, raced.gridM) &&
         triesBlock(schedule.nc, problem.n(), schedule.gridN, part.columns,
                    schedule.gridN);
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
  const Problem some = withColumns(problem.withRows(part.rows), part.columns);
  return predictGrowth(schedule, problem,
                       scheduleOnRows(schedule, problem, part.rows, threads),
                       some, target, threads);
}

double slowdownBeyondPart(double growth, double usualGrowth) {
  const double ratio = growth / usualGrowth;
  return ratio > 1 ? std::max(1.0, ratio / kGrowthsError)
                   : std::min(1.0, ratio * kGrowthsError);
}

} // namespace lintel
