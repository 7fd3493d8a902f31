// The part of a tuning that decides whether threads take chunks as they get
// free, and how many chunks there are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Partition.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/LastRival.h"
#include "Tuning/ReadersChoice.h"

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
static std::optional<Schedule> dealtRival(const Contest &contest, size_t winner,
                                          int64_t chunks) {
  const Contenders &field = contest.contenders();
  const Problem &problem = contest.problem();
  const Target &target = contest.target();
  const Schedule &best = field.scheduleOf(winner);
  const int64_t coldReads = coldReadsOfWeight(best, problem, target);
  const auto suits = [&](const Schedule &rival) {
    return rival.deal == Dealing::dynamic &&
           chunksOfCall(rival, problem) >= chunks &&
           coldReadsOfWeight(rival, problem, target) <= coldReads;
  };
  for (size_t i : field.fastestFirst())
    if (field.timeOf(i) > 0 && suits(field.scheduleOf(i)))
      return field.scheduleOf(i);
  for (const Schedule &twin :
       dynamicTwins(best, problem, target, contest.threads()))
    if (suits(twin))
      return twin;
  return std::nullopt;
}

std::optional<LastRival> rivalThatDeals(Contest &contest, size_t winner) {
  const Schedule &schedule = contest.contenders().scheduleOf(winner);
  const bool usesMostThreads =
      chunksOfCall(schedule, contest.problem()) > contest.threads() / 2;
  if (contest.threads() < kFewestThreads || !usesMostThreads ||
      schedule.deal == Dealing::dynamic)
    return std::nullopt;
  const std::optional<Schedule> rival = dealtRival(contest, winner, 1);
  if (!rival)
    return std::nullopt;
  return onAffordableRows(
      contest, winner, *rival, kWorthDealing,
      "in equal shares, all of which wait for a core that is slow");
}

std::optional<LastRival> rivalInMoreChunks(Contest &contest, size_t winner) {
  const Schedule &schedule = contest.contenders().scheduleOf(winner);
  const int64_t chunks = chunksOfCall(schedule, contest.problem());
  const int64_t many = kManyChunks * contest.threads();
  if (contest.threads() < kFewestThreads || schedule.deal == Dealing::fixed ||
      chunks >= many)
    return std::nullopt;
  std::optional<Schedule> rival = dealtRival(contest, winner, many);
  if (!rival)
    rival = dealtRival(contest, winner, 2 * chunks);
  if (!rival)
    return std::nullopt;
  return onAffordableRows(
      contest, winner, *rival, kWorthFinerChunks,
      "in few chunks, the last of which wait for a core that is slow");
}

} // namespace lintel
