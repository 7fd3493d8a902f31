// The part of a tuning that decides whether huge outputs are streamed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/StoreChoice.h"

#include "Schedule/Partition.h"
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/AffordableRows.h"
#include "Tuning/LastRival.h"
#include "Tuning/RacePlan.h"
#include "Tuning/ReadersChoice.h"
#include "Tuning/ThreadsChoice.h"

#include <algorithm>

namespace lintel {

/// Outputs this many times as large as the last-level cache: what it keeps from
/// one call to the next decides nothing.
static constexpr double kTimesCache = 4;
/// Of a huge cache, so that a race takes no minute: what it keeps decides less
/// than half of it.
static constexpr double kTimesHugeCache = 2;
/// What streaming must be predicted to save to be tried, and be found to save:
/// whoever reads the outputs next finds some of what normal stores left in the
/// caches.
static constexpr double kWorthTrying = 0.98;
static constexpr double kWorthStreaming = 0.98;

bool mayStandIn(const Schedule &other, const Schedule &winner,
                const Problem &problem, const Target &target, int threads) {
  const bool dealsFewerChunks =
      other.deal == Dealing::dynamic &&
      chunksOfCall(other, problem) < chunksOfCall(winner, problem);
  return other.deal == winner.deal &&
         threadsTaken(other, problem, threads) <=
             threadsTaken(winner, problem, threads) &&
         !dealsFewerChunks &&
         coldReadsOfWeight(other, problem, target) <=
             coldReadsOfWeight(winner, problem, target);
}

/// The winner's twin that streams, if that may pay. Where its panels are no
/// whole cache lines wide, that of the fastest that has one and may stand in.
static std::optional<Schedule> promisingTwin(const Contest &contest,
                                             size_t winner) {
  const Contenders &field = contest.contenders();
  std::vector<size_t> order = field.fastestFirst();
  const auto place = std::ranges::find(order, winner);
  std::rotate(order.begin(), place, place + 1);
  const auto predicted = [&](const Schedule &one) {
    return predictMicroseconds(one, contest.problem(), contest.target(),
                               contest.threads());
  };
  for (size_t i : order) {
    const Schedule &schedule = field.scheduleOf(i);
    if (!mayStandIn(schedule, field.scheduleOf(winner), contest.problem(),
                    contest.target(), contest.threads()))
      continue;
    if (std::optional<Schedule> twin =
            streamingTwin(schedule, contest.problem(), contest.target())) {
      const bool promises =
          predicted(*twin) <= kWorthTrying * predicted(schedule);
      return promises ? twin : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Rows, all columns wide, whose outputs do not fit the caches by far, or all
/// there are; 0 if there is no memory for them.
static int64_t rowsBeyondCaches(const Contest &contest,
                                const std::vector<Schedule> &schedules) {
  const Problem &problem = contest.problem();
  const auto all = static_cast<double>(problem.rows().typical);
  const double wanted = std::min(
      all, bytesBeyondCaches(kTimesCache, kTimesHugeCache, contest.target()) /
               static_cast<double>(outputRowBytes(problem)));
  const int64_t affordable = rowsForAll(problem, schedules, wanted / all);
  return static_cast<double>(affordable) < wanted - 1 ? 0 : affordable;
}

std::optional<LastRival> rivalThatStreams(Contest &contest, size_t winner) {
  const std::optional<Schedule> streaming = promisingTwin(contest, winner);
  if (!streaming)
    return std::nullopt;
  const int64_t rows = rowsBeyondCaches(
      contest, {contest.contenders().scheduleOf(winner), *streaming});
  if (rows == 0)
    return std::nullopt;
  return LastRival{*streaming, rows, kWorthStreaming};
}

} // namespace lintel
