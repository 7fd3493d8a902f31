// How much memory a thread works in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/Workspace.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

TEST(Workspace, CountsBlocksOfSumsWhenKIsCut) {
  const Problem problem = problemOf("100x768:768x1000");
  // 64 / 12 = 5 strips of 12 rows, 200 / 48 = 4 panels of 48 columns.
  EXPECT_EQ(
      workspaceBytesPerThread(scheduleOf("tile=12x48,mc=64,nc=200,kc=256"),
                              problem, zen4(), 100),
      60 * 192 * 4);
  // Blocks smaller than a tile are one tile; larger than all are all.
  EXPECT_EQ(workspaceBytesPerThread(scheduleOf("tile=12x48,mc=1,nc=1,kc=256"),
                                    problem, zen4(), 100),
            12 * 48 * 4);
  EXPECT_EQ(workspaceBytesPerThread(scheduleOf("tile=12x48,kc=256"), problem,
                                    zen4(), 100),
            108 * 1008 * 4);
}

TEST(Workspace, CountsBlocksNoLargerThanChunks) {
  const Problem problem = problemOf("4096x768:768x16");
  const auto bytesOf = [&](const char *schedule) {
    return workspaceBytesPerThread(scheduleOf(schedule), problem, zen4(), 4096);
  };
  EXPECT_EQ(bytesOf("tile=8x16,pack=block,mc=4096,grid=32x1"),
            bytesOf("tile=8x16,pack=block,mc=128"));
}

TEST(Workspace, CountsOneTileWhenKIsWhole) {
  const Problem problem = problemOf("100x768:768x1000");
  EXPECT_EQ(workspaceBytesPerThread(scheduleOf("tile=7x16,kc=768"), problem,
                                    zen4(), 100),
            7 * 16 * 4);
  EXPECT_EQ(workspaceBytesPerThread(scheduleOf("tile=1x4"),
                                    problemOf("0x0:0x0"), zen4(), 0),
            64);
}

TEST(Workspace, IsNoneWhereThreadsShareK) {
  EXPECT_EQ(
      workspaceBytesPerThread(scheduleOf("tile=4x16,epilogue=tile,grid=1x1x4"),
                              problemOf("100x768:768x1000"), zen4(), 100),
      0);
}

TEST(Workspace, CountsPackedRowsInMultiplesOf64Bytes) {
  const Problem problem = problemOf("100x77:77x1000");
  const int64_t tile = 5 * 16 * 4;
  EXPECT_EQ(workspaceBytesPerThread(scheduleOf("tile=5x16,pack=block,mc=7"),
                                    problem, zen4(), 100),
            tile + (5 * 77 * 4 + 63) / 64 * 64);
  EXPECT_EQ(
      workspaceBytesPerThread(scheduleOf("tile=5x16,pack=block,mc=40,kc=50"),
                              problem, zen4(), 100),
      40 * 1008 * 4 + 40 * 50 * 4);
}

TEST(Workspace, CountsNarrowRowsInWholePairs) {
  EXPECT_EQ(workspaceBytesPerThread(
                scheduleOf("tile=5x16,group=2,pack=block,mc=7"),
                problemOf("100x77:77x1000", "bf16"), zen4WithPairs(), 100),
            5 * 16 * 4 + (5 * 78 * 2 + 63) / 64 * 64);
}

TEST(Workspace, CountsRowsThatPackingWidensAsTheyAreThen) {
  const int64_t tile = 5 * 16 * 4;
  // Five lines of floats.
  EXPECT_EQ(
      workspaceBytesPerThread(scheduleOf("tile=5x16,group=2,pack=block,mc=7"),
                              problemOf("100x77:77x1000", "bf16"), zen4(), 100),
      tile + 5 * 80 * 4);
  // Five instead of four, so that rows do not meet in L1.
  EXPECT_EQ(
      workspaceBytesPerThread(scheduleOf("tile=5x16,pack=block,mc=40,kc=50"),
                              problemOf("100x77:77x1000", "f16"), zen4(), 100),
      40 * 1008 * 4 + 40 * 80 * 4);
  // So do pairs in s16.
  const Target avx2 = *Target::parse("isa=avx2");
  const auto bytesOf = [&](const char *schedule) {
    return workspaceBytesPerThread(
        scheduleOf(schedule),
        problemOf("100x77:77x1000", "u8s8,accumulate=s16"), avx2, 100);
  };
  EXPECT_EQ(bytesOf("tile=4x16,group=2,pack=block,mc=4") -
                bytesOf("tile=4x16,accumulate=s16,group=4,pack=block,mc=4"),
            4 * 80);
  // Runs of f16 multiply what is as narrow as x.
  EXPECT_EQ(
      workspaceBytesPerThread(
          scheduleOf("tile=5x32,accumulate=f16,epilogue=tile,pack=block,mc=7"),
          problemOf("100x77:77x1000", "f16"), withHalfArithmetic(), 100),
      5 * 32 * 4 + (5 * 77 * 2 + 63) / 64 * 64);
}

TEST(Workspace, CountsAPanelThatIsWidenedInWholeGroups) {
  const char *tile = "tile=5x16,pack=block,widen=panel,tiles=nm,";
  const auto bytes = [&](const std::string &rest, const char *types) {
    return workspaceBytesPerThread(scheduleOf(tile + rest),
                                   problemOf("100x77:77x1000", types), zen4(),
                                   100);
  };
  EXPECT_EQ(bytes("mc=7", "f16"), 5 * 16 * 4 + 77 * 16 * 4 + 5 * 80 * 4);
  EXPECT_EQ(bytes("mc=7,group=2", "bf16"),
            5 * 16 * 4 + 78 * 16 * 4 + 5 * 80 * 4);
  EXPECT_EQ(bytes("mc=40,kc=50", "f16"),
            40 * 1008 * 4 + 50 * 16 * 4 + 40 * 80 * 4);
}

TEST(Workspace, CountsRowsOfIntegersInWholeGroups) {
  const auto bytes = [&](const char *schedule, const Target &target) {
    return workspaceBytesPerThread(
        scheduleOf(schedule), problemOf("100x77:77x1000", "u8s8"), target, 100);
  };
  // Widened to 16 bits, five halves of cache lines apart.
  EXPECT_EQ(bytes("tile=5x16,group=2,pack=block,mc=7", zen4()),
            5 * 16 * 4 + (5 * 80 * 2 + 63) / 64 * 64);
  EXPECT_EQ(bytes("tile=5x16,group=2,pack=whole,mc=20", zen4()),
            5 * 16 * 4 + (20 * 78 + 63) / 64 * 64);
  EXPECT_EQ(bytes("tile=5x16,group=4,pack=block,mc=7", zen4WithQuads()),
            5 * 16 * 4 + (5 * 80 + 63) / 64 * 64);
}

TEST(Workspace, SaturatesInsteadOfOverflowing) {
  const Problem problem = problemOf("?x2147483648:2147483648x4");
  EXPECT_EQ(workspaceBytesPerThread(scheduleOf("tile=8x16,pack=block"), problem,
                                    zen4(), Problem::kMaxDim),
            INT64_MAX);
}

/// Rows of four are shorter than a vector that reads the last one.
TEST(Workspace, CountsVectorsBehindATileOfDotProducts) {
  const int64_t vector = 16 * 4;
  EXPECT_EQ(
      workspaceBytesPerThread(scheduleOf("tile=4x4,group=16,epilogue=tile"),
                              problemOf("100x64:64x4"), zen4(), 100),
      4 * 4 * 4 + 2 * vector);
}

} // namespace
