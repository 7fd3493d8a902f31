// Which threads a layer leaves to others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/ThreadsChoice.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

Schedule onGrid(const std::string &grid) {
  return *Schedule::parse("tile=4x16,grid=" + grid);
}

TEST(ThreadsChoice, CountsThreadsThatHaveAChunk) {
  EXPECT_EQ(threadsTaken(onGrid("1x1"), 16), 1);
  EXPECT_EQ(threadsTaken(onGrid("3x2"), 16), 6);
  EXPECT_EQ(threadsTaken(onGrid("8x8"), 16), 16);
}

TEST(ThreadsChoice, AsksHalfAsManyThatAreNotMuchSlower) {
  const Schedule all = onGrid("8x2"), more = onGrid("3x3"),
                 half = onGrid("8x1"), one = onGrid("1x1");
  const TimedSchedule winner{all, 10};
  EXPECT_TRUE(mayServeOnFewerThreads({half, 12.9}, winner, 16));
  EXPECT_TRUE(mayServeOnFewerThreads({one, 10}, winner, 16));
  EXPECT_FALSE(mayServeOnFewerThreads({half, 13.1}, winner, 16));
  EXPECT_FALSE(mayServeOnFewerThreads({half, 0}, winner, 16)) << "not timed";
  EXPECT_FALSE(mayServeOnFewerThreads({more, 10}, winner, 16));
  EXPECT_FALSE(mayServeOnFewerThreads({one, 1}, {one, 1}, 16));
  // Both grids are of more chunks than there are threads.
  EXPECT_FALSE(mayServeOnFewerThreads({half, 10}, winner, 4));
}

} // namespace
