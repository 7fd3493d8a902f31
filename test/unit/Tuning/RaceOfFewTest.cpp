// Races of two or a few, on a simulated machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/SimulatedMachine.h"

#include <gmock/gmock.h>
#include <random>
#include <vector>

using namespace lintel;
using Machine = lintel::test::SimulatedMachine;
using ::testing::ElementsAre;

namespace {

TEST(RaceOfFew, TwoRunOftenBeforeOneLeavesWhereThatIsCheap) {
  const auto leastSamples = [](double microseconds) {
    Machine machine({microseconds, 2 * microseconds});
    const RaceResult result = machine.race(100);
    EXPECT_EQ(result.winner, 0u);
    EXPECT_TRUE(result.dropped[1]);
    return result.laps[1].samples.size();
  };
  EXPECT_EQ(leastSamples(10), 40u);
  // A fifth of the budget.
  EXPECT_EQ(leastSamples(1000), 7u);
  EXPECT_EQ(leastSamples(8000), 2u);
}

/// A machine that slows down, and a budget that ends in the middle of a round:
/// who ran in it is not held against the others by that alone.
TEST(RaceOfFew, ARoundThatIsCutShortTellsNothing) {
  const std::vector<double> slowdowns = {1, 1.5, 2, 2};
  std::vector<size_t> ran(2);
  double elapsed = 0;
  const RaceResult result = race(
      2,
      [&](size_t i) {
        elapsed += 10;
        return (i == 0 ? 10 : 10.2) * slowdowns[ran[i]++];
      },
      [&] { return elapsed; }, [] { return false; },
      {.budgetMilliseconds = 65, .timesForNoise = 1});
  EXPECT_EQ(ran[0] + ran[1], 7u);
  EXPECT_EQ(result.winner, 0u);
}

TEST(RaceOfFew, UselessOnesLeaveAtOnce) {
  size_t useless = 0;
  double elapsed = 0;
  const RaceResult result = race(
      2,
      [&](size_t i) {
        elapsed += 0.01;
        useless += i == 1;
        return i == 1 ? -1 : 10.0;
      },
      [&] { return elapsed; }, [] { return false; },
      {.budgetMilliseconds = 100});
  EXPECT_EQ(result.winner, 0u);
  EXPECT_EQ(useless, 1u);
}

TEST(RaceOfFew, TellsTwoNeighboursApart) {
  int right = 0;
  for (int run = 0; run < 400; ++run) {
    Machine machine({103, 100}, run);
    machine.gaussianNoise = 0.02;
    right += machine.race(1000).winner == 1;
  }
  EXPECT_GE(right, 380);
}

TEST(RaceOfFew, GoesOnNoLongerThanItMay) {
  for (double times : {2.0, 4.0}) {
    std::mt19937_64 random(1);
    double elapsed = 0;
    const RaceResult result = race(
        2,
        [&](size_t) {
          elapsed += 10;
          return 10'000 * std::uniform_real_distribution(1.0, 3.0)(random);
        },
        [&] { return elapsed; }, [] { return false; },
        {.budgetMilliseconds = 100, .timesForNoise = times});
    EXPECT_NEAR(elapsed, 100 * times, 10);
    EXPECT_TRUE(result.noisy);
  }
}

TEST(RaceOfFew, AlternatesTheOrderOfAFew) {
  Machine machine({10, 10, 10});
  (void)machine.race(1000);
  EXPECT_THAT(
      std::vector<size_t>(machine.order.begin(), machine.order.begin() + 6),
      ElementsAre(0, 1, 2, 2, 1, 0));
}

} // namespace
