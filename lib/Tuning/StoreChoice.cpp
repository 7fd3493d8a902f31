// The part of a tuning that decides whether huge outputs are streamed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/LastRivals.h"

#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/ReadersChoice.h"
#include "Tuning/ThreadsChoice.h"
#include "Tuning/TuningRun.h"

#include <algorithm>

namespace lintel {

/// Outputs this many times as large as the last-level cache: what it keeps from
/// one call to the next decides nothing.
static constexpr double kTimesCache = 4;
/// What streaming must be predicted to save to be tried, and be found to save:
/// whoever reads the outputs next finds some of what normal stores left in the
/// caches.
static constexpr double kWorthTrying = 0.98;
static constexpr double kWorthStreaming = 0.98;

bool mayStandIn(const Schedule &other, const Schedule &winner,
                const Problem &problem, const Target &target, int threads) {
  const bool hasFewerChunks =
      chunksOfCall(other, problem) < chunksOfCall(winner, problem);
  return other.deal == winner.deal &&
         threadsTaken(other, threads) <= threadsTaken(winner, threads) &&
         !(other.deal == Dealing::dynamic && hasFewerChunks) &&
         coldReadsOfWeight(other, problem, target) <=
             coldReadsOfWeight(winner, problem, target);
}

/// The winner's twin that streams, if that may pay. Where its panels are no
/// whole cache lines wide, that of the fastest that has one and may stand in.
std::optional<Schedule> TuningRun::promisingTwin(size_t winner) const {
  std::vector<size_t> order = fastestFirst();
  const auto place = std::ranges::find(order, winner);
  std::rotate(order.begin(), place, place + 1);
  const auto predicted = [&](const Schedule &one) {
    return predictMicroseconds(one, problem, context.target, options.threads);
  };
  for (size_t i : order) {
    const Schedule &schedule = contenders[i].report.schedule;
    if (!mayStandIn(schedule, contenders[winner].report.schedule, problem,
                    context.target, options.threads))
      continue;
    if (std::optional<Schedule> twin =
            streamingTwin(schedule, problem, context.target)) {
      const bool promises =
          predicted(*twin) <= kWorthTrying * predicted(schedule);
      return promises ? twin : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Rows, all columns wide, whose outputs do not fit the caches by far, or all
/// there are; 0 if there is no memory for them.
int64_t
TuningRun::rowsBeyondCaches(const std::vector<Schedule> &schedules) const {
  const auto all = static_cast<double>(problem.rows().typical);
  const double wanted =
      std::min(all, kTimesCache * static_cast<double>(context.target.l3) /
                        static_cast<double>(outputRowBytes(problem)));
  const int64_t affordable = rowsForAll(problem, schedules, wanted / all);
  return static_cast<double>(affordable) < wanted - 1 ? 0 : affordable;
}

/// Races the winner against one that streams. That is left to the end: the
/// slices of the races before have outputs that fit the caches, where streaming
/// looks worse than it is on the whole.
size_t TuningRun::chooseStore(size_t winner) {
  if (!triesMore())
    return winner;
  const std::optional<Schedule> streaming = promisingTwin(winner);
  if (!streaming)
    return winner;
  const int64_t enoughRows =
      rowsBeyondCaches({contenders[winner].report.schedule, *streaming});
  if (enoughRows == 0)
    return winner;
  return meetRival(winner, *streaming, enoughRows, kWorthStreaming);
}

} // namespace lintel
