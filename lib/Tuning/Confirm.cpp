// The part of a tuning that meets what stands for the whole, after slices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/SameCode.h"
#include "Tuning/FirstRight.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/RacePlan.h"
#include "Tuning/TuningRun.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lintel {

/// Those that a slice shows at most this much slower than the best may be
/// faster on the whole.
static constexpr double kSliceDoubt = 1.05;
/// The same of another tile: 12x32, which passes all columns for every 60 rows,
/// was 6 % ahead of 8x48 on a slice of 512x4096:4096x4096, whose weight stays
/// in L3, and 4 % behind on the whole (f32, two threads of Zen 5).
static constexpr double kOtherTileDoubt = 1.08;
/// Blocks that are larger than the slice were not tried by it; that must be
/// outweighed.
static constexpr double kBlockDoubt = 1.04;
static constexpr size_t kFinalists = 3;
/// A run that takes no longer than this times the budget is worth comparing
/// with another at full size, even if that takes longer than the budget.
static constexpr double kWorthComparing = 1.5;
/// Share of the budget for the first runs of the finalists at full size.
static constexpr double kShareOfFirstRuns = 0.5;
/// Packing a weight so large for another panel shape takes too long.
static constexpr int64_t kCostlyWeightElements = int64_t(1) << 24;

bool TuningRun::sliceTriesBlocks(const Contender &contender) const {
  const Schedule &schedule = contender.report.schedule;
  return triesBlocks(schedule, problem, partOn(raced, schedule),
                     options.threads);
}

/// The one that promises most of those whose blocks the slice tried; null if
/// there is none.
const TuningRun::Contender *TuningRun::bestOfTriedBlocks() const {
  const Contender *best = nullptr;
  for (const Contender &contender : contenders)
    if (contender.alive && contender.onSlice > 0 &&
        sliceTriesBlocks(contender) &&
        (!best || contender.promise < best->promise))
      best = &contender;
  return best;
}

/// What contenders promise on the whole: their times on the slice, but longer
/// or shorter if the estimate sees them grow otherwise than the fastest there.
/// If the slice did not try the blocks of one, the estimate has more of a say.
void TuningRun::takePromises(size_t fastest) {
  const auto growthOf = [&](const Contender &contender) {
    const Schedule &schedule = contender.report.schedule;
    return growthFromPart(schedule, problem, partOn(raced, schedule),
                          context.target, options.threads);
  };
  const double usual = growthOf(contenders[fastest]);
  for (Contender &contender : contenders) {
    contender.onSlice = contender.report.medianMicroseconds;
    contender.promise =
        contender.onSlice * slowdownBeyondPart(growthOf(contender), usual);
  }
  const Contender *tried = bestOfTriedBlocks();
  for (Contender &contender : contenders) {
    if (contender.onSlice <= 0 || sliceTriesBlocks(contender))
      continue;
    contender.promise *= kBlockDoubt;
    if (tried)
      contender.promise = std::max(
          contender.promise,
          tried->promise * leastSlowdown(contender.report.schedule,
                                         tried->report.schedule, problem,
                                         context.target, options.threads));
  }
}

/// The most promising right ones that were not tried, best first: as many as
/// can be run at full size, at least one if there is one.
std::vector<size_t>
TuningRun::finalists(const std::vector<size_t> &tried) const {
  std::vector<size_t> who = alive();
  std::erase_if(who, [&](size_t i) {
    return contenders[i].onSlice <= 0 ||
           std::find(tried.begin(), tried.end(), i) != tried.end();
  });
  if (who.empty())
    return who;
  const auto promise = [&](size_t i) { return contenders[i].promise; };
  std::ranges::sort(who, {},
                    [&](size_t i) { return std::pair(promise(i), i); });
  const size_t first = who.front();
  const double best = promise(first);
  const std::vector<Schedule> ofFirst = {contenders[first].report.schedule};
  const int64_t columns = narrowed(problem, confirmationColumns(ofFirst)).n();
  const bool costlyToPack = columns * problem.k() > kCostlyWeightElements;
  const auto hasOtherTile = [&](size_t i) {
    return !sameTile(contenders[i].report.schedule,
                     contenders[first].report.schedule);
  };
  std::erase_if(who, [&](size_t i) {
    const double doubt = hasOtherTile(i) ? kOtherTileDoubt : kSliceDoubt;
    return promise(i) > doubt * best ||
           (costlyToPack && contenders[i].report.schedule.panel() !=
                                contenders[first].report.schedule.panel());
  });
  // Slices misjudge tiles more than blocks: another tile comes second.
  const auto otherTile = std::find_if(who.begin() + 1, who.end(), hasOtherTile);
  if (otherTile != who.end())
    std::rotate(who.begin() + 1, otherTile, otherTile + 1);
  who.resize(std::min(who.size(), kFinalists));
  who.resize(std::min(who.size(), affordableFinalists(who)));
  return who;
}

