// What a race on a slice cannot tell about the whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/RacedPart.h"
#include "unit/Schedule/TestTargets.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

constexpr const char *kWide = "1500x1280:1280x5120";

bool tries(const char *schedule, RacedPart part, const char *problem = kWide,
           int threads = 2) {
  return triesBlocks(scheduleOf(schedule), problemOf(problem), part, threads);
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

TEST(SchedulesOnRows, KeepTheRowsOfADealtChunk) {
  const Problem problem = problemOf("4096x4096:4096x4096", "bf16");
  const auto raced = [&](const char *fields, int64_t rows) {
    return scheduleOnRows(scheduleOf(std::string("tile=8x48,mc=128,") + fields),
                          problem, rows, /*threads=*/16)
        .gridM;
  };
  EXPECT_EQ(raced("grid=32x4,deal=dynamic", 1024), 8);
  EXPECT_EQ(raced("grid=32x4,deal=dynamic", 4096), 32);
  EXPECT_EQ(raced("grid=32x4,deal=dynamic", 8192), 32);
  // Two for each thread, at least.
  EXPECT_EQ(raced("grid=8x8,deal=dynamic", 1024), 4);
  EXPECT_EQ(raced("grid=32x1,deal=dynamic", 1024), 32);
  // Equal shares shrink.
  EXPECT_EQ(raced("grid=4x4", 1024), 4);
}

TEST(SchedulesOnRows, AreThemselvesOnAllRows) {
  // 8 chunks of 33 rows have 4 or 5, and 7 of 5 would do.
  const Schedule chunks = scheduleOf("tile=4x48,grid=8x8,deal=dynamic");
  for (const char *problem : {"33x3072:3072x3072", "?@33x3072:3072x3072"})
    EXPECT_EQ(scheduleOnRows(chunks, problemOf(problem), 33, /*threads=*/16),
              chunks)
        << problem;
}

TEST(UntriedBlocks, AreTriedInFewerChunks) {
  const char *large = "4096x4096:4096x4096";
  const char *dealt = "tile=16x48,mc=128,nc=48,grid=32x4,deal=dynamic";
  EXPECT_TRUE(tries(dealt, {1024, 1024}, large, /*threads=*/16));
  EXPECT_FALSE(tries(dealt, {256, 1024}, large, /*threads=*/16));
  // 9 chunks of 1056 rows: the larger ones are whole blocks.
  EXPECT_TRUE(tries(dealt, {1056, 1024}, large, /*threads=*/16));
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
  EXPECT_NEAR(growth(readsXAgain, {1024, 11008}), 1, 0.01);
}

/// Four chunks of the part and sixteen of the whole, all alike.
TEST(RacedParts, HaveNoThreadsThatEndApart) {
  const Problem problem = problemOf("1024x2048:2048x8192");
  const char *dealt = "tile=8x48,mc=128,nc=48,grid=8x2,deal=dynamic";
  EXPECT_NEAR(growthFromPart(scheduleOf(dealt), problem, {256, 8160}, zen5(),
                             /*threads=*/2),
              1, 0.03);
  // Each of 16 chunks packs its own rows, and each of four of the part.
  const char *packs = "tile=8x48,mc=64,nc=48,pack=block,grid=16x1,deal=dynamic";
  EXPECT_DOUBLE_EQ(packingOf({1024, 8192}, {256, 8192}, scheduleOf(packs),
                             problem, zen5(), /*threads=*/2),
                   4);
}

TEST(RacedParts, FindAWeightAsColdAsTheWhole) {
  // The part alone, 4 MiB, would be found in L3 by the next call.
  EXPECT_NEAR(growthFromPart(scheduleOf("tile=1x64"),
                             problemOf("1x4096:4096x20480"), {1, 256}, zen5(),
                             1),
              1, 0.05);
}

/// Of 2000 rows no strip has a micro-kernel of its own: 105 of them, 7 x 13 and
/// 14, take as long as 112.
TEST(RacedParts, RunTheKernelsOfTheWhole) {
  EXPECT_NEAR(growthFromPart(scheduleOf("tile=14x32,mc=105,nc=32"),
                             problemOf("2000x512:512x1024"), {105, 1024},
                             zen4(), 1),
              (2002.0 / 2000) / (112.0 / 105), 0.02);
}

TEST(RacedParts, AreCutFromDynamicRowsToo) {
  const auto growth = [](const char *problem) {
    return growthFromPart(
        scheduleOf("tile=6x64,group=2,prefetch=8192,mc=60,nc=64,blocks=nm"),
        problemOf(problem, "bf16"), {240, 1024}, zen5(), 1);
  };
  EXPECT_DOUBLE_EQ(growth("1..?@2048x4096:4096x11008"),
                   growth("2048x4096:4096x11008"));
}

/// Rows are packed once for all columns, or once for each block of them.
TEST(RacedParts, PackAsMuchAsTheWhole) {
  const Problem problem = problemOf("16x14336:14336x4096");
  const auto packing = [&](const char *schedule, RacedPart part,
                           RacedPart other) {
    return packingOf(part, other, scheduleOf(schedule), problem, zen5(), 1);
  };
  const RacedPart whole = {16, 4096}, part = {16, 512}, half = {8, 512};
  const char *once = "tile=16x16,pack=block,nc=256";
  EXPECT_DOUBLE_EQ(packing(once, whole, part), 1);
  EXPECT_DOUBLE_EQ(packing(once, part, half), 2);
  const char *eachBlock = "tile=16x16,pack=block,nc=256,kc=512";
  EXPECT_DOUBLE_EQ(packing(eachBlock, whole, part), 8);
  EXPECT_DOUBLE_EQ(packing(eachBlock, part, {16, 16}), 2);
  const char *wholeDepth = "tile=16x16,pack=whole,nc=256,kc=512";
  EXPECT_DOUBLE_EQ(packing(wholeDepth, whole, part), 1);
}

/// 512 columns: 100 us of products, 20 of packing; a 32nd of the columns.
TEST(RacedParts, TellPackingFromProducts) {
  EXPECT_NEAR(packingTold(120, 20 + 100 / 32.0, 1 / 32.0, 1), 20, 1e-9);
  // Each of two blocks of columns packs again, the narrow part once.
  EXPECT_NEAR(packingTold(140, 20 + 100 / 32.0, 1 / 32.0, 2), 40, 1e-9);
  EXPECT_EQ(packingTold(120, 1, 1 / 32.0, 1), 0);
}

TEST(RacedParts, PackNoMoreOnTheWhole) {
  EXPECT_DOUBLE_EQ(timeOfWhole(120, 8, {20, 1}), 820);
  EXPECT_DOUBLE_EQ(timeOfWhole(120, 8, {20, 8}), 960);
  EXPECT_DOUBLE_EQ(timeOfWhole(120, 8, {}), 960);
  // A narrow run that was disturbed.
  EXPECT_DOUBLE_EQ(timeOfWhole(120, 8, {500, 1}), 8 * 60 + 60);
}

TEST(RacedParts, ChargeWhatGrowsMoreThanTheEstimatesError) {
  EXPECT_DOUBLE_EQ(slowdownBeyondPart(1.015, 1), 1);
  EXPECT_DOUBLE_EQ(slowdownBeyondPart(0.985, 1), 1);
  EXPECT_NEAR(slowdownBeyondPart(1.224, 1), 1.2, 1e-9);
  EXPECT_NEAR(slowdownBeyondPart(2.448, 2), 1.2, 1e-9);
  EXPECT_NEAR(slowdownBeyondPart(0.8, 1), 0.816, 1e-9);
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
