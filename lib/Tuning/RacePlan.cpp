// What of a problem fits into a race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/RacePlan.h"

#include "Schedule/SearchSpace.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/RaceRows.h"

#include <algorithm>
#include <set>

namespace lintel {

/// A call that takes longer than this is raced on a slice of M.
static constexpr double kSliceMicroseconds = 10'000;
/// A slice is at least this high: below, reading the weight starts to dominate,
/// which it does not on all rows.
static constexpr int64_t kMinSliceRows = 96;

/// The panel widths whose packed weights fit, in the order of the schedules.
static std::set<PanelShape>
affordableWidths(const Problem &problem, const std::vector<Schedule> &schedules,
                 int64_t memory) {
  const MemoryNeed need = MemoryNeed::of(problem);
  std::set<PanelShape> widths;
  for (const Schedule &schedule : schedules) {
    const int64_t rows =
        widths.empty() ? 1 : std::min(planningRows(problem), kMinSliceRows);
    const auto packed = static_cast<int64_t>(widths.size()) + 1;
    if (!widths.contains(schedule.panel()) &&
        need.bytes(rows, packed) <= memory)
      widths.insert(schedule.panel());
  }
  return widths;
}

/// Rows that a race should take: quick to run, and in no more than a quarter of
/// the memory that the weights leave, since a slice may come out that much
/// larger.
static int64_t wantedRows(const Problem &problem, double predictedMicroseconds,
                          int64_t memoryForRows) {
  const double share =
      std::min(1.0, kSliceMicroseconds / std::max(1e-3, predictedMicroseconds));
  const auto quick =
      static_cast<int64_t>(share * static_cast<double>(planningRows(problem)));
  const int64_t affordable =
      memoryForRows / std::max<int64_t>(1, MemoryNeed::of(problem).perRow);
  return std::min(std::max(kMinSliceRows, quick),
                  std::max<int64_t>(1, affordable / 4));
}

Expected<RacePlan> planRace(const Problem &problem,
                            const std::vector<Schedule> &schedules,
                            double predictedMicroseconds, int64_t memory) {
  const MemoryNeed need = MemoryNeed::of(problem);
  const std::set<PanelShape> widths =
      affordableWidths(problem, schedules, memory);
  if (widths.empty())
    return Error(ErrorCode::io, problem.text() + ": tuning takes " +
                                    std::to_string(need.bytes(1, 1) >> 20) +
                                    " MiB, but only " +
                                    std::to_string(memory >> 20) +
                                    " MiB of memory are free");
  std::vector<Schedule> fitting;
  for (const Schedule &schedule : schedules)
    if (widths.contains(schedule.panel()))
      fitting.push_back(schedule);

  RacePlan plan;
  const int64_t weights = need.bytes(0, static_cast<int64_t>(widths.size()));
  plan.rows =
      sliceRows(problem, fitting,
                wantedRows(problem, predictedMicroseconds, memory - weights));
  for (const Schedule &schedule : schedules) {
    std::string obstacle;
    if (!widths.contains(schedule.panel()))
      obstacle = "no memory for another packed weight";
    else if (!canRunOnRows(schedule.mr, problem, plan.rows))
      obstacle = "its strips differ on a slice of " +
                 std::to_string(plan.rows) + " rows";
    plan.obstacles.push_back(std::move(obstacle));
  }
  return plan;
}

} // namespace lintel
