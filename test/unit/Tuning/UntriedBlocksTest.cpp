// Blocks that a race on a slice did not try.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/UntriedBlocks.h"
#include "unit/Schedule/TestTargets.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

constexpr const char *kWide = "1500x1280:1280x5120";

bool tries(const char *schedule, RacedPart part, const char *problem = kWide) {
  return triesBlocks(scheduleOf(schedule), problemOf(problem), part);
}

TEST(UntriedBlocks, AreThoseThatThePartCutsShort) {
  EXPECT_TRUE(tries("tile=5x80,mc=100,nc=240", {255, 320}));
  EXPECT_TRUE(tries("tile=5x80,mc=255,nc=320", {255, 320}));
  EXPECT_FALSE(tries("tile=5x80,mc=375,nc=240", {255, 320}));
  EXPECT_FALSE(tries("tile=5x80,mc=100,nc=5120", {255, 320}));
  EXPECT_FALSE(tries("tile=5x80", {255, 320}));
  EXPECT_TRUE(tries("tile=5x80", {1500, 5120}));
}

TEST(UntriedBlocks, AreNotLargerThanAChunk) {
  // Two threads share 5120 columns, and 640 of the part.
  EXPECT_TRUE(tries("tile=6x64,mc=60,nc=320,grid=1x2", {256, 640}));
  EXPECT_FALSE(tries("tile=6x64,mc=60,nc=384,grid=1x2", {256, 640}));
  // No chunk of the whole is larger than one of the part.
  EXPECT_TRUE(tries("tile=6x64,mc=600,nc=640,grid=2x1", {200, 640},
                    "200x1280:1280x640"));
}

TEST(RacedParts, HideThatRowsComeFromMemoryOnTheWhole) {
  const Problem problem = problemOf("2048x4096:4096x11008", "bf16");
  const auto growth = [&](const char *schedule, RacedPart part) {
    return growthFromPart(scheduleOf(schedule), problem, part, zen5(), 1);
  };
  const char *readsXAgain =
      "tile=6x64,group=2,prefetch=8192,mc=60,nc=64,blocks=nm";
  const char *readsWAgain =
      "tile=6x64,group=2,prefetch=8192,mc=60,nc=64,blocks=mn";
  EXPECT_GT(growth(readsXAgain, {240, 1024}),
            1.1 * growth(readsWAgain, {240, 1024}));
  EXPECT_DOUBLE_EQ(growth(readsXAgain, {2048, 11008}), 1);
}

TEST(UntriedBlocks, AreSlowerByMoreThanTheEstimatesError) {
  const auto slowdown = [](const char *schedule) {
    return leastSlowdown(scheduleOf(schedule),
                         scheduleOf("tile=5x80,mc=190,nc=80,blocks=nm"),
                         problemOf(kWide), sapphireRapids(), 1);
  };
  EXPECT_LT(slowdown("tile=5x80,mc=380,nc=80,blocks=nm"), 1);
  // For each strip all of w passes, which no longer fits L2.
  EXPECT_GT(slowdown("tile=5x80,mc=375,nc=5120"), 2);
}

} // namespace
