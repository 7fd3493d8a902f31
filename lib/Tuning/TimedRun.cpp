// The part of a tuning that times: the race, and its confirmation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/SearchSpace.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/Neighbours.h"
#include "Tuning/RacePlan.h"
#include "Tuning/TuningRun.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace lintel {

/// Runs shorter than this say little when they are made once.
static constexpr double kShortMicroseconds = 200;
/// Those that a slice shows at most this much slower than the best may be
/// faster on the whole.
static constexpr double kSliceDoubt = 1.05;
static constexpr size_t kFinalists = 3;
/// Steps from the winner of the first race to its neighbours, to theirs, and so
/// on.
static constexpr int kSteps = 4;
static constexpr double kWorthAnotherStep = 0.99;
static constexpr double kShareOfNeighbours = 0.3;
/// Share of the budget for the first runs of the finalists at full size, and
/// for timing them.
static constexpr double kShareOfFirstRuns = 0.5;
static constexpr double kShareOfFinal = 0.3;
/// Packing a weight so large for another panel shape takes too long.
static constexpr int64_t kCostlyWeightElements = int64_t(1) << 24;
/// A run at full size that takes longer is cut short in rows.
static constexpr double kLongestMicroseconds = 400'000;

bool TuningRun::raceIsSliced() const {
  return rows < planningRows(problem) || columns < problem.n();
}

/// What a contender's time on its part is multiplied with to be that of the
/// whole.
double TuningRun::scaleIn(const Arena &arena, size_t who) const {
  const int64_t firstColumn =
      arena.sliced ? contenders[who].slice.firstColumn : 0;
  return static_cast<double>(planningRows(problem)) /
         static_cast<double>(arena.rows) * static_cast<double>(problem.n()) /
         static_cast<double>(problem.n() - firstColumn);
}

/// What the runs of the verification took; nothing if that says little.
std::vector<double>
TuningRun::impressions(const Arena &arena,
                       const std::vector<size_t> &who) const {
  std::vector<double> times;
  for (size_t i : who) {
    const double time = arena.bench->firstTime(contenders[i].bench);
    if (time < kShortMicroseconds)
      return {};
    times.push_back(time * scaleIn(arena, i));
  }
  return times;
}

/// Returns the winner; contenders get their times, scaled to the whole.
size_t TuningRun::raceIn(Arena &arena, const std::vector<size_t> &who,
                         double budget) {
  const Clock::time_point start = Clock::now();
  RaceOptions raceOptions;
  raceOptions.budgetMilliseconds = budget;
  raceOptions.impressions = impressions(arena, who);
  const RaceResult result = race(
      who.size(),
      [&](size_t i) {
        progress(
            static_cast<size_t>(std::min(millisecondsSince(start), budget)),
            static_cast<size_t>(budget), "timing");
        return arena.bench->time(contenders[who[i]].bench) *
               scaleIn(arena, who[i]);
      },
      [&] { return millisecondsSince(start); }, [&] { return stopped(); },
      raceOptions);
  timeMilliseconds += millisecondsSince(start);
  for (size_t i = 0; i < who.size(); ++i) {
    if (result.laps[i].samples.empty())
      continue;
    Candidate &report = contenders[who[i]].report;
    report.status =
        result.dropped[i] ? CandidateStatus::dropped : CandidateStatus::timed;
    report.medianMicroseconds = result.microseconds[i];
    report.minMicroseconds =
        std::min(result.microseconds[i], result.laps[i].minimum());
  }
  noisy |= result.noisy;
  spread = std::max(spread, result.spread);
  return who[result.winner];
}

/// The right ones, fastest first; what was never timed comes last.
std::vector<size_t> TuningRun::fastestFirst() const {
  std::vector<size_t> who = alive();
  auto rank = [&](size_t i) {
    const double median = contenders[i].report.medianMicroseconds;
    return std::tuple(median <= 0, median, i);
  };
  std::sort(who.begin(), who.end(),
            [&](size_t a, size_t b) { return rank(a) < rank(b); });
  return who;
}

