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

/// The twin that streams, if it may pay.
std::optional<Schedule>
TuningRun::promisingTwin(const Schedule &schedule) const {
  const std::optional<Schedule> twin =
      streamingTwin(schedule, problem, context.target);
  const auto predicted = [&](const Schedule &one) {
    return predictMicroseconds(one, problem, context.target, options.threads);
  };
  if (!twin || predicted(*twin) > kWorthTrying * predicted(schedule))
    return std::nullopt;
  return twin;
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

/// Of the fastest that has one: panels may be no whole cache lines wide.
std::optional<Schedule> TuningRun::fastestTwin() const {
  for (size_t i : fastestFirst())
    if (contenders[i].report.medianMicroseconds > 0)
      if (std::optional<Schedule> twin =
              promisingTwin(contenders[i].report.schedule))
        return twin;
  return std::nullopt;
}

/// Races the winner against one that streams. That is left to the end: the
/// slices of the races before have outputs that fit the caches, where streaming
/// looks worse than it is on the whole.
size_t TuningRun::chooseStore(size_t winner) {
  const std::optional<Schedule> streaming = fastestTwin();
  if (!streaming || options.budgetMilliseconds <= 0 || stopped())
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

  const Clock::time_point start = Clock::now();
  Expected<Arena> arena = makeArena(enoughRows, std::nullopt, Fill::exact);
  if (!arena)
    return winner;
  verify(*arena, {winner, twin});
  std::vector<std::optional<Verdict>> strips(kernels.size());
  const bool twinIsRight =
      contenders[twin].alive && stripsAreRight(*arena, twin, strips);
  verifyMilliseconds += millisecondsSince(start);
  if (!contenders[winner].alive)
    return fastestFirst().empty() ? winner : fastestFirst().front();
  return twinIsRight ? cachedOrStreamed(*arena, winner, twin) : winner;
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
