// A race that somebody has won before, on a simulated machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/SimulatedMachine.h"

#include <gtest/gtest.h>

using namespace lintel;
using Machine = lintel::test::SimulatedMachine;

namespace {

/// One that won before, and twenty newcomers that take `ratio` times as long.
Machine challengers(double ratio, double noise, uint64_t seed) {
  std::vector<double> speeds(21, 1000 * ratio);
  speeds[7] = 1000;
  Machine machine(speeds, seed);
  machine.incumbent = 7;
  machine.gaussianNoise = noise;
  return machine;
}

TEST(Incumbent, IsNotBeatenByLuck) {
  int kept = 0;
  for (int run = 0; run < 200; ++run) {
    Machine machine = challengers(1, 0.1, run);
    kept += machine.race(40).winner == 7;
    EXPECT_LT(machine.elapsed(), 45) << "noise has an answer";
  }
  EXPECT_GE(kept, 180);
}

TEST(Incumbent, IsBeatenByWhoIsFaster) {
  for (int run = 0; run < 50; ++run)
    EXPECT_NE(challengers(0.95, 0.01, run).race(100).winner, 7u);
}

TEST(Incumbent, IsNotBeatenByLessThanCanBeTold) {
  // Equals on a quiet machine: one is always ahead by a little.
  for (int run = 0; run < 50; ++run)
    EXPECT_EQ(challengers(1, 0.002, run).race(500).winner, 7u);
}

TEST(Incumbent, OrLeaderIsLeftWhereNewcomersAreHardlyFaster) {
  // Surely faster than the incumbent, and surely by less than matters.
  for (double ratio : {0.994, 0.995, 0.996, 0.998})
    for (int run = 0; run < 50; ++run) {
      const RaceResult result = challengers(ratio, 0.0005, run).race(2000);
      EXPECT_FALSE(result.dropped[result.winner]);
      EXPECT_GT(result.laps[result.winner].samples.size(), 1u);
    }
}

TEST(Incumbent, IsNotBeatenInARoundThatIsCutShort) {
  for (double budget : {3.0, 10.0, 22.0, 30.0})
    for (int run = 0; run < 50; ++run)
      EXPECT_EQ(challengers(1, 0.1, run).race(budget).winner, 7u) << budget;
}

TEST(Incumbent, EndsTheRaceWhereNobodyCanBeMuchFaster) {
  Machine machine = challengers(1, 0.002, 1);
  (void)machine.race(5000);
  EXPECT_LT(machine.elapsed(), 500);
}

TEST(Incumbent, RunsFirst) {
  Machine machine({10, 10, 10});
  machine.impressions = {10, 11, 12};
  machine.incumbent = 2;
  EXPECT_EQ(machine.race(100).winner, 2u);
  EXPECT_EQ(machine.order.front(), 2u);
  Machine stopped({10, 10, 10});
  stopped.incumbent = 2;
  stopped.stopAfter = 0;
  EXPECT_EQ(stopped.race(100).winner, 2u);
}

TEST(Incumbent, LosesIfUseless) {
  RaceOptions options;
  options.incumbent = 0;
  double elapsed = 0;
  const RaceResult result = race(
      2, [](size_t i) { return i == 0 ? -1.0 : 10.0; },
      [&] { return elapsed += 1; }, [] { return false; }, options);
  EXPECT_EQ(result.winner, 1u);
}

TEST(Incumbent, HasDoubtsThatAreNoNoise) {
  int noisy = 0;
  for (int run = 0; run < 50; ++run) {
    Machine machine = challengers(1, 0.06, run);
    const RaceResult result = machine.race(200);
    noisy += result.winner == 7 && result.noisy;
  }
  EXPECT_LE(noisy, 5);
}

} // namespace
