// The part of a tuning that looks around the winner of the first race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/SameCode.h"
#include "Schedule/SearchSpace.h"
#include "Schedule/Strips.h"
#include "Tuning/Neighbours.h"
#include "Tuning/TuningRun.h"

#include <algorithm>
#include <set>

namespace lintel {

/// Steps from the winner of the first race to its neighbours, to theirs, and so
/// on.
static constexpr int kSteps = 4;
static constexpr double kWorthAnotherStep = 0.99;
/// Other tiles that take over the winner's way, if they are not this far
/// behind.
static constexpr size_t kOtherTiles = 4;
static constexpr double kFarBehind = 1.2;
/// Grids of more chunks that the winner is tried on; few of them need code.
static constexpr size_t kDynamicTwins = 4;
static constexpr double kShareOfNeighbours = 0.5;

/// The winner's way on the best other tiles, where that takes code that was not
/// raced: each keeps its own block sizes.
std::vector<Schedule> TuningRun::onOtherTiles(size_t winner) const {
  const Candidate &best = contenders[winner].report;
  const auto isRaced = [&](const Schedule &schedule) {
    return std::any_of(contenders.begin(), contenders.end(),
                       [&](const Contender &contender) {
                         return sameCode(contender.report.schedule, schedule);
                       });
  };
  std::vector<Schedule> schedules;
  for (size_t i : fastestFirst()) {
    const Candidate &other = contenders[i].report;
    if (schedules.size() == kOtherTiles ||
        other.medianMicroseconds > kFarBehind * best.medianMicroseconds)
      break;
    const std::optional<Schedule> moved =
        onTileOf(other.schedule, best.schedule, problem, context.target);
    if (!moved || isRaced(*moved))
      continue;
    const bool chosen =
        std::any_of(schedules.begin(), schedules.end(),
                    [&](const Schedule &s) { return sameCode(s, *moved); });
    if (!chosen)
      schedules.push_back(*moved);
  }
  return schedules;
}

/// The index of a new contender; none if it is known, or if the data of the
/// race are not enough for its slice.
std::optional<size_t> TuningRun::addContender(const Schedule &schedule) {
  Contender contender;
  contender.report.schedule = schedule;
  const bool known = std::any_of(
      contenders.begin(), contenders.end(),
      [&](const Contender &c) { return c.report.schedule == schedule; });
  const bool hasData =
      !raced.columns || partOn(raced, schedule).columns <= raced.columns->held;
  if (known || !hasData || !leavesChunksToDeal(schedule, raced.rows))
    return std::nullopt;
  contenders.push_back(std::move(contender));
  return contenders.size() - 1;
}

/// Whether so many rows leave chunks to be dealt out, if the schedule deals:
/// with no more than threads they would be equal shares.
bool TuningRun::leavesChunksToDeal(const Schedule &schedule,
                                   int64_t someRows) const {
  const Schedule raced =
      scheduleOnRows(schedule, problem, someRows, options.threads);
  const int64_t strips = cutIntoStrips(schedule.mr, someRows).count;
  return schedule.deal == Dealing::fixed ||
         std::min(raced.gridM, strips) * raced.gridN * raced.gridK >
             options.threads;
}

/// The winner on grids of more chunks.
std::vector<size_t> TuningRun::addDynamicTwins(size_t winner) {
  std::vector<size_t> added;
  for (const Schedule &twin :
       dynamicTwins(contenders[winner].report.schedule, problem, context.target,
                    options.threads)) {
    if (const std::optional<size_t> one = addContender(twin))
      added.push_back(*one);
    if (added.size() == kDynamicTwins)
      break;
  }
  return added;
}

/// All schedules that want the weight packed as it has to be, if it has to.
const std::vector<Schedule> &TuningRun::permittedSpace() {
  if (space.empty()) {
    space = enumerateSchedules(problem, context.target, options.threads);
    std::erase_if(space, [&](const Schedule &schedule) {
      return options.panel && schedule.panel() != *options.panel;
    });
  }
  return space;
}

/// New contenders near a known one, and, if that is the winner, like it on
/// other tiles, and with chunks that threads take as they get free.
std::vector<size_t> TuningRun::addNeighbours(size_t center, size_t winner) {
  std::vector<Schedule> wanted = neighboursOf(
      contenders[center].report.schedule, permittedSpace(), problem,
      context.target, options.threads, options.maxNeighbours);
  if (center == winner)
    for (const Schedule &schedule : onOtherTiles(winner))
      wanted.push_back(schedule);
  std::vector<size_t> added;
  for (const Schedule &schedule : wanted)
    if (const std::optional<size_t> one = addContender(schedule))
      added.push_back(*one);
  if (center == winner)
    for (size_t twin : addDynamicTwins(winner))
      added.push_back(twin);
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
  const bool defends = who.front() == winner;
  return raceAgain(
      arena, who,
      {.budgetMilliseconds = budget,
       .incumbent = defends ? std::optional<size_t>(0) : std::nullopt});
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
        challenge(arena, winner, addNeighbours(center, winner), budget / 2);
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

} // namespace lintel
