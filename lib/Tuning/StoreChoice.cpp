// The part of a tuning that decides whether huge outputs are streamed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/RacePlan.h"
#include "Tuning/TuningRun.h"

#include <algorithm>

namespace lintel {

/// Outputs this many times as large as the last-level cache: what it keeps from
/// one call to the next decides nothing.
static constexpr double kTimesCache = 4;
/// What streaming must be predicted to save to be tried, and be found to save:
/// whoever reads the outputs next finds some of what normal stores left in the
/// caches.
static constexpr double kWorthTrying = 0.98;
static constexpr double kWorthStreaming = 0.98;
static constexpr double kShareOfStoreChoice = 0.3;
/// That many both must run, whatever the budget: one long run says nothing.
static constexpr double kFewestRounds = 3;

/// The winner's twin that streams, if that may pay. Where its panels are no
/// whole cache lines wide, that of the fastest that has one.
std::optional<Schedule> TuningRun::promisingTwin(size_t winner) const {
  std::vector<size_t> order = fastestFirst();
  std::stable_partition(order.begin(), order.end(),
                        [&](size_t i) { return i == winner; });
  const auto predicted = [&](const Schedule &one) {
    return predictMicroseconds(one, problem, context.target, options.threads);
  };
  for (size_t i : order) {
    const Schedule &schedule = contenders[i].report.schedule;
    if (std::optional<Schedule> twin =
            streamingTwin(schedule, problem, context.target)) {
      const bool promises =
          predicted(*twin) <= kWorthTrying * predicted(schedule);
      return promises ? twin : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Rows, all columns wide, whose outputs do not fit the caches by far, or all
/// there are; 0 if there is no memory for them.
int64_t
TuningRun::rowsBeyondCaches(const std::vector<Schedule> &schedules) const {
  const auto all = static_cast<double>(planningRows(problem));
  const double wanted =
      std::min(all, kTimesCache * static_cast<double>(context.target.l3) /
                        static_cast<double>(outputRowBytes(problem)));
  Expected<RowPlan> plan =
      planRows(problem, schedules, wanted / all, usableMemory());
  if (!plan || static_cast<double>(plan->rows) < wanted - 1)
    return 0;
  const bool allFit =
      std::all_of(plan->obstacles.begin(), plan->obstacles.end(),
                  [](const std::string &obstacle) { return obstacle.empty(); });
  return allFit ? plan->rows : 0;
}

/// Takes the place of a kernel that turned out wrong: the fastest that the
/// arena finds right; the loser if there is none.
size_t TuningRun::firstRightIn(Arena &arena, size_t loser) {
  for (std::vector<size_t> others = fastestFirst(); !others.empty();
       others = fastestFirst()) {
    const size_t next = others.front();
    verify(arena, {next});
    std::vector<std::optional<Verdict>> strips(kernels.size());
    if (contenders[next].alive && stripsAreRight(arena, next, strips))
      return next;
  }
  return loser;
}

/// Races the winner against one that streams. That is left to the end: the
/// slices of the races before have outputs that fit the caches, where streaming
/// looks worse than it is on the whole.
size_t TuningRun::chooseStore(size_t winner) {
  if (options.maxNeighbours == 0 || options.budgetMilliseconds <= 0 ||
      stopped())
    return winner;
  const std::optional<Schedule> streaming = promisingTwin(winner);
  if (!streaming)
    return winner;
  const int64_t enoughRows =
      rowsBeyondCaches({contenders[winner].report.schedule, *streaming});
  if (enoughRows == 0)
    return winner;
  const size_t twin = contenders.size();
  contenders.emplace_back().report.schedule = *streaming;
  build({twin});
  if (!contenders[twin].alive)
    return winner;
  return meetTwin(winner, twin, enoughRows);
}

size_t TuningRun::meetTwin(size_t winner, size_t twin, int64_t enoughRows) {
  const Candidate known = contenders[winner].report;
  const Clock::time_point start = Clock::now();
  Expected<Arena> arena = makeArena(enoughRows, std::nullopt, Fill::exact);
  if (!arena)
    return winner;
  verify(*arena, {winner, twin});
  std::vector<std::optional<Verdict>> strips(kernels.size());
  const bool twinIsRight =
      contenders[twin].alive && stripsAreRight(*arena, twin, strips);
  verifyMilliseconds += millisecondsSince(start);
  if (contenders[winner].alive)
    return twinIsRight ? cachedOrStreamed(*arena, winner, twin) : winner;
  if (contenders[winner].report.status == CandidateStatus::wrong)
    return firstRightIn(*arena, winner);
  // It could not run here, as on a machine short of memory; it has run before.
  contenders[winner].report = known;
  contenders[winner].alive = true;
  return winner;
}

size_t TuningRun::cachedOrStreamed(Arena &arena, size_t cached,
                                   size_t streaming) {
  const auto firstRun = [&](size_t i) {
    return arena.bench->firstTime(contenders[i].bench) / 1000;
  };
  const double budget =
      std::max(kShareOfStoreChoice * options.budgetMilliseconds,
               kFewestRounds * (firstRun(cached) + firstRun(streaming)));
  const size_t better = raceAgain(arena, {cached, streaming}, budget);
  const double withCaches = contenders[cached].report.medianMicroseconds;
  const double without = contenders[streaming].report.medianMicroseconds;
  const bool timed = without > 0; // Ctrl-C may have been quicker
  if (better == streaming && timed && without <= kWorthStreaming * withCaches)
    return streaming;
  rescaleOthers({cached}, 1, withCaches);
  return cached;
}

} // namespace lintel
