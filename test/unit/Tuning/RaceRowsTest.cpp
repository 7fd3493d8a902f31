// Slices of M, and the memory they take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/RacedSchedules.h"

#include "Target/FreeMemory.h"
#include "Tuning/RacePlan.h"
#include "Tuning/RaceRows.h"

#include <gmock/gmock.h>
#include <limits>

using namespace lintel;
using namespace lintel::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

TEST(SliceRows, IsAllOfASmallM) {
  EXPECT_EQ(sliceRows(problemOf("50x8:8x8"), tiles({8}), 50), 50);
  EXPECT_EQ(sliceRows(problemOf("50x8:8x8"), tiles({8}), 1000), 50);
  EXPECT_EQ(sliceRows(problemOf("?x8:8x8"), tiles({8}), 1000), 512);
}

TEST(SliceRows, OfADynamicMIsWhatWasWanted) {
  EXPECT_EQ(sliceRows(problemOf("?x8:8x8"), tiles({8, 6}), 100), 100);
  EXPECT_EQ(sliceRows(problemOf("?x8:8x8"), tiles({8, 6}), 0), 1);
}

TEST(SliceRows, ExercisesTheStripsOfTheWholeM) {
  for (int64_t m : {4096, 4097, 10000, 65536, 100003})
    for (int64_t wanted : {96, 100, 127, 1000}) {
      const Problem problem =
          *Problem::create(m, 8, 8, DataTypes(), Epilogue());
      const std::vector<int64_t> heights{6, 8, 9, 12, 14};
      const int64_t rows = sliceRows(problem, tiles(heights), wanted);
      EXPECT_GE(rows, wanted);
      EXPECT_LE(rows, 4 * wanted);
      for (int64_t mr : heights) {
        EXPECT_TRUE(exercisesSameStrips(mr, problem, rows))
            << m << " " << wanted << " " << mr;
        EXPECT_TRUE(canRunOnRows(mr, problem, rows));
      }
    }
}

TEST(SliceRows, GivesUpOnWhatDoesNotFit) {
  // 8 divides M and 13 does: only multiples of 104 suit both.
  const Problem problem = problemOf("104000x8:8x8");
  EXPECT_EQ(sliceRows(problem, tiles({8, 13}), 100) % 104, 0);
  // Nothing up to four times the wanted rows suits all of these.
  const Problem awkward = problemOf("360360x8:8x8");
  const int64_t rows = sliceRows(awkward, tiles({5, 7, 8, 9, 11, 13}), 100);
  EXPECT_LE(rows, 400);
  int fitting = 0;
  for (int64_t mr : {5, 7, 8, 9, 11, 13})
    fitting += exercisesSameStrips(mr, awkward, rows);
  EXPECT_GE(fitting, 2);
}

TEST(CanRunOnRows, KnowsTheMicroKernelsOfAnObject) {
  // 128 rows in strips of at most 12 are 11 strips of 12 and 11 rows.
  const Problem problem = problemOf("128x8:8x8");
  EXPECT_TRUE(canRunOnRows(12, problem, 128));
  EXPECT_TRUE(canRunOnRows(12, problem, 12));
  EXPECT_TRUE(canRunOnRows(12, problem, 23));
  EXPECT_FALSE(canRunOnRows(12, problem, 10));
  // Only short strips: the last one's micro-kernel would read past x.
  EXPECT_FALSE(canRunOnRows(12, problem, 11));
  EXPECT_FALSE(canRunOnRows(12, problem, 22));
  EXPECT_FALSE(canRunOnRows(12, problem, 13));
  EXPECT_TRUE(canRunOnRows(12, problemOf("?x8:8x8"), 13));
  EXPECT_FALSE(exercisesSameStrips(12, problem, 12));
  EXPECT_TRUE(exercisesSameStrips(12, problem, 23));
}

TEST(MemoryNeed, CountsWeightsAndRows) {
  const MemoryNeed need =
      MemoryNeed::of(problemOf("100x1000:1000x2000 bias+residual"));
  const int64_t weight = 1000 * 2000 * 4;
  EXPECT_GE(need.fixed, weight);
  EXPECT_GE(need.leastPacked, weight);
  // x, the output, its reference copy, the residual.
  EXPECT_GE(need.perRow, 1000 * 4 + 3 * 2000 * 4);
  EXPECT_LE(need.perRow, 1000 * 4 + 3 * 2000 * 4 + 100);
  EXPECT_EQ(need.bytes(7, 2 * need.leastPacked),
            need.fixed + 2 * need.leastPacked + 7 * need.perRow);
}

TEST(MemoryNeed, CountsElementsInTheirTypes) {
  const auto needOf = [](const char *types) {
    return MemoryNeed::of(*Problem::parse("100x1000:1000x2000 bias+residual",
                                          *DataTypes::parse(types)));
  };
  const int64_t weight = 1000 * 2000;
  EXPECT_EQ(needOf("f32").fixed - needOf("bf16").fixed, weight * 2);
  EXPECT_EQ(needOf("f32").leastPacked - needOf("f16").leastPacked, weight * 2);
  EXPECT_GE(needOf("bf16").perRow, 1000 * 2 + 3 * 2000 * 2);
  EXPECT_LE(needOf("bf16").perRow, 1000 * 2 + 3 * 2000 * 2 + 100);
  EXPECT_GE(needOf("bf16:f32").perRow, 1000 * 2 + 3 * 2000 * 4);
}