/// The winner, or, where a micro-kernel of its object is wrong, the next best
/// whose are right.
size_t TuningRun::firstWithRightStrips(Arena &arena, size_t winner) {
  std::vector<std::optional<Verdict>> verdicts(kernels.size());
  while (!stripsAreRight(arena, winner, verdicts)) {
    const std::vector<size_t> others = fastestFirst();
    if (others.empty())
      break;
    winner = others.front();
  }
  return winner;
}

/// Those that were raced before keep their ratio to the one that leads `who`,
/// which knows them.
size_t TuningRun::raceAgain(Arena &arena, const std::vector<size_t> &who,
                            double budget) {
  const double before = contenders[who.front()].report.medianMicroseconds;
  const size_t winner = raceIn(arena, who, budget);
  const double now = contenders[who.front()].report.medianMicroseconds;
  if (before > 0 && now > 0)
    rescaleOthers(who, now / before,
                  contenders[winner].report.medianMicroseconds);
  return winner;
}

//===----------------------------------------------------------------------===//
// Neighbours of the winner
//===----------------------------------------------------------------------===//

/// New contenders that differ from a known one in one field, and that there is
/// data for.
std::vector<size_t> TuningRun::addNeighbours(size_t center) {
  if (space.empty())
    space = enumerateSchedules(problem, context.target, options.threads);
  std::vector<size_t> added;
  for (const Schedule &schedule :
       neighboursOf(contenders[center].report.schedule, space, problem,
                    context.target, options.threads, options.maxNeighbours)) {
    Contender neighbour;
    neighbour.report.schedule = schedule;
    neighbour.slice = lastColumns(schedule, problem.n(), wantedColumns);
    const bool known = std::any_of(
        contenders.begin(), contenders.end(), [&](const Contender &contender) {
          return contender.report.schedule == schedule;
        });
    if (known || neighbour.slice.firstColumn < problem.n() - columns)
      continue;
    added.push_back(contenders.size());
    contenders.push_back(std::move(neighbour));
  }
  return added;
}

/// Compiles and judges new contenders and races the right ones against the
/// winner; returns who wins.
size_t TuningRun::challenge(Arena &arena, size_t winner,
                            std::vector<size_t> who, double budget) {
  build(who);
  // The winner goes first: it is the reference that the others must agree
  // with, or refute.
  who.insert(who.begin(), winner);
  std::erase_if(who, [&](size_t i) { return !contenders[i].alive; });
  if (who.size() < 2)
    return winner;
  arena.bench->forgetReference();
  const Clock::time_point start = Clock::now();
  verify(arena, who);
  verifyMilliseconds += millisecondsSince(start);
  std::erase_if(who, [&](size_t i) { return !contenders[i].alive; });
  if (who.empty())
    return winner;
  return raceAgain(arena, who, budget);
}

/// Climbs from the winner of the first race to better neighbours, which the
/// estimate may have misjudged. Goes on, from the next best, where there are
/// few candidates so far.
size_t TuningRun::explore(Arena &arena, size_t winner) {
  double budget = kShareOfNeighbours * options.budgetMilliseconds;
  std::set<size_t> centers;
  size_t center = winner;
  const int steps = options.maxNeighbours > 0 && budget > 0 ? kSteps : 0;
  for (int step = 0; step < steps && !stopped(); ++step) {
    centers.insert(center);
    const size_t better =
        challenge(arena, winner, addNeighbours(center), budget / 2);
    if (!contenders[better].alive)
      return fastestFirst().empty() ? better : fastestFirst().front();
    budget /= 2;
    const bool gained =
        contenders[better].report.medianMicroseconds <
        kWorthAnotherStep * contenders[winner].report.medianMicroseconds;
    winner = better;
    if (!gained && contenders.size() >= options.maxCandidates)
      break;
    const std::vector<size_t> best = fastestFirst();
    const auto next = std::find_if(best.begin(), best.end(), [&](size_t i) {
      return !centers.contains(i);
    });
    if (next == best.end())
      break;
    center = gained ? winner : *next;
  }
  return winner;
}

//===----------------------------------------------------------------------===//
// At full size
//===----------------------------------------------------------------------===//

