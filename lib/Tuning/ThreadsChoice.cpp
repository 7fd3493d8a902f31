// The part of a tuning that decides whether a layer leaves some of the threads
// to others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/ThreadsChoice.h"

#include "Schedule/Partition.h"
#include "Tuning/ReadersChoice.h"
#include "Tuning/TuningRun.h"

#include <algorithm>

namespace lintel {

/// So much slower in a race of many a candidate may be and yet be as fast: the
/// race goes by the quicker of their samples, and it is those of many threads
/// that now and then take much longer.
static constexpr double kWithinReach = 1.3;
/// As fast is who takes at most so many times as long: no more than tunings
/// differ by.
static constexpr double kAsFast = 1.03;

int64_t threadsTaken(const Schedule &schedule, int threads) {
  return std::min<int64_t>(chunksOf(schedule), threads);
}

bool mayServeOnFewerThreads(const TimedSchedule &candidate,
                            const TimedSchedule &winner, int threads) {
  return candidate.microseconds > 0 &&
         2 * threadsTaken(candidate.schedule, threads) <=
             threadsTaken(winner.schedule, threads) &&
         candidate.microseconds <= kWithinReach * winner.microseconds;
}

/// The winner meets the fastest that takes half as many threads or fewer, and
/// has to be faster: threads that gain nothing are better left to others.
size_t TuningRun::chooseThreads(size_t winner) {
  if (!triesMore())
    return winner;
  const auto timed = [&](size_t i) {
    const Candidate &report = contenders[i].report;
    return TimedSchedule{report.schedule, report.medianMicroseconds};
  };
  const auto readsOf = [&](size_t i) {
    return coldReadsOfWeight(contenders[i].report.schedule, problem,
                             context.target);
  };
  const std::vector<size_t> order = fastestFirst();
  const auto rival = std::ranges::find_if(order, [&](size_t i) {
    return readsOf(i) <= readsOf(winner) &&
           mayServeOnFewerThreads(timed(i), timed(winner), options.threads);
  });
  if (rival == order.end())
    return winner;
  return meetLastRival(winner, contenders[*rival].report.schedule, kAsFast,
                       "on more threads, which gain next to nothing");
}

} // namespace lintel
