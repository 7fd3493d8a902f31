// Every candidate of a check finds rows that suit it, or a reason.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"

#include "Tuning/CheckPlan.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/RacePlan.h"
#include "Tuning/RaceRows.h"

#include <gmock/gmock.h>
#include <map>

using namespace lintel;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace {

constexpr int64_t kPlenty = int64_t(1) << 36;

Schedule tile(int64_t mr, int64_t nr) {
  Schedule schedule;
  schedule.mr = mr;
  schedule.nr = nr;
  return schedule;
}

/// What a race of one schedule takes on so many rows.
int64_t needOf(const Problem &problem, const Schedule &schedule,
               int64_t rows = 1) {
  return MemoryNeed::of(problem).bytes(rows,
                                       packedBytes(problem, schedule.panel()));
}

/// How often each schedule is in a round, by index.
std::map<size_t, int> appearances(const CheckPlan &plan) {
  std::map<size_t, int> counts;
  for (const CheckRound &round : plan.rounds)
    for (size_t i : round.schedules)
      ++counts[i];
  return counts;
}

TEST(CheckPlan, TakesAllRowsOfAQuickProblem) {
  // 2^27 multiplications, predicted to take long all the same.
  const Problem problem = problemOf("8192x128:128x128");
  const CheckPlan plan =
      *planCheck(problem, {tile(8, 16), tile(13, 32)}, 1e9, kPlenty);
  ASSERT_THAT(plan.rounds, SizeIs(1));
  EXPECT_EQ(plan.rounds[0].rows, 8192);
  EXPECT_THAT(plan.rounds[0].schedules, ElementsAre(0, 1));
  EXPECT_THAT(plan.obstacles, ElementsAre("", ""));
}

TEST(CheckPlan, CountsOutputsAsWorkWhateverK) {
  for (const char *text : {"100000000x1:1x1", "100000000x0:0x1"}) {
    const CheckPlan plan =
        *planCheck(problemOf(text), {tile(8, 16)}, 1e6, kPlenty);
    ASSERT_THAT(plan.rounds, SizeIs(1)) << text;
    EXPECT_LE(plan.rounds[0].rows, 1000000) << text;
  }
}

TEST(CheckPlan, TakesAllRowsOfAsMuchWorkAsIsQuick) {
  // 2,000,000 outputs of 200 multiplications each.
  const auto rowsOf = [](const char *text) {
    return planCheck(problemOf(text), {tile(8, 16)}, 1e9, kPlenty)
        ->rounds.front()
        .rows;
  };
  EXPECT_EQ(rowsOf("2000000x0:0x1"), 2'000'000);
  EXPECT_LT(rowsOf("2000001x0:0x1"), 1'000'000);
  EXPECT_EQ(rowsOf("1000000x200:200x1"), 1'000'000);
  EXPECT_LT(rowsOf("1000000x201:201x1"), 1'000'000);
}

TEST(CheckPlan, GivesASliceOfItsOwnToWhatARaceWouldDrop) {
  const Problem problem = problemOf("360360x64:64x64");
  std::vector<Schedule> schedules;
  for (int64_t mr : {5, 7, 8, 9, 11, 13})
    schedules.push_back(tile(mr, 16));
  const RowPlan race = *planRows(problem, schedules, 1e-9, kPlenty);
  ASSERT_THAT(race.obstacles, Contains(HasSubstr("strips differ")));

  const CheckPlan plan = *planCheck(problem, schedules, 1e9, kPlenty);
  EXPECT_THAT(plan.obstacles, Each(IsEmpty()));
  EXPECT_GT(plan.rounds.size(), 1u);
  for (const CheckRound &round : plan.rounds) {
    EXPECT_LE(round.rows, 400);
    for (size_t i : round.schedules)
      EXPECT_TRUE(exercisesSameStrips(schedules[i].mr, problem, round.rows));
  }
  const std::map<size_t, int> counts = appearances(plan);
  EXPECT_THAT(counts, SizeIs(schedules.size()));
  for (auto [schedule, count] : counts)
    EXPECT_EQ(count, 1) << schedule;
}

TEST(CheckPlan, TakesAnotherRoundForAnotherPackedWeight) {
  const Problem problem = problemOf("1x10000:10000x10000");
  const std::vector<Schedule> schedules{tile(1, 16), tile(1, 32), tile(1, 16)};
  const int64_t memory = needOf(problem, tile(1, 32));
  const CheckPlan plan = *planCheck(problem, schedules, 1, memory);
  ASSERT_THAT(plan.rounds, SizeIs(2));
  EXPECT_THAT(plan.rounds[0].schedules, ElementsAre(0, 2));
  EXPECT_THAT(plan.rounds[1].schedules, ElementsAre(1));
  EXPECT_THAT(plan.obstacles, Each(IsEmpty()));
}

TEST(CheckPlan, SaysForWhatTheMemoryDoesNotSuffice) {
  // Strips of 12 take 12 rows, those of 2 take two.
  const Problem problem = problemOf("120000x10000:10000x1000");
  const int64_t memory = needOf(problem, tile(12, 16), 11);
  const CheckPlan plan =
      *planCheck(problem, {tile(12, 16), tile(2, 16)}, 1e9, memory);
  ASSERT_THAT(plan.rounds, SizeIs(1));
  EXPECT_THAT(plan.rounds[0].schedules, ElementsAre(1));
  EXPECT_THAT(
      plan.obstacles,
      ElementsAre("checking it on 12 rows " +
                      lackOfMemory(needOf(problem, tile(12, 16), 12), memory),
                  ""));
  EXPECT_THAT(
      planCheck(problem, {tile(12, 16)}, 1e9, needOf(problem, tile(12, 16), 12))
          ->obstacles,
      ElementsAre(""));
}

TEST(CheckPlan, LeavesOutAPanelThatAloneHasNoMemory) {
  // 33 columns are 64 in panels of 32, and 48 in those of 16.
  const Problem problem = problemOf("1x400000:400000x33");
  const std::vector<Schedule> schedules{tile(1, 16), tile(1, 32)};
  const int64_t memory = needOf(problem, tile(1, 32)) - 1;
  ASSERT_LE(needOf(problem, tile(1, 16)), memory);
  const CheckPlan plan = *planCheck(problem, schedules, 1, memory);
  ASSERT_THAT(plan.rounds, SizeIs(1));
  EXPECT_THAT(plan.rounds[0].schedules, ElementsAre(0));
  EXPECT_THAT(plan.obstacles, ElementsAre("", HasSubstr("memory")));
}

TEST(CheckPlan, TakesOneRowWhereThereIsMemoryForNoMore) {
  const Problem problem = problemOf("400x400000:400000x16");
  const std::vector<Schedule> schedules{tile(4, 16), tile(1, 16)};
  const CheckPlan plan =
      *planCheck(problem, schedules, 1e9, needOf(problem, tile(1, 16), 1));
  ASSERT_THAT(plan.rounds, SizeIs(1));
  EXPECT_EQ(plan.rounds[0].rows, 1);
  EXPECT_THAT(plan.rounds[0].schedules, ElementsAre(1));
  EXPECT_THAT(plan.obstacles, ElementsAre(HasSubstr("on 4 rows"), ""));
}

TEST(CheckPlan, ADynamicMNeedsAsManyRowsAsTheTallestStrip) {
  const Problem problem = problemOf("?x10000:10000x1000");
  const std::vector<Schedule> schedules{tile(8, 16), tile(1, 16)};
  const CheckPlan enough = *planCheck(problem, schedules, 1e9, kPlenty);
  ASSERT_THAT(enough.rounds, SizeIs(1));
  EXPECT_GE(enough.rounds[0].rows, 8);
  const CheckPlan few =
      *planCheck(problem, schedules, 1e9, needOf(problem, tile(8, 16), 7));
  EXPECT_THAT(few.obstacles, ElementsAre(HasSubstr("8 rows"), ""));
}

TEST(CheckPlan, IsAnErrorIfNothingCanBeChecked) {
  const Problem problem = problemOf("120000x10000:10000x1000");
  for (int64_t memory :
       {needOf(problem, tile(12, 16)) - 1, needOf(problem, tile(12, 16), 11)}) {
    Expected<CheckPlan> plan = planCheck(problem, {tile(12, 16)}, 1e9, memory);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code(), ErrorCode::io);
    EXPECT_THAT(plan.error().message(), HasSubstr("memory"));
  }
}

} // namespace
