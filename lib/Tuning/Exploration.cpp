// What a tuning tries around the winner of its first race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Exploration.h"

#include "Schedule/SameCode.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/Neighbours.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

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

namespace {
class Exploration {
public:
  Exploration(Contest &contest, Arena &arena)
      : contest(contest), field(contest.contenders()), arena(arena) {}
  size_t climbFrom(size_t winner);

private:
  std::vector<Schedule> onOtherTiles(size_t winner) const;
  std::optional<size_t> add(const Schedule &schedule);
  std::vector<size_t> addDynamicTwins(size_t winner);
  std::vector<size_t> addNeighbours(size_t center, size_t winner);
  bool holdsASample(double budget) const;
  size_t challenge(size_t winner, std::vector<size_t> who, double budget);

  Contest &contest;
  Contenders &field;
  Arena &arena;
};
} // namespace

static bool hasCode(const std::vector<Schedule> &schedules,
                    const Schedule &wanted) {
  return std::ranges::any_of(schedules, [&](const Schedule &schedule) {
    return sameCode(schedule, wanted);
  });
}

/// The winner's way on the best other tiles, where that takes code that was not
/// raced: each keeps its own block sizes.
std::vector<Schedule> Exploration::onOtherTiles(size_t winner) const {
  const std::vector<Schedule> raced = field.schedules();
  std::vector<Schedule> moved;
  for (size_t i : field.fastestFirst()) {
    if (moved.size() == kOtherTiles ||
        field.timeOf(i) > kFarBehind * field.timeOf(winner))
      break;
    const std::optional<Schedule> one =
        onTileOf(field.scheduleOf(i), field.scheduleOf(winner),
                 contest.problem(), contest.target());
    if (one && !hasCode(raced, *one) && !hasCode(moved, *one))
      moved.push_back(*one);
  }
  return moved;
}

/// The number of a new contender; none if it is known, or if the data of the
/// race are not enough for its slice.
std::optional<size_t> Exploration::add(const Schedule &schedule) {
  const Problem &problem = contest.problem();
  const Extent &raced = arena.extent;
  const bool hasData =
      !raced.columns ||
      partOn(raced, schedule, problem).columns <= raced.columns->held;
  if (field.find(schedule) || !hasData ||
      !leavesChunksToDeal(schedule, problem, raced.rows, contest.threads()))
    return std::nullopt;
  return field.add(schedule);
}

/// The winner on grids of more chunks.
std::vector<size_t> Exploration::addDynamicTwins(size_t winner) {
  std::vector<size_t> added;
  for (const Schedule &twin :
       dynamicTwins(field.scheduleOf(winner), contest.problem(),
                    contest.target(), contest.threads())) {
    if (const std::optional<size_t> one = add(twin))
      added.push_back(*one);
    if (added.size() == kDynamicTwins)
      break;
  }
  return added;
}

/// New contenders near a known one, and, if that is the winner, like it on
/// other tiles, and with chunks that threads take as they get free.
std::vector<size_t> Exploration::addNeighbours(size_t center, size_t winner) {
  std::vector<Schedule> wanted = neighboursOf(
      field.scheduleOf(center), contest.permittedSpace(), contest.problem(),
      contest.target(), contest.threads(), contest.options().maxNeighbours);
  if (center == winner)
    std::ranges::copy(onOtherTiles(winner), std::back_inserter(wanted));
  std::vector<size_t> added;
  for (const Schedule &schedule : wanted)
    if (const std::optional<size_t> one = add(schedule))
      added.push_back(*one);
  if (center == winner)
    std::ranges::copy(addDynamicTwins(winner), std::back_inserter(added));
  return added;
}

/// Whether newcomers could be timed in so many milliseconds: their code would
/// be compiled and judged for nothing. No more than a first run says so, which
/// anything may have held up; so the quickest one counts.
bool Exploration::holdsASample(double budget) const {
  const std::vector<size_t> known = field.alive();
  const auto isTimed = [&](size_t i) { return field.timeOf(i) > 0; };
  if (std::ranges::count_if(known, isTimed) <
      std::min<std::ptrdiff_t>(2, std::ssize(known)))
    return false;
  return std::ranges::any_of(arena.numbers, [&](const auto &entered) {
    const auto &[who, number] = entered;
    return field[who].alive &&
           arena.bench->sampleMilliseconds(number) <= budget;
  });
}

/// Compiles and judges new contenders and races the right ones against the
/// winner; returns who wins.
size_t Exploration::challenge(size_t winner, std::vector<size_t> who,
                              double budget) {
  const auto isOut = [&](size_t i) { return !field[i].alive; };
  contest.build(who);
  // The winner goes first: it is the reference that the others must agree
  // with, or refute.
  who.insert(who.begin(), winner);
  std::erase_if(who, isOut);
  if (who.size() < 2)
    return winner;
  arena.bench->forgetReference();
  const Clock::time_point start = Clock::now();
  contest.verify(arena, who);
  contest.spent().verifying += millisecondsSince(start);
  std::erase_if(who, isOut);
  if (who.empty())
    return winner;
  const bool defends = who.front() == winner;
  return contest.raceAgain(
      arena, who,
      {.budgetMilliseconds = budget,
       .incumbent = defends ? std::optional<size_t>(0) : std::nullopt});
}

size_t Exploration::climbFrom(size_t winner) {
  const TuningOptions &options = contest.options();
  double budget = kShareOfNeighbours * options.budgetMilliseconds;
  std::set<size_t> centers;
  size_t center = winner;
  const int steps = options.maxNeighbours > 0 && budget > 0 ? kSteps : 0;
  for (int step = 0;
       step < steps && holdsASample(budget / 2) && !contest.stopped(); ++step) {
    centers.insert(center);
    const size_t better =
        challenge(winner, addNeighbours(center, winner), budget / 2);
    const std::vector<size_t> best = field.fastestFirst();
    if (!field[better].alive)
      return best.empty() ? better : best.front();
    budget /= 2;
    const bool gained =
        field.timeOf(better) < kWorthAnotherStep * field.timeOf(winner);
    winner = better;
    if (!gained && field.size() >= options.maxCandidates)
      break;
    const auto next = std::ranges::find_if(
        best, [&](size_t i) { return !centers.contains(i); });
    if (next == best.end())
      break;
    center = gained ? winner : *next;
  }
  return winner;
}

size_t explore(Contest &contest, Arena &arena, size_t winner) {
  return Exploration(contest, arena).climbFrom(winner);
}

} // namespace lintel
