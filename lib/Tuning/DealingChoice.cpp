// The part of a tuning that decides whether threads take chunks as they get
// free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Partition.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/TuningRun.h"

namespace lintel {

/// So much longer, while cores run alike, pays where they do not: equal shares
/// took 1.7 to 2.6 times as long in most minutes on 16 shared cores.
static constexpr double kWorthDealing = 1.1;
/// Fewer threads seldom wait for the slowest that long.
static constexpr int kFewestThreads = 4;

/// The fastest that deals out, and if none was timed the twin that the estimate
/// likes best.
std::optional<Schedule> TuningRun::dealtRival(size_t winner) const {
  for (size_t i : fastestFirst())
    if (contenders[i].report.medianMicroseconds > 0 &&
        contenders[i].report.schedule.deal == Dealing::dynamic)
      return contenders[i].report.schedule;
  const std::vector<Schedule> twins =
      dynamicTwins(contenders[winner].report.schedule, problem, context.target,
                   options.threads);
  return twins.empty() ? std::nullopt : std::optional(twins.front());
}

/// A winner whose threads have equal shares meets a rival that deals out, and
/// has to be clearly faster: a race sees some minutes of a machine.
size_t TuningRun::chooseDealing(size_t winner) {
  const Candidate &best = contenders[winner].report;
  const bool usesMostThreads = chunksOf(best.schedule) > options.threads / 2;
  if (options.threads < kFewestThreads || !usesMostThreads ||
      best.schedule.deal == Dealing::dynamic || !triesMore())
    return winner;
  const std::optional<Schedule> rival = dealtRival(winner);
  if (!rival)
    return winner;
  const int64_t benchRows =
      affordableRows({best.schedule, *rival}, best.medianMicroseconds);
  if (benchRows == 0 || !leavesChunksToDeal(*rival, benchRows))
    return winner;
  const size_t chosen = meetRival(winner, *rival, benchRows, kWorthDealing);
  giveWay(winner, chosen,
          "in equal shares, all of which wait for a core that is slow");
  return chosen;
}

} // namespace lintel
