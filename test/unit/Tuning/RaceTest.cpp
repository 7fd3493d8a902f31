// The race, on a simulated machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/SimulatedMachine.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>
#include <random>

using namespace lintel;
using Machine = lintel::test::SimulatedMachine;
using ::testing::ElementsAre;
using ::testing::SizeIs;

namespace {

/// 48 times around a millisecond; the fastest, at a random place, leads the
/// second by `gap`.
std::vector<double> field(double gap, uint64_t seed, size_t &fastest) {
  std::mt19937_64 random(seed);
  std::vector<double> speeds(48);
  for (double &speed : speeds)
    speed = 1000 * (1 + gap) * (1 + std::exponential_distribution(4.0)(random));
  fastest = random() % speeds.size();
  speeds[fastest] = 1000;
  return speeds;
}

/// How often in `runs` races the truly fastest wins.
template <class Configure>
double winRate(int runs, double gap, double budget, Configure configure) {
  int right = 0;
  for (int run = 0; run < runs; ++run) {
    size_t fastest = 0;
    Machine machine(field(gap, run, fastest), run + 1000);
    configure(machine);
    right += machine.race(budget).winner == fastest;
  }
  return double(right) / runs;
}

TEST(Lap, SummarisesItsSamples) {
  EXPECT_EQ(Lap{}.median(), 0);
  EXPECT_EQ(Lap{}.minimum(), 0);
  EXPECT_EQ(Lap{}.spread(), 0);
  EXPECT_EQ((Lap{{3, 1}}.median()), 2);
  EXPECT_EQ((Lap{{5, 1, 3}}.median()), 3);
  EXPECT_EQ((Lap{{5, 1, 3}}.minimum()), 1);
  EXPECT_EQ((Lap{{8, 10, 12, 10, 1000}}.median()), 10);
  EXPECT_DOUBLE_EQ((Lap{{8, 10, 12, 10, 1000}}.spread()), 0.2 * 1.4826);
  EXPECT_EQ((Lap{{8, 10}}.spread()), 0);
  EXPECT_DOUBLE_EQ((Lap{{8, 10, 12}}.swing()), 0.25);
  EXPECT_EQ(Lap{}.swing(), 0);
}

TEST(Race, FindsTheFastestWithoutNoise) {
  EXPECT_EQ(winRate(200, 0.001, 2000, [](Machine &) {}), 1);
}

TEST(Race, FindsAGapLargerThanTheNoise) {
  EXPECT_GE(
      winRate(400, 0.05, 1000, [](Machine &m) { m.gaussianNoise = 0.03; }),
      0.95);
}

TEST(Race, SurvivesHeavyOutliers) {
  EXPECT_GE(winRate(400, 0.08, 2000,
                    [](Machine &m) {
                      m.gaussianNoise = 0.02;
                      m.outlierChance = 0.15;
                    }),
            0.95);
}

/// 48 samples of a millisecond are a small part of the budget.
TEST(Race, DropsNobodyForOneSampleWhereMoreAreCheap) {
  const auto heldUp = [](Machine &m) {
    m.gaussianNoise = 0.02;
    m.outlierChance = 0.1;
    m.outlierTimes = 20;
  };
  EXPECT_GE(winRate(400, 0.1, 4000, heldUp), 0.95);
}

TEST(Race, SurvivesADriftingClock) {
  EXPECT_GE(winRate(400, 0.05, 1000,
                    [](Machine &m) {
                      m.gaussianNoise = 0.02;
                      m.driftPerSecond = 0.3;
                    }),
            0.95);
}

TEST(Race, SurvivesSlowPhases) {
  EXPECT_GE(winRate(400, 0.05, 2000,
                    [](Machine &m) {
                      m.gaussianNoise = 0.01;
                      m.slowPhaseMilliseconds = 130;
                    }),
            0.95);
}

TEST(Race, TakesTheTimeThatNoiseAsksFor) {
  // With the budget alone, or twice that for the last ones, 0.92.
  EXPECT_GE(winRate(400, 0.05, 200, [](Machine &m) { m.gaussianNoise = 0.12; }),
            0.97);
}

TEST(Race, RepeatedChoosesEquallyGoodOnes) {
  // Many within a few percent of each other, as candidates are.
  for (double noise : {0.01, 0.05, 0.15}) {
    int good = 0;
    for (int run = 0; run < 400; ++run) {
      std::vector<double> speeds;
      for (int i = 0; i < 48; ++i)
        speeds.push_back(1000 + 10 * ((i * 29) % 48));
      Machine machine(speeds, run);
      machine.gaussianNoise = noise;
      machine.outlierChance = 0.05;
      good += speeds[machine.race(350).winner] <= 1030;
    }
    EXPECT_GE(good, 390) << noise;
  }
}

TEST(Race, RespectsItsBudget) {
  size_t fastest = 0;
  for (double noise : {0.0, 0.05, 0.5})
    for (double budget : {0.0, 1.0, 10.0, 60.0, 300.0, 5000.0}) {
      Machine machine(field(0.05, 7, fastest));
      machine.gaussianNoise = noise;
      const RaceResult result = machine.race(budget);
      // The sample that is running when the time is up may finish.
      EXPECT_LT(machine.elapsed(), (noise == 0 ? 1 : 4) * budget + 5) << budget;
      EXPECT_FALSE(result.interrupted);
      EXPECT_THAT(result.laps, SizeIs(48));
    }
}

TEST(Race, AnswersNoiseWithMoreRounds) {
  double quiet = 0, loud = 0;
  for (int run = 0; run < 50; ++run) {
    Machine calm({1000, 1040, 1045}, run), busy({1000, 1040, 1045}, run);
    calm.gaussianNoise = 0.005;
    busy.gaussianNoise = 0.1;
    EXPECT_FALSE(calm.race(100).noisy);
    (void)busy.race(100);
    quiet += calm.elapsed();
    loud += busy.elapsed();
  }
  EXPECT_GT(loud, 2 * quiet);
}

TEST(Race, SaysWhenNoiseHidesTheWinner) {
  int noisy = 0;
  for (int run = 0; run < 100; ++run) {
    Machine machine({1000, 1010, 1020}, run);
    machine.gaussianNoise = 1;
    const RaceResult result = machine.race(50);
    noisy += result.noisy && result.spread > 0.05;
  }
  EXPECT_GE(noisy, 95);
}

TEST(Race, SaysWhenTheWinnerWasMostlyHeldUp) {
  const std::vector<double> held = {4000, 4010, 1000, 4020, 3990, 4000};
  size_t calls = 0;
  double elapsed = 0;
  const RaceResult result = race(
      1, [&](size_t) { return held[calls++ % held.size()]; },
      [&] { return elapsed += 1; }, [] { return false; },
      {.budgetMilliseconds = 30, .impressions = {}});
  EXPECT_TRUE(result.noisy);
  EXPECT_FALSE(result.hurried);
  EXPECT_GT(result.spread, 2);
}

TEST(Race, SaysWhenNobodyRanTwice) {
  // 48 slices of 8 ms: somebody else has the CPUs.
  const RaceResult hurried =
      Machine(std::vector<double>(48, 8000)).race(/*budget=*/150);
  EXPECT_TRUE(hurried.hurried);
  EXPECT_FALSE(hurried.noisy); // nothing to tell it by
  EXPECT_FALSE(Machine(std::vector<double>(48, 8000)).race(10).hurried);
  // The first one alone took all of a small budget.
  EXPECT_TRUE(Machine(std::vector<double>(48, 12000)).race(10).hurried);
  EXPECT_FALSE(Machine(std::vector<double>(48, 1000)).race(300).hurried);
}

TEST(Race, EqualsAreNoReasonToGoOn) {
  Machine machine({1000, 1000, 1000});
  machine.gaussianNoise = 0.01;
  EXPECT_FALSE(machine.race(1000).noisy);
  EXPECT_LT(machine.elapsed(), 300);
}

TEST(Race, ReportsTheWinnerAsTheFastest) {
  for (int run = 0; run < 50; ++run) {
    size_t fastest = 0;
    Machine machine(field(0.01, run, fastest), run);
    machine.gaussianNoise = 0.1;
    machine.driftPerSecond = -0.5; // those that leave early look slow
    const RaceResult result = machine.race(300);
    for (double microseconds : result.microseconds)
      EXPECT_GE(microseconds, result.microseconds[result.winner]);
  }
}

TEST(Race, ReportsTimesOfOneWindow) {
  // The machine is twice as fast when the last ones run alone.
  Machine machine({100, 102, 104, 150, 200, 300});
  machine.driftPerSecond = -200;
  const RaceResult result = machine.race(3);
  ASSERT_EQ(result.winner, 0u);
  EXPECT_NEAR(result.microseconds[4] / result.microseconds[0], 2, 0.2);
  EXPECT_NEAR(result.microseconds[5] / result.microseconds[0], 3, 0.3);
}

TEST(Race, TrustsAnImpressionThatTheFirstRoundConfirms) {
  Machine machine({100, 140, 101, 140});
  machine.impressions = {110, 150, 105, 100}; // the last was lucky
  const RaceResult result = machine.race(1000);
  EXPECT_EQ(result.winner, 0u);
  EXPECT_THAT(result.laps[1].samples, SizeIs(1));
  EXPECT_GT(result.laps[3].samples.size(), 1u);
}

TEST(Race, DrawsTheOrderOfAFirstRoundThatMayEnd) {
  // On slices the same times of the whole take a thousandth of the budget.
  for (double share : {1.0, 0.001}) {
    Machine machine(std::vector<double>(20, 10 / share));
    machine.share = share;
    for (size_t i = 0; i < 20; ++i)
      machine.impressions.push_back((10 + i) / share);
    (void)machine.race(100);
    std::vector<size_t> byImpression(20);
    std::iota(byImpression.begin(), byImpression.end(), size_t(0));
    const std::vector<size_t> first(machine.order.begin(),
                                    machine.order.begin() + 20);
    EXPECT_NE(first, byImpression) << share;
    EXPECT_THAT(first, ::testing::UnorderedElementsAreArray(byImpression));
  }
}

TEST(Race, BeginsWithTheBestWhereTheFirstRoundMayNotEnd) {
  Machine machine({100, 140, 101, 140});
  machine.impressions = {110, 150, 105, 100};
  (void)machine.race(1);
  EXPECT_THAT(
      std::vector<size_t>(machine.order.begin(), machine.order.begin() + 4),
      ElementsAre(3, 2, 0, 1));
}

TEST(Race, AnImpressionIsNoSample) {
  Machine machine({100, 90});
  machine.impressions = {1, 1000};
  EXPECT_EQ(machine.race(1000).winner, 1u);
  const RaceResult none = machine.race(0);
  EXPECT_EQ(none.winner, 0u);
  EXPECT_EQ(none.microseconds[0], 0);
}

TEST(Race, StopsEarlyWhenThereIsNothingLeftToLearn) {
  size_t fastest = 0;
  Machine machine(field(0.2, 3, fastest));
  machine.gaussianNoise = 0.01;
  (void)machine.race(1e6);
  EXPECT_LT(machine.elapsed(), 5000);
}

TEST(Race, SamplesEveryoneBeforeAnyoneTwice) {
  size_t fastest = 0;
  Machine machine(field(0.05, 7, fastest));
  (void)machine.race(1000);
  std::vector<size_t> first(machine.order.begin(), machine.order.begin() + 48);
  std::vector<size_t> expected(48);
  std::iota(expected.begin(), expected.end(), size_t(0));
  EXPECT_EQ(first, expected);
  for (const Lap &lap : machine.race(1000).laps)
    EXPECT_FALSE(lap.samples.empty());
}

TEST(Race, DrawsTheOrderOfManyAnew) {
  const size_t many = 20;
  Machine machine(std::vector<double>(many, 10));
  (void)machine.race(1000);
  const auto round = [&](size_t i) {
    const auto first = machine.order.begin() + i * many;
    return std::vector<size_t>(first, first + many);
  };
  std::vector<size_t> second = round(1), turned = round(0);
  std::ranges::reverse(turned);
  EXPECT_NE(second, round(0));
  EXPECT_NE(second, turned);
  EXPECT_THAT(second, ::testing::UnorderedElementsAreArray(turned));
}

TEST(Race, DropsWhatIsFarBehind) {
  Machine machine({100, 100, 100, 1000, 101, 102});
  const RaceResult result = machine.race(100);
  EXPECT_TRUE(result.dropped[3]);
  EXPECT_FALSE(result.dropped[result.winner]);
  EXPECT_LT(result.laps[3].samples.size(),
            result.laps[result.winner].samples.size());
}

TEST(Race, BudgetTooShortForARoundTakesTheBestSeen) {
  Machine machine({1000, 900, 800, 1}); // the last is never reached
  const RaceResult result = machine.race(2);
  EXPECT_EQ(result.winner, 2u);
  EXPECT_TRUE(result.dropped[3]);
  EXPECT_THAT(result.laps[3].samples, SizeIs(0));
}

TEST(Race, LeastRoundsAreMadeWhateverTheBudget) {
  Machine heldUp({50000, 10});
  heldUp.leastRounds = 3;
  EXPECT_EQ(heldUp.race(45).winner, 1u);
  Machine close({50000, 49000});
  close.leastRounds = 3;
  close.gaussianNoise = 0.05;
  for (const Lap &lap : close.race(45).laps)
    EXPECT_GE(lap.samples.size(), 3u);
  Machine stopped({50000, 49000});
  stopped.leastRounds = 3;
  stopped.stopAfter = 1;
  EXPECT_TRUE(stopped.race(45).interrupted);
}

TEST(Race, WithoutABudgetTakesTheFirst) {
  Machine machine({1000, 900});
  const RaceResult result = machine.race(0);
  EXPECT_EQ(result.winner, 0u);
  EXPECT_TRUE(machine.order.empty());
  EXPECT_FALSE(result.interrupted);
}

TEST(Race, StopsBetweenSamplesWithTheBestSoFar) {
  for (size_t after : {0, 1, 3, 10}) {
    Machine machine({30, 20, 10, 40, 50});
    machine.stopAfter = after;
    const RaceResult result = machine.race(1000);
    EXPECT_EQ(machine.order.size(), after);
    EXPECT_TRUE(result.interrupted);
    EXPECT_EQ(result.winner, after == 0 ? 0u : after == 1 ? 0u : 2u);
  }
}

TEST(Race, OfOneSamplesItWithinTheBudget) {
  Machine machine({100});
  const RaceResult result = machine.race(1);
  EXPECT_EQ(result.winner, 0u);
  EXPECT_NEAR(double(result.laps[0].samples.size()), 10, 1);
  EXPECT_FALSE(result.dropped[0]);
  EXPECT_LT(Machine({100}).race(1e9).laps[0].samples.size(), 100u);
}

TEST(Race, OfNoneIsEmpty) { EXPECT_TRUE(Machine({}).race(10).laps.empty()); }

TEST(Race, UselessTimesNeverWin) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  double clock = 0;
  RaceOptions options;
  for (size_t right : {0, 1, 2}) {
    const RaceResult result = race(
        3,
        [&](size_t i) {
          clock += 0.01;
          return i == right ? 10.0 : i == 1 ? -1.0 : nan;
        },
        [&] { return clock; }, [] { return false; }, options);
    EXPECT_EQ(result.winner, right);
  }
  const RaceResult hopeless = race(
      2, [&](size_t) { return clock += 0.01, nan; }, [&] { return clock; },
      [] { return false; }, options);
  EXPECT_LT(hopeless.winner, 2u);
}

} // namespace
