// The analytic estimate, and its favourite.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Ranking.h"

#include "Schedule/CostModel.h"
#include "Schedule/SearchSpace.h"

#include <limits>

namespace lintel {

double predictMicroseconds(const Schedule &schedule, const Problem &problem,
                           const Target &target, int threads) {
  return CostModel(problem, target, threads).microseconds(schedule);
}

double predictBesideHyperthread(const Schedule &schedule,
                                const Problem &problem, const Target &target,
                                int threads) {
  return CostModel::besideHyperthreads(problem, target, threads)
      .microseconds(schedule);
}

double predictPacking(const Schedule &schedule, const Problem &problem,
                      const Target &target, int threads) {
  return CostModel(problem, target, threads).packingMicroseconds(schedule);
}

double predictGrowth(const Schedule &schedule, const Problem &problem,
                     const Schedule &onPart, const Problem &part,
                     const Target &target, int threads) {
  const CostModel whole(problem, target, threads);
  const CostModel some(part, target, threads, whole);
  const double share = static_cast<double>(part.rows().typical) /
                       static_cast<double>(problem.rows().typical) *
                       static_cast<double>(part.n()) /
                       static_cast<double>(problem.n());
  return share * whole.productMicroseconds(schedule) /
         some.productMicroseconds(onPart);
}

std::optional<Schedule> bestPredictedSchedule(const Problem &problem,
                                              const Target &target, int threads,
                                              std::optional<PanelShape> panel) {
  const CostModel model(problem, target, threads);
  std::optional<Schedule> best;
  double least = std::numeric_limits<double>::infinity();
  for (const Schedule &schedule :
       enumerateSchedules(problem, target, threads)) {
    if (panel && schedule.panel() != *panel)
      continue;
    const double microseconds = model.microseconds(schedule);
    if (microseconds < least) {
      least = microseconds;
      best = schedule;
    }
  }
  return best;
}

} // namespace lintel
