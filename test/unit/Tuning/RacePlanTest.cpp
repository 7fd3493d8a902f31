// What of a problem races, and what stands for the whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/RacedSchedules.h"

#include "Tuning/RacePlan.h"

#include <gmock/gmock.h>

using namespace lintel;
using namespace lintel::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

TEST(ShareToRun, IsAllOfAQuickCall) {
  EXPECT_EQ(shareToRun(500), 1);
  EXPECT_LT(shareToRun(10'000), 0.5);
  EXPECT_LT(shareToRun(1e9), 1e-4);
}

TEST(ShareBeyondCaches, IsAllUnlessRowsExceedTheCachesByFar) {
  Target target;
  target.l3 = int64_t(32) << 20;
  EXPECT_EQ(shareBeyondCaches(problemOf("4096x4096:4096x4096"), target), 1);
  const auto timesCache = [&](const char *tall, double bytesOfRow) {
    return shareBeyondCaches(problemOf(tall), target) * 1e8 * bytesOfRow /
           static_cast<double>(target.l3);
  };
  EXPECT_NEAR(timesCache("100000000x64:64x64", 2 * 64 * 4), 8, 1e-6);
  // Neither what guards outputs nor what they are compared with counts,
  EXPECT_NEAR(timesCache("100000000x64:64x16 bias", 80 * 4), 8, 1e-6);
  EXPECT_NEAR(timesCache("100000000x64:64x16 residual", 96 * 4), 8, 1e-6);
}

/// but of a few elements beside guards of 64 bytes and a copy, which would take
/// ten times the memory and a second for each 100 MB of them.
TEST(ShareBeyondCaches, IsLessWhereGuardsAreMostOfARow) {
  Target target;
  target.l3 = int64_t(300) << 20;
  const double share = shareBeyondCaches(problemOf("2147483648x1:1x1"), target);
  const Problem narrow = problemOf("2147483648x1:1x1");
  EXPECT_NEAR(share * 2147483648.0 *
                  static_cast<double>(MemoryNeed::of(narrow).perRow),
              512 << 20, 1000);
  EXPECT_LT(share * 2147483648.0 * 8, 375 << 20);
}

TEST(BytesBeyondCaches, AreFewerTimesTheCacheWhereItIsHuge) {
  Target target;
  target.l3 = int64_t(32) << 20;
  EXPECT_EQ(bytesBeyondCaches(8, 1.25, target), 256 << 20);
  target.l3 = int64_t(96) << 20;
  EXPECT_EQ(bytesBeyondCaches(8, 1.25, target), 256 << 20);
  target.l3 = int64_t(300) << 20;
  EXPECT_EQ(bytesBeyondCaches(8, 1.25, target), 375 << 20);
  EXPECT_EQ(bytesBeyondCaches(4, 2, target), 600 << 20);
}

class ColumnsBeyondCaches : public testing::Test {
protected:
  ColumnsBeyondCaches() { target.l3 = int64_t(32) << 20; }
  int64_t columnsOf(const char *problem, int threads = 1) {
    return columnsBeyondCaches(problemOf(problem), schedules, target, threads);
  }
  Target target;
  std::vector<Schedule> schedules = tiles({8, 8});
};

TEST_F(ColumnsBeyondCaches, HoldAWeightOfSomeLastLevelCaches) {
  EXPECT_EQ(columnsOf("1x4096:4096x100000"), 4096);
  EXPECT_EQ(columnsOf("64x4096:4096x100000"), 8192);
  EXPECT_EQ(columnsOf("1x4096:4096x1000"), 1000);
}

TEST_F(ColumnsBeyondCaches, LeaveEachThreadSome) {
  EXPECT_EQ(columnsOf("1x1000000:1000000x4096"), 256);
  EXPECT_EQ(columnsOf("1x1000000:1000000x4096", 2), 512);
}

TEST_F(ColumnsBeyondCaches, HoldBlocksWhoseSumsWait) {
  schedules[1].nc = 5000;
  schedules[1].kc = Schedule::kWhole;
  EXPECT_EQ(columnsOf("16x4096:4096x100000"), 4096);
  schedules[1].kc = 512;
  EXPECT_EQ(columnsOf("16x4096:4096x100000"), 5000);
  schedules[1].gridN = 4;
  EXPECT_EQ(columnsOf("16x4096:4096x100000", 4), 20000);
  schedules[1].nc = Schedule::kWhole;
  EXPECT_EQ(columnsOf("16x4096:4096x100000", 4), 100000);
}

TEST(SliceColumns, AreDataForTheWidestSlice) {
  std::vector<Schedule> schedules = tiles({8, 8, 8});
  schedules[1].nr = 2000;
  const auto sliceOf = [&](size_t i) {
    return 3072 - lastColumns(schedules[i], 3072, 1000).firstColumn;
  };
  ASSERT_GT(sliceOf(1), sliceOf(0));
  const std::optional<SlicedColumns> columns =
      sliceColumns(schedules, 3072, 1000);
  ASSERT_TRUE(columns);
  EXPECT_EQ(columns->wanted, 1000);
  EXPECT_EQ(columns->held, sliceOf(1));
  EXPECT_FALSE(sliceColumns(schedules, 3072, 2500));
  schedules[2].gridK = 2;
  EXPECT_FALSE(sliceColumns(schedules, 3072, 1000));
}

TEST(RacePlan, TakesAllOfAQuickCall) {
  const Problem problem = problemOf("1000x64:64x3000");
  const RacePlan plan = *planRace(problem, tiles({8, 12}), 1, 500, kPlenty);
  EXPECT_EQ(plan.rows.rows, 1000);
  EXPECT_THAT(plan.rows.obstacles, ElementsAre("", ""));
  EXPECT_FALSE(plan.columns);
}

TEST(RacePlan, CutsRowsBeforeColumns) {
  const Problem problem = problemOf("10000x64:64x3072");
  const RacePlan some = *planRace(problem, tiles({8}), 1, 6'250, kPlenty);
  EXPECT_GE(some.rows.rows, 1600);
  EXPECT_LT(some.rows.rows, 2500);
  EXPECT_FALSE(some.columns);
  const RacePlan few = *planRace(problem, tiles({8}), 1, 125'000, kPlenty);
  EXPECT_EQ(few.rows.rows, 256);
  EXPECT_NEAR(few.columns->held, 3072 * 0.008 * 10000 / 256, 200);
  const RacePlan fewest = *planRace(problem, tiles({8}), 1, 1e9, kPlenty);
  EXPECT_EQ(fewest.rows.rows, 96);
  EXPECT_NEAR(fewest.columns->held, 256, 16);
}

TEST(RacePlan, LeavesManyThreadsBlocksOfRows) {
  const Problem problem = problemOf("10000x64:64x30720");
  const RacePlan plan = *planRace(problem, tiles({8}), 16, 200'000, kPlenty);
  EXPECT_EQ(plan.rows.rows, 1024);
  EXPECT_NEAR(plan.columns->held, 1500, 100);
}

TEST(RacePlan, LeavesEachThreadColumns) {
  const Problem problem = problemOf("512x4096:4096x8192");
  for (const auto &[threads, columns] :
       {std::pair(2, 512), {3, 768}, {4, 512}, {8, 1024}, {16, 1024}}) {
    const RacePlan plan = *planRace(problem, tiles({8}), threads, 1e9, kPlenty);
    EXPECT_EQ(plan.rows.rows, 96) << threads;
    EXPECT_NEAR(plan.columns->held, columns, 32) << threads;
  }
}

TEST(RacePlan, LeavesASingleRowEnoughWeightToStream) {
  const Problem problem = problemOf("1x4096:4096x100000");
  const RacePlan plan = *planRace(problem, tiles({1}), 1, 1e9, kPlenty);
  EXPECT_EQ(plan.rows.rows, 1);
  EXPECT_NEAR(plan.columns->held, (8 << 20) / 4096 / 4, 16);
}

TEST(RacePlan, OneThatCannotBeCutLeavesAllUncut) {
  const Problem problem = problemOf("10000x64:64x3072");
  std::vector<Schedule> schedules = tiles({8, 8});
  schedules.back().gridK = 2;
  const RacePlan plan = *planRace(problem, schedules, 1, 250'000, kPlenty);
  EXPECT_FALSE(plan.columns);
  EXPECT_EQ(plan.rows.rows, 96);
}

/// Strips of 100 rows are of seven and eight, or of eleven and twelve.
TEST(RowPlan, NeedsMemoryForRowsThatSuitSomebody) {
  const Problem problem = problemOf("100x100000:100000x64");
  const std::vector<Schedule> schedules = tiles({8, 12});
  const MemoryNeed need = MemoryNeed::of(problem, schedules);
  const int64_t packed = packedBytes(problem, schedules.front().panel());
  const auto planned = [&](int64_t rows) {
    return planRows(problem, schedules, /*share=*/1, need.bytes(rows, packed));
  };
  EXPECT_TRUE(planned(100));
  const Expected<RowPlan> few = planned(4);
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().code(), ErrorCode::io);
  EXPECT_THAT(few.error().message(), HasSubstr("on which no schedule runs"));
}

TEST(RacePlan, NeedsMemoryForTheWholeWeight) {
  const Problem problem = problemOf("1x4096:4096x100000");
  const int64_t whole = needOf(problem, tiles({1}).front());
  EXPECT_TRUE(planRace(problem, tiles({1}), 1, 1e9, whole));
  EXPECT_FALSE(planRace(problem, tiles({1}), 1, 1e9, whole - 1));
}

} // namespace
