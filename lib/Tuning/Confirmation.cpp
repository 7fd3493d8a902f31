// The tries of a tuning at full size, one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Confirmation.h"

#include "Tuning/FirstRight.h"
#include "Tuning/FullSize.h"
#include "Tuning/Promises.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace lintel {

/// Slower than this times what it promised, and others get a chance.
static constexpr double kDisappointment = 1.04;
/// That much time is enough to find who keeps a promise, unless the best so far
/// is so much slower than what the next one promises.
static constexpr double kEnoughMilliseconds = 600;
static constexpr double kBlunder = 1.25;

namespace {
/// The tries at full size, and what came of them.
class Confirmation {
public:
  Confirmation(Contest &contest, const Extent &raced, size_t fastest)
      : contest(contest), field(contest.contenders()),
        promises(contest, raced, fastest), fullSize(contest, raced, promises),
        onSlices(contest.record().hurried) {}
  bool tryNext();
  size_t settle(size_t winner);

private:
  std::vector<size_t> nextToTry() const;
  std::optional<size_t> fastestOf(const std::vector<size_t> &who) const;
  void rescale(const std::vector<size_t> &earlier, double factor);
  size_t firstRightOnTheWhole(size_t loser);

  Contest &contest;
  Contenders &field;
  const Promises promises;
  FullSize fullSize;
  const Clock::time_point start = Clock::now();
  /// What cannot run on the whole, as on a machine short of memory, stays what
  /// it was on the slice.
  std::vector<size_t> tried, unable;
  std::map<size_t, Candidate> before; ///< they were tried
  std::optional<size_t> best;
  bool someWrong = false;               ///< all of a try that could run
  std::optional<bool> onSlices, ofBest; ///< `hurried` of those races
};
} // namespace

/// The most promising, if they may be better than the best so far.
std::vector<size_t> Confirmation::nextToTry() const {
  std::vector<size_t> seen = tried;
  seen.insert(seen.end(), unable.begin(), unable.end());
  if (contest.stopped() || seen.size() >= contest.options().maxConfirmed)
    return {};
  std::vector<size_t> who = fullSize.finalists(seen);
  if (!who.empty() && best) {
    const double sought =
        millisecondsSince(start) < kEnoughMilliseconds ? 1 : kBlunder;
    if (field.timeOf(*best) <= sought * promises[who.front()])
      return {};
  }
  return who;
}

std::optional<size_t>
Confirmation::fastestOf(const std::vector<size_t> &who) const {
  std::optional<size_t> fastest;
  for (size_t i : who)
    if (field[i].alive &&
        (!fastest || field.timeOf(i) < field.timeOf(*fastest)))
      fastest = i;
  return fastest;
}

/// Those of earlier tries keep their ratio to the best of these.
void Confirmation::rescale(const std::vector<size_t> &earlier, double factor) {
  for (size_t i : earlier)
    if (i != best) {
      field[i].report.medianMicroseconds *= factor;
      field[i].report.minMicroseconds *= factor;
    }
}

/// False once there is no more to try.
bool Confirmation::tryNext() {
  std::vector<size_t> who = nextToTry();
  if (who.empty())
    return false;
  for (size_t i : who)
    before.emplace(i, field[i].report);
  const std::vector<size_t> earlier = tried;
  const std::optional<Candidate> bestBefore =
      best ? std::optional(field[*best].report) : std::nullopt;
  contest.record().hurried = onSlices;
  Expected<std::optional<size_t>> leader = fullSize.tryOut(who, best, unable);
  if (!leader)
    return false;
  // Nobody was compared with the best, or not often enough to take its place,
  // and times of this window say nothing.
  if (best && (field.couldNotRun(*best) ||
               (contest.wasStopped() && field[*best].alive))) {
    field.putBack(*best, *bestBefore);
    for (size_t i : who)
      if (field[i].alive)
        field[i].report = before.at(i);
    return false;
  }
  tried.insert(tried.end(), who.begin(), who.end());
  if (best && !field[*best].alive) { // wrong after all
    best.reset();
    someWrong = true;
  }
  if (best)
    rescale(earlier, field.timeOf(*best) / bestBefore->medianMicroseconds);
  if (*leader && *leader != best) {
    best = *leader;
    ofBest = contest.record().hurried;
  }
  const std::optional<size_t> fastest = fastestOf(who);
  if (!fastest) {
    someWrong |= !who.empty();
    return true;
  }
  return field.timeOf(*fastest) > kDisappointment * promises[*fastest];
}

/// The fastest on the slice that is right beyond it as well; the loser
/// given, which is then out, if none is or an interrupt ended the search.
size_t Confirmation::firstRightOnTheWhole(size_t loser) {
  // Nor may one win for which there is no memory: after a winner that was wrong
  // nothing does that is not verified.
  const std::optional<size_t> right = firstRight(
      field.fastestFirst(), [&](size_t next) { return fullSize.isRight(next); },
      [&] { return contest.stopped(); });
  if (!right && field[loser].alive)
    field.exclude(loser, CandidateStatus::dropped,
                  "not verified beyond its slice, where others were wrong");
  return right.value_or(loser);
}

size_t Confirmation::settle(size_t winner) {
  contest.record().hurried = best ? ofBest : onSlices;
  if (!best && someWrong)
    // The winner of the slice may be none of those that were tried.
    return firstRightOnTheWhole(winner);
  for (size_t i : unable)
    field.putBack(i, before.at(i));
  if (!best)
    return winner;
  promises.report(field, tried);
  field.rescaleOthers(tried, field.timeOf(*best) / promises[*best],
                      field.timeOf(*best));
  return *best;
}

size_t confirm(Contest &contest, const Extent &raced, size_t winner) {
  Confirmation confirmation(contest, raced, winner);
  while (confirmation.tryNext())
    ;
  return confirmation.settle(winner);
}

} // namespace lintel
