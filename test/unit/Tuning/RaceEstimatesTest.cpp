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
  EXPECT_NEAR(estimates.pooledDeviation(), 0, 1e-9);
}

TEST(RaceEstimates, OneSlowSampleOfTwoMakesNobodyFast) {
  RaceEstimates estimates(2);
  estimates.addRound({{0, 10}, {1, 11}});
  estimates.addRound({{0, 20}, {1, 11}});
  EXPECT_NEAR(estimates.of(1), 11, 1e-9);
  EXPECT_NEAR(estimates.of(0), 10, 1e-9);
}

TEST(RaceEstimates, ASlowFirstSampleIsNoYardstick) {
  // It is not the machine that became faster.
  RaceEstimates estimates(2);
  estimates.addRound({{0, 20}, {1, 17}});
  estimates.addRound({{0, 12}, {1, 16.8}});
  estimates.addRound({{0, 12}, {1, 16.6}});
  EXPECT_LT(estimates.of(0), 0.8 * estimates.of(1));
}

TEST(RaceEstimates, OfTwoEqualsNeitherIsSureToWin) {
  // Of two that are alike, one of 10 % scatter each sets the pace of every
  // round; that is no reason to think that it scatters less.
  const RaceEstimates estimates = equals(2, 40, 0.1);
  for (size_t i : {0, 1})
    EXPECT_NEAR(estimates.deviationOf(i), 0.1, 0.03);
  EXPECT_LT(std::abs(estimates.of(0) / estimates.of(1) - 1),
            3 * estimates.errorBetween(0, 1));
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
    EXPECT_NEAR(estimates.deviationOf(3), noise, 0.4 * noise);
  }
}

TEST(RaceEstimates, TrustFewSamplesLess) {
  EXPECT_LT(equals(20, 40, 0.1).errorBetween(0, 1),
            0.6 * equals(20, 8, 0.1).errorBetween(0, 1));
}

TEST(RaceEstimates, TakeNoMachineForSilent) {
  EXPECT_GE(equals(3, 2, 0).deviationOf(0), 0.02);
  EXPECT_GE(equals(3, 20, 0).deviationOf(0), 0.003);
}

} // namespace
