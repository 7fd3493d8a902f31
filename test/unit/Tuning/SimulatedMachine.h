// Contestants of a race on a machine whose clock is simulated.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Race.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace lintel::test {

/// Contestants of known speed on a machine whose clock is simulated.
class SimulatedMachine {
public:
  explicit SimulatedMachine(std::vector<double> speeds, uint64_t seed = 1)
      : truth(std::move(speeds)), random(seed) {}

  double gaussianNoise = 0;         ///< deviation, relative
  double outlierChance = 0;         ///< of a sample that is held up
  double outlierTimes = 3;          ///< as long as it would take
  double driftPerSecond = 0;        ///< the machine slows down, relative
  double slowPhaseMilliseconds = 0; ///< every other phase runs at half speed
  double share = 1; ///< of what samples stand for: they take so much less time
  size_t stopAfter = std::numeric_limits<size_t>::max();
  std::vector<double> impressions;
  std::optional<size_t> incumbent;
  size_t leastRounds = 0;
  std::vector<size_t> order; ///< who ran, in order

  RaceResult race(double budgetMilliseconds) {
    RaceOptions options;
    options.budgetMilliseconds = budgetMilliseconds;
    options.impressions = {
        impressions,
        share * std::accumulate(impressions.begin(), impressions.end(), 0.0) /
            1000};
    options.incumbent = incumbent;
    options.leastRounds = leastRounds;
    return lintel::race(
        truth.size(), [this](size_t i) { return run(i); },
        [this] { return milliseconds; },
        [this] { return order.size() >= stopAfter; }, options);
  }
  double elapsed() const { return milliseconds; }

private:
  double run(size_t i) {
    order.push_back(i);
    double time = truth[i];
    time *= 1 + std::abs(std::normal_distribution(0.0, 1.0)(random)) *
                    gaussianNoise;
    time *= 1 + driftPerSecond * milliseconds / 1000;
    if (std::uniform_real_distribution(0.0, 1.0)(random) < outlierChance)
      time *= outlierTimes;
    if (slowPhaseMilliseconds > 0 &&
        std::fmod(milliseconds, 2 * slowPhaseMilliseconds) >=
            slowPhaseMilliseconds)
      time *= 2;
    milliseconds += share * time / 1000;
    return time;
  }

  std::vector<double> truth;
  std::mt19937_64 random;
  double milliseconds = 0;
};

} // namespace lintel::test
