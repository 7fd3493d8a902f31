// The part of a tuning that decides whether threads take chunks as they get
// free, and how many chunks there are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Partition.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/ReadersChoice.h"
#include "Tuning/TuningRun.h"

#include <algorithm>

namespace lintel {

/// So much longer, while cores run alike, pays where they do not: equal shares
/// took 1.7 to 2.6 times as long in most minutes on 16 shared cores.
static constexpr double kWorthDealing = 1.1;
/// The same for twice as many chunks or more. With two for each of 16 threads
/// 1x9216:9216x4096 in bf16 and 1x4096:4096x12288 in u8s8 took 1.42 and 1.35
/// times as long, in minutes with slow cores, as with eight or sixteen that
/// other tunings had chosen; with four 1x3072:3072x32064 took 1.11 times.
static constexpr double kWorthFinerChunks = 1.03;
/// So many for each thread are many.
static constexpr int64_t kManyChunks = 8;
/// Fewer threads seldom wait for the slowest that long.
static constexpr int kFewestThreads = 4;

/// The fastest that deals out so many chunks or more, and if none was timed the
/// twin that the estimate likes best. A cold weight is not to be read more
/// often for it.
std::optional<Schedule> TuningRun::dealtRival(size_t winner,
                                              int64_t chunks) const {
  const Schedule &best = contenders[winner].report.schedule;
  const int64_t coldReads = coldReadsOfWeight(best, problem, context.target);
  const auto suits = [&](const Schedule &rival) {
    return rival.deal == Dealing::dynamic &&
           chunksOfCall(rival, problem) >= chunks &&
           coldReadsOfWeight(rival, problem, context.target) <= coldReads;
  };
  for (size_t i : fastestFirst())
    if (const Candidate &rival = contenders[i].report;
        rival.medianMicroseconds > 0 && suits(rival.schedule))
      return rival.schedule;
  for (const Schedule &twin :
       dynamicTwins(best, problem, context.target, options.threads))
    if (suits(twin))
      return twin;
  return std::nullopt;
}

/// One that deals out few chunks meets one that has many, or more at least.
size_t TuningRun::chooseChunks(size_t winner) {
  const Schedule &schedule = contenders[winner].report.schedule;
  const int64_t chunks = chunksOfCall(schedule, problem);
  const int64_t many = kManyChunks * options.threads;
  if (schedule.deal == Dealing::fixed || chunks >= many)
    return winner;
  std::optional<Schedule> rival = dealtRival(winner, many);
  if (!rival)
    rival = dealtRival(winner, 2 * chunks);
  return rival ? meetLastRival(winner, *rival, kWorthFinerChunks,
                               "in few chunks, the last of which wait for a "
                               "core that is slow")
               : winner;
}

/// A winner whose threads have equal shares meets one that deals out.
size_t TuningRun::chooseDealing(size_t winner) {
  const Schedule &schedule = contenders[winner].report.schedule;
  const bool usesMostThreads = chunksOf(schedule) > options.threads / 2;
  if (options.threads < kFewestThreads || !usesMostThreads || !triesMore())
    return winner;
  if (schedule.deal == Dealing::fixed)
    if (const std::optional<Schedule> rival = dealtRival(winner, 1))
      winner = meetLastRival(
          winner, *rival, kWorthDealing,
          "in equal shares, all of which wait for a core that is slow");
  return contenders[winner].alive && triesMore() ? chooseChunks(winner)
                                                 : winner;
}

} // namespace lintel
