// What stands for the whole, after a race on slices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/FullSize.h"

#include "Schedule/SameCode.h"
#include "Tuning/AffordableRows.h"
#include "Tuning/RacePlan.h"

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
static constexpr size_t kFinalists = 3;
/// A run that takes no longer than this times the budget is worth comparing
/// with another at full size, even if that takes longer than the budget.
static constexpr double kWorthComparing = 1.5;
/// Share of the budget for the first runs of the finalists at full size.
static constexpr double kShareOfFirstRuns = 0.5;
/// Packing a weight so large for another panel shape takes too long.
static constexpr int64_t kCostlyWeightElements = int64_t(1) << 24;

std::vector<size_t>
FullSize::finalists(const std::vector<size_t> &tried) const {
  std::vector<size_t> who = field.alive();
  std::erase_if(who, [&](size_t i) {
    return !promises.has(i) || std::ranges::find(tried, i) != tried.end();
  });
  if (who.empty())
    return who;
  std::ranges::sort(who, {},
                    [&](size_t i) { return std::pair(promises[i], i); });
  const Schedule &first = field.scheduleOf(who.front());
  const double best = promises[who.front()];
  const Problem &problem = contest.problem();
  const int64_t columns = narrowed(problem, columnsFor({first})).n();
  const bool costlyToPack = columns * problem.k() > kCostlyWeightElements;
  const auto hasOtherTile = [&](size_t i) {
    return !sameTile(field.scheduleOf(i), first);
  };
  std::erase_if(who, [&](size_t i) {
    const double doubt = hasOtherTile(i) ? kOtherTileDoubt : kSliceDoubt;
    return promises[i] > doubt * best ||
           (costlyToPack && field.scheduleOf(i).panel() != first.panel());
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
size_t FullSize::affordableFinalists(const std::vector<size_t> &who) const {
  const double budget = 1000 * contest.options().budgetMilliseconds;
  const Extent extent = extentFor(who);
  const size_t first = who.front();
  const double run =
      extent.rows > 0
          ? promises[first] /
                scaleOn(extent, field.scheduleOf(first), contest.problem())
          : 0;
  const double fewest = run <= kWorthComparing * budget ? 2 : 1;
  const double affordable = kShareOfFirstRuns * budget / std::max(run, 1.0);
  return static_cast<size_t>(
      std::clamp(affordable, fewest, static_cast<double>(kFinalists)));
}

/// About twice as many as the race had, or as show all that there is to show;
/// none: all.
std::optional<SlicedColumns>
FullSize::columnsFor(const std::vector<Schedule> &schedules) const {
  if (!raced.columns)
    return std::nullopt;
  const int64_t enough = columnsBeyondCaches(
      contest.problem(), schedules, contest.target(), contest.threads());
  return sliceColumns(schedules, contest.problem().n(),
                      std::max(enough, 2 * raced.columns->wanted));
}

/// What stands for the whole, if time and memory allow that; no rows if not
/// even one fits.
Extent FullSize::extentFor(const std::vector<size_t> &who) const {
  std::vector<Schedule> schedules;
  double longest = 0;
  for (size_t i : who) {
    schedules.push_back(field.scheduleOf(i));
    longest = std::max(longest, promises[i]);
  }
  const std::optional<SlicedColumns> columns = columnsFor(schedules);
  const Problem part = narrowed(contest.problem(), columns);
  const double share = static_cast<double>(part.n()) /
                       static_cast<double>(contest.problem().n());
  return {affordableRows(part, schedules, contest.target(), contest.threads(),
                         share * longest),
          columns};
}

/// Whether any of them runs on more than it raced on.
bool FullSize::showsMore(const Extent &extent,
                         const std::vector<size_t> &who) const {
  const Problem &problem = contest.problem();
  return extent.rows > raced.rows || std::ranges::any_of(who, [&](size_t i) {
           const Schedule &schedule = field.scheduleOf(i);
           return partOn(extent, schedule, problem).columns >
                  partOn(raced, schedule, problem).columns;
         });
}

Expected<std::optional<size_t>>
FullSize::tryOut(std::vector<size_t> &who, std::optional<size_t> incumbent,
                 std::vector<size_t> &unable) {
  const auto withIncumbent = [&] {
    std::vector<size_t> all = who;
    if (incumbent)
      all.insert(all.begin(), *incumbent);
    return all;
  };
  Extent extent = extentFor(withIncumbent());
  if (extent.rows == 0) {
    who.resize(1);
    extent = extentFor(withIncumbent());
  }
  if (extent.rows == 0) { // others may take less
    unable.push_back(who.front());
    who.clear();
    return std::optional<size_t>();
  }
  std::vector<size_t> right = withIncumbent();
  if (!showsMore(extent, right))
    return Error(ErrorCode::io, "no time or memory shows more than the slice");
  const Clock::time_point start = Clock::now();
  Expected<Arena> arena = contest.makeArena(extent, Fill::exact);
  if (!arena)
    return arena.error();
  contest.verify(*arena, right);
  std::erase_if(right, [&](size_t i) {
    return !field[i].alive || !contest.stripsAreRight(*arena, i);
  });
  const auto didNotRun = [&](size_t i) { return field.couldNotRun(i); };
  std::ranges::copy_if(who, std::back_inserter(unable), didNotRun);
  std::erase_if(who, didNotRun);
  contest.spent().verifying += millisecondsSince(start);
  if (right.empty())
    return std::optional<size_t>();
  return std::optional(decide(*arena, right, incumbent));
}

/// Who of those that are right there is the fastest.
size_t FullSize::decide(Arena &arena, const std::vector<size_t> &who,
                        std::optional<size_t> incumbent) {
  const size_t first = who.front();
  const bool isDefended = incumbent == first;
  if (isDefended && who.size() == 1)
    return first; // nobody else is right
  double round = 0;
  for (size_t i : who)
    round += arena.bench->sampleMilliseconds(arena.numbers.at(i));
  const RaceOptions race =
      finalRace(who.size(), round, contest.options().budgetMilliseconds);
  if (round <= race.budgetMilliseconds) {
    std::optional<bool> &hurried = contest.record().hurried;
    const std::optional<bool> onSlices = hurried;
    // Several that meet here say themselves whether anybody ran twice.
    if (who.size() > 1)
      hurried.reset();
    const size_t winner = contest.raceIn(arena, who, race);
    if (contest.wasStopped())
      hurried = onSlices;
    return winner;
  }
  // One alone, whose run takes more than its share; several have time for one.
  Candidate &report = field[first].report;
  report.promised = coversPart(arena.extent, contest.problem());
  report.medianMicroseconds = report.minMicroseconds = contest.onWhole(
      arena, first, arena.bench->firstTime(arena.numbers.at(first)));
  return first;
}

bool FullSize::isRight(size_t who) {
  std::vector<size_t> alone = {who}, unable;
  // The race had all rows, and as many columns as this would.
  if (raced.rows >= contest.problem().rows().typical &&
      !showsMore(extentFor(alone), alone))
    return field[who].alive;
  Expected<std::optional<size_t>> right = tryOut(alone, std::nullopt, unable);
  return right && right->has_value();
}

} // namespace lintel
