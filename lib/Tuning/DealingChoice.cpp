// The part of a tuning that decides whether threads take chunks as they get
// free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/SearchSpace.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/RacePlan.h"
#include "Tuning/TuningRun.h"

#include <algorithm>

namespace lintel {

/// So much longer, while cores run alike, pays where they do not: equal shares
/// took 1.7 to 2.2 times as long in most minutes on 16 shared cores.
static constexpr double kWorthDealing = 1.1;
/// Fewer threads seldom wait for the slowest that long.
static constexpr int kFewestThreads = 4;

/// All rows if there is memory for them, else none.
static int64_t allRows(const Problem &problem, const Schedule &one,
                       const Schedule &other, int64_t memory) {
  Expected<RowPlan> plan = planRows(problem, {one, other}, 1, memory);
  const bool allFit =
      plan && plan->rows >= planningRows(problem) &&
      std::all_of(plan->obstacles.begin(), plan->obstacles.end(),
                  [](const std::string &obstacle) { return obstacle.empty(); });
  return allFit ? plan->rows : 0;
}

/// A winner whose threads have equal shares meets its twin of more chunks, and
/// has to be clearly faster: a race sees some minutes of a machine.
size_t TuningRun::chooseDealing(size_t winner) {
  const Schedule &schedule = contenders[winner].report.schedule;
  if (options.threads < kFewestThreads || schedule.deal == Dealing::dynamic ||
      options.maxNeighbours == 0 || options.budgetMilliseconds <= 0 ||
      stopped())
    return winner;
  const std::vector<Schedule> twins =
      dynamicTwins(schedule, problem, context.target, options.threads);
  if (twins.empty())
    return winner;
  const int64_t benchRows =
      allRows(problem, schedule, twins.front(), usableMemory());
  if (benchRows == 0)
    return winner;
  const size_t chosen =
      meetTwin(winner, twins.front(), benchRows, kWorthDealing);
  if (chosen != winner && contenders[winner].alive) {
    Candidate &equalShares = contenders[winner].report;
    equalShares.status = CandidateStatus::dropped;
    equalShares.reason = "its threads have equal shares, which gains less than "
                         "waiting for a slow core would cost";
  }
  return chosen;
}

} // namespace lintel
