// What noisy samples of a race say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/RaceEstimates.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace lintel;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Rounds of contestants that all take 100, with gaussian noise.
RaceEstimates equals(size_t contestants, size_t rounds, double noise) {
  RaceEstimates estimates(contestants);
  std::mt19937_64 random(1);
  std::normal_distribution gauss(1.0, noise);
  for (size_t round = 0; round < rounds; ++round) {
    std::vector<RaceSample> samples;
    for (size_t i = 0; i < contestants; ++i)
      samples.push_back({i, 100 * gauss(random)});
    estimates.addRound(samples);
  }
  return estimates;
}

TEST(RaceEstimates, AreInfiniteBeforeTheFirstSample) {
  RaceEstimates estimates(2);
  estimates.addRound({{1, 7}});
  EXPECT_EQ(estimates.of(0), kInfinite);
  EXPECT_EQ(estimates.samplesOf(0), 0u);
  EXPECT_EQ(estimates.of(1), 7);
  EXPECT_EQ(estimates.samplesOf(1), 1u);
  EXPECT_EQ(estimates.pooledDeviation(), 0);
}

TEST(RaceEstimates, DivideOutWhatSlowsAllDown) {
  RaceEstimates estimates(3);
  estimates.addRound({{0, 10}, {1, 20}, {2, 30}});
  estimates.addRound({{0, 30}, {1, 60}, {2, 90}});
  EXPECT_NEAR(estimates.of(0), 10, 1e-9);
  EXPECT_NEAR(estimates.of(2), 30, 1e-9);
}

TEST(RaceEstimates, OneSlowSampleOfTwoMakesNobodyFast) {
  RaceEstimates estimates(2);
  estimates.addRound({{0, 10}, {1, 11}});
  estimates.addRound({{0, 20}, {1, 11}});
  EXPECT_NEAR(estimates.of(1), 11, 1e-9);
  EXPECT_NEAR(estimates.of(0), 10, 1e-9);
}

TEST(RaceEstimates, SurviveUselessSamples) {
  RaceEstimates estimates(2);
  estimates.addRound({{0, kInfinite}, {1, 11}});
  estimates.addRound({{0, kInfinite}, {1, 11}});
  EXPECT_EQ(estimates.of(0), kInfinite);
  EXPECT_NEAR(estimates.of(1), 11, 1e-9);
  EXPECT_FALSE(std::isnan(estimates.pooledDeviation()));
}

TEST(RaceEstimates, MeasureTheNoise) {
  for (double noise : {0.02, 0.1}) {
    const RaceEstimates estimates = equals(20, 50, noise);
    EXPECT_NEAR(estimates.pooledDeviation(), noise, 0.2 * noise);
    EXPECT_NEAR(estimates.deviationOf(3, 20), noise, 0.4 * noise);
  }
}

TEST(RaceEstimates, TrustFewSamplesAndFewRivalsLess) {
  EXPECT_LT(equals(20, 40, 0.1).errorBetween(0, 1, 20),
            0.6 * equals(20, 8, 0.1).errorBetween(0, 1, 20));
  const RaceEstimates estimates = equals(20, 40, 0.1);
  EXPECT_NEAR(estimates.deviationOf(0, 2),
              std::sqrt(2 * 19.0 / 20) * estimates.deviationOf(0, 20), 1e-9);
}

TEST(RaceEstimates, TakeNoMachineForSilent) {
  EXPECT_GE(equals(3, 2, 0).deviationOf(0, 3), 0.02);
  EXPECT_GE(equals(3, 20, 0).deviationOf(0, 3), 0.003);
}

} // namespace