/// The best few on the slice: as many as can be run at full size, at least one.
std::vector<size_t> TuningRun::finalists() const {
  std::vector<size_t> who = fastestFirst();
  if (who.empty())
    return who;
  const double best = contenders[who.front()].report.medianMicroseconds;
  const double affordable = kShareOfFirstRuns * 1000 *
                            options.budgetMilliseconds / std::max(best, 1.0);
  const size_t most = std::clamp<size_t>(
      static_cast<size_t>(std::min(affordable, 1e6)), 1, kFinalists);
  const bool costlyToPack = problem.n() * problem.k() > kCostlyWeightElements;
  const PanelShape shape = contenders[who.front()].report.schedule.panel();
  if (costlyToPack)
    std::erase_if(who, [&](size_t i) {
      return contenders[i].report.schedule.panel() != shape;
    });
  size_t count = 1;
  while (count < std::min(most, who.size())) {
    const double median = contenders[who[count]].report.medianMicroseconds;
    if (median <= 0 || median > kSliceDoubt * best)
      break;
    ++count;
  }
  who.resize(count);
  return who;
}

/// All rows, if memory and time allow; 0 if not even one fits.
int64_t TuningRun::confirmationRows(const std::vector<size_t> &who) const {
  std::vector<Schedule> schedules;
  for (size_t i : who)
    schedules.push_back(contenders[i].report.schedule);
  const double longest = contenders[who.back()].report.medianMicroseconds;
  const double share =
      std::min(1.0, kLongestMicroseconds / std::max(1.0, longest));
  Expected<RowPlan> plan = planRows(problem, schedules, share, usableMemory());
  if (!plan)
    return 0;
  const bool allFit =
      std::all_of(plan->obstacles.begin(), plan->obstacles.end(),
                  [](const std::string &obstacle) { return obstacle.empty(); });
  return allFit ? plan->rows : 0;
}

/// Verifies the finalists at full size, and races them if there is a choice or
/// time for it. If all are wrong there, the next best are tried.
size_t TuningRun::confirm(size_t winner) {
  for (;;) {
    std::vector<size_t> who = finalists();
    if (who.empty() || stopped())
      return winner;
    int64_t fullRows = confirmationRows(who);
    if (fullRows == 0) {
      who.resize(1);
      fullRows = confirmationRows(who);
    }
    if (fullRows == 0 || (fullRows <= rows && columns == problem.n()))
      return winner; // the slice was all that there is memory for
    const Clock::time_point start = Clock::now();
    Expected<Arena> arena = makeArena(fullRows, std::nullopt, Fill::exact);
    if (!arena)
      return winner; // no memory after all
    verify(*arena, who);
    verifyMilliseconds += millisecondsSince(start);
    std::erase_if(who, [&](size_t i) { return !contenders[i].alive; });
    if (!who.empty())
      return decideAtFullSize(*arena, who);
  }
}

size_t TuningRun::decideAtFullSize(Arena &arena,
                                   const std::vector<size_t> &who) {
  const double budget = kShareOfFinal * options.budgetMilliseconds;
  const size_t first = who.front();
  const double firstRun =
      arena.bench->firstTime(contenders[first].bench) * scaleIn(arena, first);
  if (who.size() > 1 || firstRun <= 1000 * budget)
    return raceAgain(arena, who, budget);
  Candidate &report = contenders[first].report;
  const double onSlice = report.medianMicroseconds;
  report.medianMicroseconds = report.minMicroseconds = firstRun;
  if (onSlice > 0)
    rescaleOthers(who, firstRun / onSlice, firstRun);
  return first;
}

/// Makes times of another window or of a slice comparable with those of
/// `timed`.
void TuningRun::rescaleOthers(const std::vector<size_t> &timed, double factor,
                              double fastest) {
  for (size_t i : alive()) {
    Candidate &report = contenders[i].report;
    if (report.medianMicroseconds <= 0 ||
        std::find(timed.begin(), timed.end(), i) != timed.end())
      continue;
    report.medianMicroseconds =
        std::max(fastest, factor * report.medianMicroseconds);
    report.minMicroseconds =
        std::min(report.medianMicroseconds, factor * report.minMicroseconds);
  }
}

} // namespace lintel
