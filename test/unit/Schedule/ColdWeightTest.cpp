// Weights of few rows come from beyond L2.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/ColdWeight.h"
#include "unit/Schedule/TestTargets.h"

#include "Schedule/Ranking.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace lintel;

namespace {

double predicted(std::string_view schedule, std::string_view problem,
                 const Target &target, int threads) {
  return predictMicroseconds(scheduleOf(schedule), problemOf(problem), target,
                             threads);
}

/// L2 has 1 MiB, and two threads share an L3 cache.
Target zen4WithoutAvx512() {
  Target target = targetOf(IsaLevel::avx2);
  target.cpu = "znver4";
  target.l2 = 1 << 20;
  target.l3 = 32 << 20;
  return target;
}

TEST(ColdWeight, IsThatOfFewRowsUnlessL1HoldsIt) {
  Target target;
  target.l1 = 32 << 10;
  EXPECT_TRUE(streamsColdWeight(problemOf("1x128:128x65"), 1, target));
  EXPECT_FALSE(streamsColdWeight(problemOf("1x128:128x64"), 1, target));
  EXPECT_FALSE(streamsColdWeight(problemOf("1x128:128x65", "u8s8"), 1, target));
  EXPECT_TRUE(streamsColdWeight(problemOf("32x512:512x512"), 32, target));
  EXPECT_FALSE(streamsColdWeight(problemOf("33x512:512x512"), 33, target));
}

TEST(ColdWeight, IsCountedInBytes) {
  EXPECT_EQ(weightBytes(problemOf("1x128:128x65")), 4 * 128 * 65);
  EXPECT_EQ(weightBytes(problemOf("1x128:128x65", "u8s8")), 128 * 65);
}

/// Emerald Rapids, f32, 16 threads: 7.3 and 8.6 us.
TEST(ColdWeight, IsWorthThreadsThoughL2WouldHoldIt) {
  const auto inChunks = [](const char *tile, const char *grid) {
    return predicted(std::string(tile) +
                         ",ahead=8192,mc=1,kc=whole,grid=" + grid,
                     "1x256:256x128 bias+relu", emeraldRapids(), 16);
  };
  EXPECT_LT(inChunks("tile=1x16,nc=16", "1x8"),
            inChunks("tile=1x128,nc=128", "1x1"));
}

TEST(ColdWeight, LetsRacesTryMoreThreads) {
  const std::vector<Schedule> raced = selectCandidates(
      problemOf("1x784:784x128 bias+relu"), emeraldRapids(), 16, 40, 14);
  EXPECT_TRUE(std::ranges::any_of(raced, [](const Schedule &schedule) {
    return schedule.gridN * schedule.gridK >= 8;
  }));
}

/// Two threads, f32: 74 and 84 us. What the second one finds in L3 it has to
/// wait for, too.
TEST(ColdWeight, IsBetterDividedThanReadTwice) {
  const auto onGrid = [](const char *tile, const char *grid) {
    return predicted(std::string(tile) + ",ahead=8192,kc=whole,grid=" + grid,
                     "8x768:768x768 bias", zen4WithoutAvx512(), 2);
  };
  EXPECT_LT(onGrid("tile=8x8,mc=8,nc=128", "1x2"),
            onGrid("tile=4x24,mc=4,nc=768", "2x1"));
}

} // namespace
