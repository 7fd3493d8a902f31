// The part of a tuning that decides whether a layer leaves some of the threads
// to others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/ThreadsChoice.h"

#include "Schedule/Partition.h"
#include "Schedule/Ranking.h"
#include "Tuning/ReadersChoice.h"
#include "Tuning/TuningRun.h"
#include "Tuning/WaitedForCpus.h"

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

Schedule onOneThread(Schedule schedule) {
  schedule.gridM = schedule.gridN = schedule.gridK = 1;
  schedule.deal = Dealing::fixed;
  return schedule;
}

/// The winner meets the fastest that takes half as many threads or fewer, and
/// has to be faster: threads that gain nothing are better left to others.
size_t TuningRun::chooseThreads(size_t winner) {
  if (!triesMore())
    return winner;
  const size_t chosen = meetFewerThreads(winner);
  return contenders[chosen].alive ? meetOneThread(chosen) : chosen;
}

size_t TuningRun::meetFewerThreads(size_t winner) {
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

/// A winner whose threads may have waited for CPUs that others use meets itself
/// on one thread: where two builds ran beside a tuning, two threads were kept
/// that took 2 to 28 times what one took, and nobody else had been timed.
size_t TuningRun::meetOneThread(size_t winner) {
  const Schedule schedule = contenders[winner].report.schedule;
  const int64_t threads = threadsTaken(schedule, options.threads);
  const double predicted =
      predictMicroseconds(schedule, problem, context.target, options.threads);
  const auto took = [&] {
    return contenders[winner].report.medianMicroseconds;
  };
  if (threads == 1 || context.target.emulatesTiles() ||
      !mayHaveWaitedForCpus(took(), predicted))
    return winner;
  const size_t chosen = meetLastRival(winner, onOneThread(schedule), kAsFast,
                                      "on more threads, which wait for CPUs");
  if (chosen != winner && contenders[chosen].alive)
    lostToOneThread = timesTheEstimate(took(), predicted, threads);
  return chosen;
}

} // namespace lintel
