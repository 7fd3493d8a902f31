// Schedules that a race tries only beside its winner.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/Legality.h"
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"

#include <gmock/gmock.h>
#include <set>
#include <utility>

using namespace lintel;
using ::testing::ElementsAre;
using ::testing::Pair;

namespace {

TEST(StreamingTwin, DiffersInTheStoreAlone) {
  const Schedule schedule = *Schedule::parse("tile=6x64,mc=96,epilogue=tile");
  std::optional<Schedule> twin =
      streamingTwin(schedule, problemOf("16384x64:64x8192 bias"), zen4());
  ASSERT_TRUE(twin);
  EXPECT_TRUE(twin->streamsOutputs());
  twin->store = StorePolicy::cached;
  EXPECT_EQ(*twin, schedule);
}

TEST(StreamingTwin, FinishesATileBeforeTheNext) {
  const Schedule schedule =
      *Schedule::parse("tile=32x32,unit=amx,group=2,epilogue=next");
  std::optional<Schedule> twin = streamingTwin(
      schedule, problemOf("16384x64:64x16384 bias", "bf16"), sapphireRapids());
  ASSERT_TRUE(twin);
  EXPECT_TRUE(twin->streamsOutputs());
  EXPECT_EQ(twin->epilogue, EpiloguePlacement::tile);
}

TEST(StreamingTwin, IsThereOnlyForOutputsThatTheLastCacheCannotHold) {
  const Schedule schedule = *Schedule::parse("tile=6x64");
  const auto streams = [&](const char *problem) {
    return streamingTwin(schedule, problemOf(problem), zen4()).has_value();
  };
  // 32 MiB of L3.
  EXPECT_FALSE(streams("8192x64:64x1024"));
  EXPECT_TRUE(streams("8193x64:64x1024"));
  EXPECT_FALSE(streams("128x768:768x3072 bias+gelu_erf"));
  // Some call may have few rows.
  EXPECT_FALSE(streams("?@16384x64:64x8192"));
  EXPECT_FALSE(streams("1023..?@16384x64:64x8192"));
  EXPECT_TRUE(streams("1025..?@16384x64:64x8192"));
}

TEST(StreamingTwin, NeedsWholeCacheLines) {
  const Schedule schedule = *Schedule::parse("tile=6x64");
  for (const char *ragged : {"16384x64:64x8184", "16384x64:64x8191"})
    EXPECT_FALSE(streamingTwin(schedule, problemOf(ragged), zen4())) << ragged;
  const Problem huge = problemOf("16384x64:64x8192");
  EXPECT_TRUE(streamingTwin(*Schedule::parse("tile=6x16"), huge,
                            targetOf(IsaLevel::avx2)));
  EXPECT_FALSE(streamingTwin(*Schedule::parse("tile=4x24"), huge,
                             targetOf(IsaLevel::avx2)));
}

TEST(StreamingTwin, HasNoneItself) {
  const Problem huge = problemOf("16384x64:64x8192");
  EXPECT_FALSE(
      streamingTwin(*Schedule::parse("tile=6x64,store=stream"), huge, zen4()));
  for (const Schedule &schedule : enumerateSchedules(huge, zen4(), 2))
    EXPECT_FALSE(schedule.streamsOutputs()) << schedule.text();
}

TEST(DynamicTwins, HaveMoreChunksAndTheSameCode) {
  const Problem problem = problemOf("512x1024:1024x1024");
  const Schedule schedule = scheduleOf("tile=8x48,mc=64,nc=96,kc=256,grid=1x2");
  const std::vector<Schedule> twins =
      dynamicTwins(schedule, problem, zen4(), 2);
  EXPECT_EQ(twins.size(), 2U + 3 + 4);
  double before = 0;
  for (const Schedule &twin : twins) {
    EXPECT_EQ(twin.deal, Dealing::dynamic);
    EXPECT_EQ(twin.code(), schedule.code());
    EXPECT_EQ(twin.mc, schedule.mc);
    EXPECT_GE(twin.gridM * twin.gridN, 2 * 2);
    EXPECT_LE(twin.gridM * twin.gridN, 8 * 2);
    EXPECT_TRUE(checkSchedule(twin, problem, zen4())) << twin.text();
    const double predicted = predictMicroseconds(twin, problem, zen4(), 2);
    EXPECT_GE(predicted, before);
    before = predicted;
  }
}

TEST(DynamicTwins, ShareOutThePrefetchingAnew) {
  // Blocks of 16 strips; a chunk of a finer grid may have 8 or 4.
  const Problem problem = problemOf("1024x4096:4096x4096", "bf16");
  const Schedule schedule =
      scheduleOf("tile=32x32,unit=amx,hint=a,group=2,prefetch=128,pack=block,"
                 "epilogue=tile,mc=512,nc=512,kc=512,tiles=nm,grid=2x8");
  std::set<std::pair<int64_t, int64_t>> sharedBy;
  for (const Schedule &twin :
       dynamicTwins(schedule, problem, sapphireRapids(), 16))
    sharedBy.emplace(twin.gridM, twin.prefetch);
  EXPECT_THAT(sharedBy, ElementsAre(Pair(2, 128), Pair(4, 256), Pair(8, 512),
                                    Pair(16, 1024)));
}

TEST(DynamicTwins, ShareOutPanelsOnVectorsAnew) {
  // Four lines a step and eight strips; a chunk of a finer grid has four, two
  // or one.
  const Problem problem = problemOf("64x4096:4096x4096");
  std::set<std::pair<int64_t, int64_t>> sharedBy;
  for (const Schedule &twin :
       dynamicTwins(scheduleOf("tile=4x64,share=1,tiles=nm,grid=2x1"), problem,
                    zen4(), 2))
    sharedBy.emplace(twin.gridM, twin.share);
  EXPECT_THAT(sharedBy,
              ElementsAre(Pair(2, 1), Pair(4, 1), Pair(8, 2), Pair(16, 0)));
}

TEST(DynamicTwins, AreThereForSeveralThreadsAndTiles) {
  const Problem problem = problemOf("512x1024:1024x1024");
  const auto twinsOf = [](const char *schedule, const Problem &problem,
                          int threads) {
    return dynamicTwins(scheduleOf(schedule), problem, zen4(), threads);
  };
  EXPECT_TRUE(twinsOf("tile=8x48", problem, 1).empty());
  // Two panels are two chunks already.
  EXPECT_TRUE(
      twinsOf("tile=8x48,grid=1x2", problemOf("8x64:64x96"), 2).empty());
  const auto chunksOfTwins = [&](const char *schedule) {
    std::set<int64_t> chunks;
    for (const Schedule &twin : twinsOf(schedule, problem, 4))
      chunks.insert(twin.gridM * twin.gridN);
    return chunks;
  };
  // As many chunks as threads are dealt out beforehand.
  EXPECT_THAT(chunksOfTwins("tile=8x48"), ElementsAre(8));
  // A finer one may be better still.
  EXPECT_THAT(chunksOfTwins("tile=8x48,grid=2x4,deal=dynamic"),
              ElementsAre(16, 32, 64));
}

} // namespace
