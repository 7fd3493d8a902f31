// How finalists are raced at full size, and on how much of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/RacePlan.h"
#include "unit/Tuning/NaiveKernel.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

const std::vector<Schedule> kOne(1);

TEST(FinalRace, IsThreeRoundsOfSeveralWhereTheBudgetAllows) {
  EXPECT_DOUBLE_EQ(finalRace(2, 10, 300).budgetMilliseconds, 90);
  EXPECT_DOUBLE_EQ(finalRace(2, 60, 300).budgetMilliseconds, 180);
  EXPECT_DOUBLE_EQ(finalRace(3, 140, 300).budgetMilliseconds, 300);
  EXPECT_DOUBLE_EQ(finalRace(2, 700, 300).budgetMilliseconds, 700);
  EXPECT_DOUBLE_EQ(finalRace(1, 60, 300).budgetMilliseconds, 90);
  EXPECT_DOUBLE_EQ(finalRace(1, 700, 300).budgetMilliseconds, 90);
}

TEST(FinalRace, OfLongRunsGoesOnForLess) {
  EXPECT_EQ(finalRace(3, 75, 300).timesForNoise, RaceOptions().timesForNoise);
  EXPECT_EQ(finalRace(3, 300, 300).timesForNoise, 2);
}

TEST(FinalRace, OfSeveralRunsEachOnceWhateverTheBudget) {
  EXPECT_EQ(finalRace(3, 10, 300).leastRounds, 1u);
  EXPECT_EQ(finalRace(1, 10, 300).leastRounds, 0u);
}

TEST(LastRace, IsThreeRoundsWhateverTheBudget) {
  EXPECT_EQ(lastRace(10, 300).leastRounds, 3u);
  EXPECT_DOUBLE_EQ(lastRace(10, 300).budgetMilliseconds, 90);
  EXPECT_EQ(lastRace(10, 300).timesForNoise, RaceOptions().timesForNoise);
  EXPECT_DOUBLE_EQ(lastRace(400, 300).budgetMilliseconds, 1200);
  EXPECT_EQ(lastRace(400, 300).timesForNoise, 2);
}

TEST(NoiseOfRaces, MayCostThemTogetherAsMuchAsOne) {
  RaceOptions race;
  race.budgetMilliseconds = 90;
  const auto timesFor = [&](double spent, double budget) {
    return withNoiseShared(race, spent, budget).timesForNoise;
  };
  EXPECT_EQ(timesFor(0, 300), 4);
  EXPECT_EQ(timesFor(840, 300), 4); // 360 of 1200 ms are left
  EXPECT_DOUBLE_EQ(timesFor(1020, 300), 2);
  EXPECT_EQ(timesFor(1150, 300), 1);
  EXPECT_EQ(timesFor(5000, 300), 1);
  race.timesForNoise = 2;
  EXPECT_EQ(timesFor(0, 300), 2);
  EXPECT_EQ(timesFor(840, 300), 2);
  race.budgetMilliseconds = 0;
  EXPECT_GE(timesFor(0, 0), 1);
}

/// Rows of a run at full size where a call takes so many milliseconds.
double finalRows(const char *problem, std::vector<Schedule> schedules,
                 int threads, double milliseconds) {
  const Problem all = problemOf(problem);
  return shareAtFullSize(all, schedules, threads, 1000 * milliseconds) *
         static_cast<double>(*all.m());
}

TEST(FullSize, IsCutToWhatIsEnough) {
  EXPECT_DOUBLE_EQ(finalRows("4096x64:64x64", kOne, 1, 80), 4096);
  EXPECT_DOUBLE_EQ(finalRows("4096x64:64x64", kOne, 1, 160), 2048);
  EXPECT_DOUBLE_EQ(finalRows("4096x64:64x64", kOne, 1, 2000), 512);
  EXPECT_DOUBLE_EQ(finalRows("4096x64:64x64", kOne, 16, 1000), 1638.4);
  EXPECT_DOUBLE_EQ(finalRows("128x64:64x64", kOne, 1, 160), 128);
  EXPECT_DOUBLE_EQ(finalRows("4096x64:64x64", kOne, 1, 0), 4096);
}

TEST(FullSize, TakesNoLongerForTheSakeOfRows) {
  EXPECT_DOUBLE_EQ(finalRows("256x64:64x64", kOne, 1, 800), 128);
  EXPECT_DOUBLE_EQ(finalRows("4096x64:64x64", kOne, 16, 800), 2048);
}

TEST(FullSize, HasABlockOfEachThread) {
  std::vector<Schedule> schedules(2);
  schedules[1].mc = 400;
  EXPECT_DOUBLE_EQ(finalRows("4096x64:64x64", schedules, 1, 2000), 512);
  schedules[1].mc = 700;
  EXPECT_DOUBLE_EQ(finalRows("4096x64:64x64", schedules, 1, 2000), 700);
  schedules[1].gridM = 2;
  EXPECT_DOUBLE_EQ(finalRows("4096x64:64x64", schedules, 2, 1000), 1400);
}

/// Of 512 rows for each thread there are eight chunks of the same height.
TEST(FullSize, HasABlockOfChunksThatAreDealtOut) {
  const char *problem = "8192x64:64x2048";
  EXPECT_DOUBLE_EQ(
      finalRows(problem,
                {*Schedule::parse("tile=8x16,mc=512,grid=16x8,deal=dynamic")},
                8, 300),
      4096);
  EXPECT_DOUBLE_EQ(finalRows(problem,
                             {*Schedule::parse("tile=8x16,mc=512,grid=16x8")},
                             8, 300),
                   8192);
  // Each thread keeps two chunks.
  EXPECT_DOUBLE_EQ(
      finalRows(problem,
                {*Schedule::parse("tile=8x16,mc=512,grid=16x1,deal=dynamic")},
                4, 300),
      4096);
}

} // namespace
