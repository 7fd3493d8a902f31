// The choice of the one panel shape that all buckets of a layer share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/PanelChoice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace lintel {
namespace {

/// What a panel that a race lacks loses there at least.
constexpr double kUnknownSlowdown = 1.3;

bool wasTimed(const Candidate &candidate) {
  return candidate.status != CandidateStatus::wrong &&
         candidate.status != CandidateStatus::failed &&
         candidate.medianMicroseconds > 0;
}

/// The best time of each panel of one race, over the winner's. A race may find
/// its winner in pairs against a rival whose median is lower; nothing counts as
/// faster than the winner.
std::map<PanelShape, double> slowdowns(const TuningResult &race) {
  const Candidate &winner = race.winner();
  std::map<PanelShape, double> slowdowns{{winner.schedule.panel(), 1.0}};
  if (winner.medianMicroseconds <= 0)
    return slowdowns;
  for (const Candidate &candidate : race.candidates) {
    if (!wasTimed(candidate))
      continue;
    const double slowdown =
        std::max(1.0, candidate.medianMicroseconds / winner.medianMicroseconds);
    auto [best, isFirst] =
        slowdowns.try_emplace(candidate.schedule.panel(), slowdown);
    best->second = std::min(best->second, slowdown);
  }
  return slowdowns;
}

/// The slowdown at `panel` in a race with these.
double slowdownAt(PanelShape panel,
                  const std::map<PanelShape, double> &slowdowns) {
  if (auto known = slowdowns.find(panel); known != slowdowns.end())
    return known->second;
  double slowest = kUnknownSlowdown;
  for (const auto &[other, slowdown] : slowdowns)
    slowest = std::max(slowest, slowdown);
  return slowest;
}

} // namespace

std::vector<PanelReport>
rankPanels(const std::vector<const TuningResult *> &races) {
  std::vector<std::map<PanelShape, double>> measured;
  std::set<PanelShape> panels;
  for (const TuningResult *race : races) {
    measured.push_back(slowdowns(*race));
    for (const auto &[panel, slowdown] : measured.back())
      panels.insert(panel);
  }
  std::vector<PanelReport> ranking;
  for (PanelShape panel : panels) {
    double logSum = 0;
    for (const auto &race : measured)
      logSum += std::log(slowdownAt(panel, race));
    ranking.push_back({panel.columns, panel.group,
                       std::exp(logSum / static_cast<double>(races.size()))});
  }
  std::ranges::sort(ranking, {}, [](const PanelReport &panel) {
    return std::tuple(panel.slowdown, panel.columns, panel.group);
  });
  return ranking;
}

} // namespace lintel