TEST(MemoryNeed, CountsTheMostSumsOfSlices) {
  const Problem problem = problemOf("9x1000:1000x33");
  const std::vector<Schedule> schedules = {
      *Schedule::parse("tile=4x16,epilogue=tile,grid=1x1x2"),
      *Schedule::parse("tile=4x16,epilogue=tile,grid=1x1x5"),
      *Schedule::parse("tile=4x16")};
  EXPECT_EQ(MemoryNeed::of(problem, schedules).fixed -
                MemoryNeed::of(problem).fixed,
            5 * 12 * 48 * 4);
}

TEST(PackedBytes, CountsWhatPanelsAndLinesArePaddedWith) {
  // One column is padded to a panel, unless that is as narrow.
  const Problem narrow = problemOf("1x1000000:1000000x1");
  EXPECT_GE(packedBytes(narrow, {16, 1}), 16 * 4'000'000);
  EXPECT_LT(packedBytes(narrow, {1, 16}), 2 * 4'000'000 + (4 << 20));
  // One element of K is padded to a cache line of bf16.
  const Problem shallow =
      *Problem::parse("1x1:1x1000000", *DataTypes::parse("bf16"));
  EXPECT_GE(packedBytes(shallow, {16, 2}), 64'000'000);
}

TEST(RowPlan, LeavesOutAPackedWeightThatPaddingMakesTooLarge) {
  const Problem problem = problemOf("1x1000000:1000000x1");
  std::vector<Schedule> schedules = tiles({1, 1});
  schedules[0].nr = 1;
  schedules[0].group = 16;
  schedules[1].nr = 32;
  const int64_t memory = needOf(problem, schedules[0]) + 64'000'000;
  EXPECT_THAT(planRows(problem, schedules, 1, memory)->obstacles,
              ElementsAre("", HasSubstr("packed weight")));
  EXPECT_THAT(planRows(problem, schedules, 1, memory + 128'000'000)->obstacles,
              ElementsAre("", ""));
}

TEST(MemoryNeed, Saturates) {
  const MemoryNeed need =
      MemoryNeed::of(problemOf("1x2147483648:2147483648x10000"));
  EXPECT_GT(need.bytes(Problem::kMaxDim, need.leastPacked), int64_t(1) << 60);
}

TEST(RowPlan, TakesTheShareThatIsAskedFor) {
  const Problem problem = problemOf("1000000x64:64x64");
  EXPECT_EQ(planRows(problem, tiles({8, 12}), 1, kPlenty)->rows, 1000000);
  const int64_t some = planRows(problem, tiles({8, 12}), 0.01, kPlenty)->rows;
  EXPECT_GE(some, 10000);
  EXPECT_LT(some, 20000);
  EXPECT_GE(planRows(problem, tiles({8, 12}), 1e-9, kPlenty)->rows, 96);
}

TEST(RowPlan, FitsTheMemory) {
  const Problem problem = problemOf("1000000x1000:1000x1000");
  const MemoryNeed need = MemoryNeed::of(problem);
  std::vector<Schedule> schedules = tiles({8, 8, 8});
  schedules[1].nr = 16;
  schedules[2].nr = 32;
  for (int64_t rows : {1, 200, 100000}) {
    int64_t packed = 0;
    for (const Schedule &schedule : schedules)
      packed += packedBytes(problem, schedule.panel());
    const int64_t memory = need.bytes(rows, packed);
    const RowPlan plan = *planRows(problem, schedules, 1, memory);
    int64_t widths = 0;
    for (const std::string &obstacle : plan.obstacles)
      widths += obstacle.empty();
    EXPECT_GE(widths, rows >= 200 ? 3 : 1);
    EXPECT_LE(need.bytes(plan.rows, widths * need.leastPacked), memory);
  }
}

TEST(RowPlan, KeepsTheFirstWidthWhenMemoryIsShort) {
  const Problem problem = problemOf("1x10000:10000x10000");
  std::vector<Schedule> schedules = tiles({1, 1, 1});
  schedules[1].nr = 16;
  const int64_t memory = needOf(problem, tiles({1}).front());
  const RowPlan plan = *planRows(problem, schedules, 1, memory);
  EXPECT_THAT(plan.obstacles, ElementsAre("", HasSubstr("packed weight"), ""));
  EXPECT_FALSE(planRows(problem, schedules, 1, memory - 1));
}

TEST(RowPlan, RefusesARangeThatBeginsBeyondTheMemory) {
  const Problem range = problemOf("2000000..3000000x1024:1024x1024");
  const int64_t memory = int64_t(2) << 30;
  Expected<RowPlan> plan = planRows(range, tiles({8}), 0.001, memory);
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message(),
              HasSubstr("MiB of memory are free; free some, or cut the layer "
                        "into several of fewer columns or rows"));
  // The same M, known, is cut to what fits.
  EXPECT_TRUE(
      planRows(problemOf("3000000x1024:1024x1024"), tiles({8}), 0.001, memory));
}

TEST(NoMemoryForWorkspaces, SaysHowMuchIsMissing) {
  const Error error =
      noMemoryForWorkspaces(int64_t(65) << 20, 3, int64_t(64) << 20);
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_EQ(error.message(), "the workspace of 3 threads takes 65 MiB, but "
                             "only 64 MiB of memory are free");
}

TEST(UsableMemory, IsLessThanThereIs) {
  EXPECT_GT(usableMemory(), int64_t(1) << 20);
  // Other processes may free some between the two questions.
  EXPECT_LT(static_cast<double>(usableMemory()),
            0.95 * static_cast<double>(availableMemory()));
}

} // namespace
