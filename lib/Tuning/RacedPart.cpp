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

static bool triesBlock(int64_t block, int64_t whole, int64_t part,
                       int64_t grid) {
  const int64_t chunk = ceilDiv(std::max<int64_t>(1, whole), grid);
  const int64_t chunkOfPart = ceilDiv(std::max<int64_t>(1, part), grid);
  return std::min(block, chunk) <= chunkOfPart;
}

bool triesBlocks(const Schedule &schedule, const Problem &problem,
                 const RacedPart &part) {
  return triesBlock(schedule.mc, planningRows(problem), part.rows,
                    schedule.gridM) &&
         triesBlock(schedule.nc, problem.n(), part.columns, schedule.gridN);
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
  return predictGrowth(schedule, problem, some, target, threads);
}

double slowdownBeyondPart(double growth, double usualGrowth) {
  const double ratio = growth / usualGrowth;
  return ratio > 1 ? std::max(1.0, ratio / kGrowthsError)
                   : std::min(1.0, ratio * kGrowthsError);
}

} // namespace lintel
