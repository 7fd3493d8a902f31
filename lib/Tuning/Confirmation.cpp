// The tries of a tuning at full size, one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/TuningRun.h"

#include <algorithm>
#include <map>

namespace lintel {

/// Slower than this times what it promised, and others get a chance.
static constexpr double kDisappointment = 1.04;
static constexpr size_t kMostTried = 4;
/// That much time is enough to find who keeps a promise, unless the best so far
/// is so much slower than what the next one promises.
static constexpr double kEnoughMilliseconds = 600;
static constexpr double kBlunder = 1.25;

/// The tries at full size, and what came of them.
class TuningRun::Confirmation {
public:
  explicit Confirmation(TuningRun &run) : run(run), onSlices(run.hurried) {}
  bool tryNext();
  size_t settle(size_t winner);

private:
  std::vector<size_t> nextToTry() const;
  double fullTime(size_t i) const {
    return run.contenders[i].report.medianMicroseconds;
  }
  double promise(size_t i) const { return run.contenders[i].promise; }
  std::optional<size_t> fastestOf(const std::vector<size_t> &who) const;
  void rescale(const std::vector<size_t> &earlier, double factor);

  TuningRun &run;
  const Clock::time_point start = Clock::now();
  /// What cannot run on the whole, as on a machine short of memory, stays what
  /// it was on the slice.
  std::vector<size_t> tried, unable;
  std::map<size_t, Candidate> before; ///< they were tried
  std::optional<size_t> best;
  bool someWrong = false;               ///< all of a try that could run
  std::optional<bool> onSlices, ofBest; ///< `hurried` of those races
};

/// The most promising, if they may be better than the best so far.
std::vector<size_t> TuningRun::Confirmation::nextToTry() const {
  std::vector<size_t> seen = tried;
  seen.insert(seen.end(), unable.begin(), unable.end());
  if (run.stopped() || seen.size() >= kMostTried)
    return {};
  std::vector<size_t> who = run.finalists(seen);
  if (!who.empty() && best) {
    const double sought =
        millisecondsSince(start) < kEnoughMilliseconds ? 1 : kBlunder;
    if (fullTime(*best) <= sought * promise(who.front()))
      return {};
  }
  return who;
}

std::optional<size_t>
TuningRun::Confirmation::fastestOf(const std::vector<size_t> &who) const {
  std::optional<size_t> fastest;
  for (size_t i : who)
    if (run.contenders[i].alive &&
        (!fastest || fullTime(i) < fullTime(*fastest)))
      fastest = i;
  return fastest;
}

/// Those of earlier tries keep their ratio to the best of these.
void TuningRun::Confirmation::rescale(const std::vector<size_t> &earlier,
                                      double factor) {
  for (size_t i : earlier)
    if (i != best) {
      run.contenders[i].report.medianMicroseconds *= factor;
      run.contenders[i].report.minMicroseconds *= factor;
    }
}

/// False once there is no more to try.
bool TuningRun::Confirmation::tryNext() {
  std::vector<size_t> who = nextToTry();
  if (who.empty())
    return false;
  for (size_t i : who)
    before.emplace(i, run.contenders[i].report);
  const std::vector<size_t> earlier = tried;
  const std::optional<Candidate> bestBefore =
      best ? std::optional(run.contenders[*best].report) : std::nullopt;
  run.hurried = onSlices;
  Expected<std::optional<size_t>> leader = run.tryAtFullSize(who, best, unable);
  if (!leader)
    return false;
  tried.insert(tried.end(), who.begin(), who.end());
  if (best && run.couldNotRun(*best)) {
    // Nobody could be compared with it, and times of this window say nothing.
    run.putBack(*best, *bestBefore);
    for (const auto &[i, report] : before)
      if (run.contenders[i].alive)
        run.contenders[i].report = report;
    return false;
  }
  if (best && !run.contenders[*best].alive) { // wrong after all
    best.reset();
    someWrong = true;
  }
  if (best)
    rescale(earlier, fullTime(*best) / bestBefore->medianMicroseconds);
  if (*leader && *leader != best) {
    best = *leader;
    ofBest = run.hurried;
  }
  const std::optional<size_t> fastest = fastestOf(who);
  if (!fastest) {
    someWrong |= !who.empty();
    return true;
  }
  return fullTime(*fastest) > kDisappointment * promise(*fastest);
}

size_t TuningRun::Confirmation::settle(size_t winner) {
  run.hurried = best ? ofBest : onSlices;
  if (!best && someWrong)
    // The winner of the slice may be none of those that were tried.
    return run.firstRightOnTheWhole(winner);
  for (size_t i : unable)
    run.putBack(i, before.at(i));
  if (!best)
    return winner;
  run.reportPromises(tried);
  run.rescaleOthers(tried, fullTime(*best) / promise(*best), fullTime(*best));
  return *best;
}

/// Returns who is best on the whole. If that is slower than its time on the
/// slice promised, or wrong, the next most promising are tried, too.
size_t TuningRun::confirm(size_t winner) {
  takePromises(winner);
  Confirmation confirmation(*this);
  while (confirmation.tryNext())
    ;
  return confirmation.settle(winner);
}

/// Those that did not run at full size are reported with the doubt that kept
/// them from it.
void TuningRun::reportPromises(const std::vector<size_t> &tried) {
  for (size_t i = 0; i < contenders.size(); ++i) {
    const Contender &contender = contenders[i];
    if (contender.onSlice <= 0 ||
        std::find(tried.begin(), tried.end(), i) != tried.end())
      continue;
    const double doubt = contender.promise / contender.onSlice;
    contenders[i].report.medianMicroseconds *= doubt;
    contenders[i].report.minMicroseconds *= doubt;
  }
}

} // namespace lintel
