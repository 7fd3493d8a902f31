// The part of a tuning that decides whether a layer leaves some of the threads
// to others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/ThreadsChoice.h"

#include "Schedule/Partition.h"
#include "Schedule/Ranking.h"
#include "Tuning/LastRival.h"
#include "Tuning/ReadersChoice.h"
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

/// How much longer one thread must take than several were estimated at, for
/// these to have lost by waiting alone.
static constexpr double kClearlySlower = 1.5;

bool mayServeOnFewerThreads(const TimedSchedule &candidate,
                            const TimedSchedule &winner, const Problem &problem,
                            int threads) {
  return candidate.microseconds > 0 &&
         2 * threadsTaken(candidate.schedule, problem, threads) <=
             threadsTaken(winner.schedule, problem, threads) &&
         candidate.microseconds <= kWithinReach * winner.microseconds;
}

Schedule onOneThread(Schedule schedule) {
  schedule.gridM = schedule.gridN = schedule.gridK = 1;
  schedule.deal = Dealing::fixed;
  return schedule;
}

std::optional<LastRival> rivalOnFewerThreads(Contest &contest, size_t winner) {
  const Contenders &field = contest.contenders();
  const auto timed = [&](size_t i) {
    return TimedSchedule{field.scheduleOf(i), field.timeOf(i)};
  };
  const auto readsOf = [&](size_t i) {
    return coldReadsOfWeight(field.scheduleOf(i), contest.problem(),
                             contest.target());
  };
  const std::vector<size_t> order = field.fastestFirst();
  const auto rival = std::ranges::find_if(order, [&](size_t i) {
    return readsOf(i) <= readsOf(winner) &&
           mayServeOnFewerThreads(timed(i), timed(winner), contest.problem(),
                                  contest.threads());
  });
  if (rival == order.end())
    return std::nullopt;
  return onAffordableRows(contest, winner, field.scheduleOf(*rival), kAsFast,
                          "on more threads, which gain next to nothing");
}

static int64_t threadsTakenBy(const Contest &contest, size_t who) {
  return threadsTaken(contest.contenders().scheduleOf(who), contest.problem(),
                      contest.threads());
}

static double predictedFor(const Contest &contest, size_t who) {
  return predictMicroseconds(contest.contenders().scheduleOf(who),
                             contest.problem(), contest.target(),
                             contest.threads());
}

std::optional<LastRival> rivalOnOneThread(Contest &contest, size_t winner) {
  const Schedule &schedule = contest.contenders().scheduleOf(winner);
  if (threadsTakenBy(contest, winner) == 1 ||
      contest.target().emulatesTiles() ||
      !mayHaveWaitedForCpus(contest.contenders().timeOf(winner),
                            predictedFor(contest, winner)))
    return std::nullopt;
  return onAffordableRows(contest, winner, onOneThread(schedule), kAsFast,
                          "on more threads, which wait for CPUs");
}

void doubtThreadsThatWaited(Contest &contest, size_t winner) {
  if (contest.target().emulatesTiles() || threadsTakenBy(contest, winner) > 1)
    return;
  const Contenders &field = contest.contenders();
  const std::vector<size_t> order = field.fastestFirst();
  const auto fastest = std::ranges::find_if(order, [&](size_t i) {
    return field.timeOf(i) > 0 && threadsTakenBy(contest, i) > 1;
  });
  if (fastest == order.end())
    return;
  const double predicted = predictedFor(contest, *fastest),
               took = field.timeOf(*fastest);
  // Whom they would not have beaten anyhow.
  if (waitedForCpus(took, predicted) &&
      field.timeOf(winner) > kClearlySlower * predicted)
    contest.record().lostToOneThread =
        timesTheEstimate(took, predicted) + ", so that one thread won";
}

void doubtThreads(Contest &contest, size_t loser) {
  const Contenders &field = contest.contenders();
  contest.record().lostToOneThread =
      timesTheEstimate(field.timeOf(loser), predictedFor(contest, loser),
                       threadsTakenBy(contest, loser));
}

} // namespace lintel
