// The part of a tuning that decides how many threads read the same weight.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/ReadersChoice.h"

#include "Schedule/ColdWeight.h"
#include "Schedule/Partition.h"
#include "Tuning/LastRival.h"

#include <algorithm>

namespace lintel {

/// So much slower in a race of many a candidate may be and yet take at most
/// 1.05 times as long: ratios of two vary by some 15 % from race to race
/// (decision 119).
static constexpr double kWithinReach = 1.2;
/// So much longer pays where cores have no cache in common, which a virtual
/// machine cannot tell and which changes as it runs: 16x1024:1024x1024 in f32
/// took 195 us on a grid of 2x1 and 199 on 1x2 in some minutes of two CPUs of
/// Zen 4, and 277 and 199 in most (decision 120).
static constexpr double kWorthReadingOnce = 1.05;

int64_t readsOfWeight(const Schedule &schedule, const Problem &problem) {
  const int64_t strips =
      partition(schedule, problem.rows().typical, problem.n(), problem.k())
          .strips;
  return std::min(schedule.gridM, strips);
}

int64_t coldReadsOfWeight(const Schedule &schedule, const Problem &problem,
                          const Target &target) {
  return streamsColdWeight(problem, problem.rows().typical, target)
             ? readsOfWeight(schedule, problem)
             : 1;
}

bool mayReadLess(const TimedSchedule &candidate, const TimedSchedule &winner,
                 const Problem &problem, const Target &target, int threads) {
  return candidate.microseconds > 0 &&
         candidate.microseconds <= kWithinReach * winner.microseconds &&
         coldReadsOfWeight(candidate.schedule, problem, target) <
             coldReadsOfWeight(winner.schedule, problem, target) &&
         threadsTaken(candidate.schedule, problem, threads) <=
             threadsTaken(winner.schedule, problem, threads);
}

std::optional<LastRival> rivalThatReadsLess(Contest &contest, size_t winner) {
  if (contest.threads() == 1)
    return std::nullopt;
  const Contenders &field = contest.contenders();
  const auto timed = [&](size_t i) {
    return TimedSchedule{field.scheduleOf(i), field.timeOf(i)};
  };
  const std::vector<size_t> order = field.fastestFirst();
  const auto rival = std::ranges::find_if(order, [&](size_t i) {
    return mayReadLess(timed(i), timed(winner), contest.problem(),
                       contest.target(), contest.threads());
  });
  if (rival == order.end())
    return std::nullopt;
  return onAffordableRows(contest, winner, field.scheduleOf(*rival),
                          kWorthReadingOnce,
                          "with threads that read the same weight, which may "
                          "have no cache in common");
}

} // namespace lintel