/// That many can be run at full size, most promising first.
size_t TuningRun::affordableFinalists(const std::vector<size_t> &who) const {
  const double budget = 1000 * options.budgetMilliseconds;
  const Extent extent = confirmationExtent(who);
  const double run = extent.rows > 0 ? contenders[who.front()].promise /
                                           scaleOn(extent, who.front())
                                     : 0;
  const double fewest = run <= kWorthComparing * budget ? 2 : 1;
  const double affordable = kShareOfFirstRuns * budget / std::max(run, 1.0);
  return static_cast<size_t>(
      std::clamp(affordable, fewest, static_cast<double>(kFinalists)));
}

/// About twice as many as the race had, or as show all that there is to show;
/// none: all.
std::optional<SlicedColumns>
TuningRun::confirmationColumns(const std::vector<Schedule> &schedules) const {
  if (!raced.columns)
    return std::nullopt;
  const int64_t enough =
      columnsBeyondCaches(problem, schedules, context.target, options.threads);
  return sliceColumns(schedules, problem.n(),
                      std::max(enough, 2 * raced.columns->wanted));
}

/// What stands for the whole, if time and memory allow that; no rows if not
/// even one fits.
TuningRun::Extent
TuningRun::confirmationExtent(const std::vector<size_t> &who) const {
  std::vector<Schedule> schedules;
  double longest = 0;
  for (size_t i : who) {
    schedules.push_back(contenders[i].report.schedule);
    longest = std::max(longest, contenders[i].promise);
  }
  const std::optional<SlicedColumns> columns = confirmationColumns(schedules);
  const Problem part = narrowed(problem, columns);
  const double share =
      static_cast<double>(part.n()) / static_cast<double>(problem.n());
  return {affordableRows(part, schedules, share * longest), columns};
}

/// Whether any of them runs on more than it raced on.
bool TuningRun::showsMore(const Extent &extent,
                          const std::vector<size_t> &who) const {
  return extent.rows > raced.rows || std::ranges::any_of(who, [&](size_t i) {
           const Schedule &schedule = contenders[i].report.schedule;
           return partOn(extent, schedule).columns >
                  partOn(raced, schedule).columns;
         });
}

/// All rows of a part of the problem, if a call of so many microseconds on them
/// is not too long, if they do not exceed the caches by far, and if memory
/// allows; 0 if not even one fits.
int64_t TuningRun::affordableRows(const Problem &part,
                                  const std::vector<Schedule> &schedules,
                                  double microseconds) const {
  const double quick =
      shareAtFullSize(part, schedules, options.threads, microseconds);
  return rowsForAll(part, schedules,
                    std::min(quick, shareBeyondCaches(part, context.target)));
}

/// About that share of a part's rows, on which all of the schedules run; 0 if
/// there are no such, or no memory.
int64_t TuningRun::rowsForAll(const Problem &part,
                              const std::vector<Schedule> &schedules,
                              double share) const {
  Expected<RowPlan> plan = planRows(part, schedules, share, usableMemory());
  const bool allFit =
      plan &&
      std::all_of(plan->obstacles.begin(), plan->obstacles.end(),
                  [](const std::string &obstacle) { return obstacle.empty(); });
  return allFit ? plan->rows : 0;
}

