// The choice of the one panel width that all buckets of a layer share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/PanelWidth.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace lintel {
namespace {

/// What a width that a race lacks loses there at least.
constexpr double kUnknownSlowdown = 1.3;

bool wasTimed(const Candidate &candidate) {
  return candidate.status != CandidateStatus::wrong &&
         candidate.status != CandidateStatus::failed &&
         candidate.medianMicroseconds > 0;
}

/// The best time of each width of one race, over the winner's. A race may find
/// its winner in pairs against a rival whose median is lower; nothing counts as
/// faster than the winner.
std::map<int64_t, double> slowdowns(const TuningResult &race) {
  const Candidate &winner = race.winner();
  std::map<int64_t, double> slowdowns{{winner.schedule.nr, 1.0}};
  if (winner.medianMicroseconds <= 0)
    return slowdowns;
  for (const Candidate &candidate : race.candidates) {
    if (!wasTimed(candidate))
      continue;
    const double slowdown =
        std::max(1.0, candidate.medianMicroseconds / winner.medianMicroseconds);
    auto [best, isFirst] =
        slowdowns.try_emplace(candidate.schedule.nr, slowdown);
    best->second = std::min(best->second, slowdown);
  }
  return slowdowns;
}

/// The slowdown at `width` in a race with these.
double slowdownAt(int64_t width, const std::map<int64_t, double> &slowdowns) {
  if (auto known = slowdowns.find(width); known != slowdowns.end())
    return known->second;
  double slowest = kUnknownSlowdown;
  for (const auto &[other, slowdown] : slowdowns)
    slowest = std::max(slowest, slowdown);
  return slowest;
}

} // namespace

std::vector<PanelWidthReport>
rankPanelWidths(const std::vector<const TuningResult *> &races) {
  std::vector<std::map<int64_t, double>> measured;
  std::set<int64_t> widths;
  for (const TuningResult *race : races) {
    measured.push_back(slowdowns(*race));
    for (const auto &[width, slowdown] : measured.back())
      widths.insert(width);
  }
  std::vector<PanelWidthReport> ranking;
  for (int64_t width : widths) {
    double logSum = 0;
    for (const auto &race : measured)
      logSum += std::log(slowdownAt(width, race));
    ranking.push_back(
        {width, std::exp(logSum / static_cast<double>(races.size()))});
  }
  std::stable_sort(ranking.begin(), ranking.end(),
                   [](const PanelWidthReport &a, const PanelWidthReport &b) {
                     return a.slowdown < b.slowdown;
                   });
  return ranking;
}

} // namespace lintel
