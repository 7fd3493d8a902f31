// The end of a tuning: the winner meets a twin that slices cannot judge.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/TuningRun.h"

#include <algorithm>

namespace lintel {

/// Share of the budget for such a race.
static constexpr double kShareOfTwinRace = 0.3;
/// That many both must run, whatever the budget: one long run says nothing.
static constexpr double kFewestRounds = 3;

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

/// Builds the winner's twin and races both on so many rows, all columns wide.
/// Returns the twin if it takes at most `worth` times as long.
size_t TuningRun::meetTwin(size_t winner, const Schedule &schedule,
                           int64_t benchRows, double worth) {
  const auto known = std::ranges::find_if(contenders, [&](const Contender &c) {
    return c.report.schedule == schedule;
  });
  const size_t twin = known - contenders.begin();
  if (twin == contenders.size())
    contenders.emplace_back().report.schedule = schedule;
  if (contenders[twin].alive)
    build({twin});
  if (!contenders[twin].alive)
    return winner;
  const Candidate before = contenders[winner].report;
  const Clock::time_point start = Clock::now();
  Expected<Arena> arena = makeArena(benchRows, std::nullopt, Fill::exact);
  if (!arena)
    return winner;
  verify(*arena, {winner, twin});
  std::vector<std::optional<Verdict>> strips(kernels.size());
  const bool twinIsRight =
      contenders[twin].alive && stripsAreRight(*arena, twin, strips);
  verifyMilliseconds += millisecondsSince(start);
  if (contenders[winner].alive)
    return twinIsRight ? raceTwin(*arena, winner, twin, worth) : winner;
  if (contenders[winner].report.status == CandidateStatus::wrong)
    return firstRightIn(*arena, winner);
  // It could not run here, as on a machine short of memory; it has run before.
  contenders[winner].report = before;
  contenders[winner].alive = true;
  return winner;
}

size_t TuningRun::raceTwin(Arena &arena, size_t winner, size_t twin,
                           double worth) {
  const auto firstRun = [&](size_t i) {
    return arena.bench->firstTime(contenders[i].bench) / 1000;
  };
  const double budget =
      std::max(kShareOfTwinRace * options.budgetMilliseconds,
               kFewestRounds * (firstRun(winner) + firstRun(twin)));
  const size_t better = raceAgain(arena, {winner, twin}, budget);
  const double winners = contenders[winner].report.medianMicroseconds;
  const double twins = contenders[twin].report.medianMicroseconds;
  const bool timed = twins > 0; // Ctrl-C may have been quicker
  const bool mayLose = worth >= 1;
  if (timed && (mayLose || better == twin) && twins <= worth * winners)
    return twin;
  rescaleOthers({winner}, 1, winners);
  return winner;
}

} // namespace lintel