/// Verifies contenders at full size and races the right ones there, and with
/// them who was best there before, if anybody was: of another window, its time
/// says nothing now. Returns the best, or none if none is right. Fewer take
/// part where memory is short; what could not run is moved to `unable`.
Expected<std::optional<size_t>>
TuningRun::tryAtFullSize(std::vector<size_t> &who,
                         std::optional<size_t> incumbent,
                         std::vector<size_t> &unable) {
  const auto withIncumbent = [&] {
    std::vector<size_t> all = who;
    if (incumbent)
      all.insert(all.begin(), *incumbent);
    return all;
  };
  Extent extent = confirmationExtent(withIncumbent());
  if (extent.rows == 0) {
    who.resize(1);
    extent = confirmationExtent(withIncumbent());
  }
  std::vector<size_t> right = withIncumbent();
  if (extent.rows == 0 || !showsMore(extent, right))
    return Error(ErrorCode::io, "no time or memory shows more than the slice");
  const Clock::time_point start = Clock::now();
  Expected<Arena> arena = makeArena(extent, Fill::exact);
  if (!arena)
    return arena.error();
  verify(*arena, right);
  std::erase_if(right, [&](size_t i) {
    return !contenders[i].alive || !stripsAreRight(*arena, i, stripVerdicts);
  });
  const auto didNotRun = [&](size_t i) { return couldNotRun(i); };
  std::ranges::copy_if(who, std::back_inserter(unable), didNotRun);
  std::erase_if(who, didNotRun);
  verifyMilliseconds += millisecondsSince(start);
  if (right.empty())
    return std::optional<size_t>();
  return std::optional(decideAtFullSize(*arena, right, incumbent));
}

size_t TuningRun::decideAtFullSize(Arena &arena, const std::vector<size_t> &who,
                                   std::optional<size_t> incumbent) {
  const size_t first = who.front();
  const bool isDefended = incumbent == first;
  if (isDefended && who.size() == 1)
    return first; // nobody else is right
  double round = 0;
  for (size_t i : who)
    round += arena.bench->sampleMilliseconds(contenders[i].bench);
  const RaceOptions race =
      finalRace(who.size(), round, options.budgetMilliseconds);
  if (round <= race.budgetMilliseconds) {
    const std::optional<bool> onSlices = hurried;
    // Several that meet here say themselves whether anybody ran twice.
    if (who.size() > 1)
      hurried.reset();
    const size_t winner = raceIn(arena, who, race);
    if (interrupted)
      hurried = onSlices;
    return winner;
  }
  // One alone, whose run takes more than its share; several have time for one.
  Candidate &report = contenders[first].report;
  report.promised = coversPart(arena.extent);
  report.medianMicroseconds = report.minMicroseconds =
      onWhole(arena, first, arena.bench->firstTime(contenders[first].bench));
  return first;
}

/// The fastest on the slice that is right beyond it as well; the loser
/// given, which is then out, if none is or an interrupt ended the search.
size_t TuningRun::firstRightOnTheWhole(size_t loser) {
  // Nor may one win for which there is no memory: after a winner that was wrong
  // nothing does that is not verified.
  const auto isRight = [&](size_t next) {
    std::vector<size_t> who = {next}, unable;
    const Extent extent = confirmationExtent(who);
    // The race had all rows, and as many columns as a confirmation would.
    if (raced.rows >= problem.rows().typical && !showsMore(extent, who))
      return contenders[next].alive;
    Expected<std::optional<size_t>> right =
        tryAtFullSize(who, std::nullopt, unable);
    return right && right->has_value();
  };
  const std::optional<size_t> right =
      firstRight(fastestFirst(), isRight, [&] { return stopped(); });
  if (!right && contenders[loser].alive)
    exclude(contenders[loser], CandidateStatus::dropped,
            "not verified beyond its slice, where others were wrong");
  return right.value_or(loser);
}

} // namespace lintel
