// Strips, panels and blocks of a schedule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Partition.h"

#include "lintel/Problem.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

TEST(CeilDiv, RoundsUpWithoutOverflow) {
  EXPECT_EQ(ceilDiv(0, 3), 0);
  EXPECT_EQ(ceilDiv(1, 3), 1);
  EXPECT_EQ(ceilDiv(3, 3), 1);
  EXPECT_EQ(ceilDiv(INT64_MAX, INT64_MAX), 1);
  EXPECT_EQ(ceilDiv(INT64_MAX, 2), (INT64_MAX / 2) + 1);
}

TEST(Partition, CountsWholeStripsAndPanels) {
  Schedule schedule = *Schedule::parse("tile=8x48,mc=50,nc=100,kc=300");
  const Partition parts = partition(schedule, 100, 257, 768);
  EXPECT_EQ(parts.strips, 13);
  EXPECT_EQ(parts.panels, 6);
  EXPECT_EQ(parts.stripsPerBlock, 6);
  EXPECT_EQ(parts.panelsPerBlock, 2);
  EXPECT_EQ(parts.depth, 300);
  EXPECT_EQ(parts.depthBlocks, 3);
}

Schedule onGrid(const std::string &grid) {
  return *Schedule::parse("tile=4x16,grid=" + grid);
}

TEST(Partition, CountsChunksThatThereAre) {
  const Problem problem = *Problem::parse("16x64:64x256", DataTypes());
  EXPECT_EQ(chunksOfCall(onGrid("2x4"), problem), 8);
  EXPECT_EQ(chunksOfCall(onGrid("8x32"), problem), 4 * 16);
}

TEST(Partition, CountsThreadsThatHaveAChunk) {
  const Problem problem = *Problem::parse("16x64:64x256", DataTypes());
  EXPECT_EQ(threadsTaken(onGrid("1x1"), problem, 16), 1);
  EXPECT_EQ(threadsTaken(onGrid("3x2"), problem, 16), 6);
  EXPECT_EQ(threadsTaken(onGrid("8x8"), problem, 16), 16);
  // There are no more than four strips.
  EXPECT_EQ(threadsTaken(onGrid("8x1"), problem, 16), 4);
}

TEST(Partition, BlocksAreNoLargerThanChunks) {
  const Partition parts = partition(
      *Schedule::parse("tile=8x48,mc=80,nc=200,grid=5x3"), 100, 257, 768);
  EXPECT_EQ(parts.stripsPerBlock, 3);
  EXPECT_EQ(parts.panelsPerBlock, 2);
  const Partition fewer = partition(
      *Schedule::parse("tile=8x48,mc=80,nc=200,grid=50x30"), 100, 257, 768);
  EXPECT_EQ(fewer.stripsPerBlock, 1);
  EXPECT_EQ(fewer.panelsPerBlock, 1);
}

TEST(SaturatingProduct, KeepsWhatFits) {
  EXPECT_EQ(saturatingProduct({}), 1);
  EXPECT_EQ(saturatingProduct({3, 5, 7}), 105);
  EXPECT_EQ(saturatingProduct({INT64_MAX, 1}), INT64_MAX);
  EXPECT_EQ(saturatingProduct({INT64_MAX, 2, 3}), INT64_MAX);
  EXPECT_EQ(saturatingProduct({INT64_MAX, 0}), 0);
}

TEST(ChunksOf, CountsSlicesOfKToo) {
  Schedule schedule;
  schedule.gridM = 2;
  schedule.gridN = 3;
  schedule.gridK = 4;
  EXPECT_EQ(chunksOf(schedule), 24);
  schedule.gridM = schedule.gridN = INT64_MAX;
  EXPECT_EQ(chunksOf(schedule), INT64_MAX);
}

TEST(PartialFloats, AreATileForEachStripPanelAndSlice) {
  const Schedule schedule = *Schedule::parse("tile=4x16,grid=1x1x3");
  EXPECT_EQ(partialFloats(schedule, 9, 33), 3 * 12 * 48);
  EXPECT_EQ(partialFloats(schedule, 8, 32), 3 * 8 * 32);
  EXPECT_EQ(partialFloats(schedule, 0, 33), 0);
  EXPECT_EQ(partialFloats(schedule, INT64_MAX / 2, INT64_MAX / 2), INT64_MAX);
  EXPECT_EQ(partialFloats(*Schedule::parse("tile=4x16,grid=3x3"), 9, 33), 0);
}

TEST(FinishingThreads, AreFewWhereThereIsLittleToAddUp) {
  EXPECT_EQ(finishingThreads(0, 100, 8), 1);
  EXPECT_EQ(finishingThreads((2 << 12) - 1, 100, 8), 1);
  EXPECT_EQ(finishingThreads(3 << 12, 100, 8), 3);
  EXPECT_EQ(finishingThreads(INT64_MAX, 100, 8), 8);
  EXPECT_EQ(finishingThreads(INT64_MAX, 100, 0), 1);
  // None has a share without a tile.
  EXPECT_EQ(finishingThreads(INT64_MAX, 3, 8), 3);
}

TEST(MostRowsOfChunk, CountsShortStripsWhichComeFirst) {
  // 6, 6, 7, 7 and 7 rows: all; three strips or the last two; the last one.
  EXPECT_EQ(mostRowsOfChunk(33, 5, 1), 33);
  EXPECT_EQ(mostRowsOfChunk(33, 5, 2), 6 + 6 + 7);
  EXPECT_EQ(mostRowsOfChunk(33, 5, 4), 6 + 6);
  EXPECT_EQ(mostRowsOfChunk(33, 5, 5), 7);
  EXPECT_EQ(mostRowsOfChunk(17, 3, 3), 6);
  // A strip more beats one that is a row higher: three of 2, then 2 and 3.
  EXPECT_EQ(mostRowsOfChunk(11, 5, 2), 6);
  // Three, three and two strips, one of them short: the second chunk has most.
  EXPECT_EQ(mostRowsOfChunk(31, 8, 3), 12);
  EXPECT_EQ(mostRowsOfChunk(32, 8, 3), 12);
}

TEST(Partition, EveryCountIsAtLeastOne) {
  Schedule schedule = *Schedule::parse("tile=8x48,mc=1,nc=1,kc=1");
  const Partition parts = partition(schedule, 0, 0, 0);
  EXPECT_EQ(parts.strips, 1);
  EXPECT_EQ(parts.panels, 1);
  EXPECT_EQ(parts.stripsPerBlock, 1);
  EXPECT_EQ(parts.panelsPerBlock, 1);
  EXPECT_EQ(parts.depth, 1);
  EXPECT_EQ(parts.depthBlocks, 1);
}

} // namespace
