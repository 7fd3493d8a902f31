// How many threads read the same weight.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"

#include "Tuning/ReadersChoice.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

Schedule onGrid(const std::string &grid) {
  return *Schedule::parse("tile=4x16,grid=" + grid);
}

TEST(ReadersChoice, CountsRangesOfRows) {
  const Problem problem = problemOf("16x64:64x256");
  EXPECT_EQ(readsOfWeight(onGrid("1x8"), problem), 1);
  EXPECT_EQ(readsOfWeight(onGrid("2x4"), problem), 2);
  EXPECT_EQ(readsOfWeight(onGrid("4x8,deal=dynamic"), problem), 4);
  // There are no more than four strips.
  EXPECT_EQ(readsOfWeight(onGrid("8x1"), problem), 4);
}

TEST(ReadersChoice, IsOfColdWeights) {
  const Target target = hostTarget();
  EXPECT_EQ(
      coldReadsOfWeight(onGrid("2x1"), problemOf("16x1024:1024x1024"), target),
      2);
  // With more rows a weight is no colder than what a call touches makes it.
  EXPECT_EQ(
      coldReadsOfWeight(onGrid("2x1"), problemOf("64x1024:1024x1024"), target),
      1);
}

TEST(ReadersChoice, AsksFewerReadersThatAreNotMuchSlower) {
  const auto may = [](const TimedSchedule &candidate,
                      const TimedSchedule &winner, const char *problem) {
    return mayReadLess(candidate, winner, problemOf(problem), hostTarget(), 4);
  };
  constexpr const char *kCold = "16x1024:1024x1024";
  const Schedule twice = onGrid("2x2"), once = onGrid("1x4"),
                 onMore = onGrid("1x3"), half = onGrid("2x1");
  EXPECT_TRUE(may({once, 11.9}, {twice, 10}, kCold));
  EXPECT_FALSE(may({once, 12.1}, {twice, 10}, kCold));
  EXPECT_FALSE(may({once, 0}, {twice, 10}, kCold)) << "not timed";
  EXPECT_FALSE(may({twice, 10}, {once, 10}, kCold));
  EXPECT_FALSE(may({onMore, 10}, {half, 10}, kCold)) << "on more threads";
  EXPECT_FALSE(may({once, 10}, {twice, 10}, "64x1024:1024x1024"));
}

} // namespace
