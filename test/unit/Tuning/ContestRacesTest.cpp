// What a race writes down of who took part.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"

#include "Schedule/Ranking.h"
#include "Tuning/Contest.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

using namespace lintel;

namespace {

/// One that gave way may be raced again.
TEST(ContestRaces, ForgetWhyOneGaveWay) {
  const Problem problem = problemOf("16x64:64x64");
  const Target target = hostTarget();
  const std::shared_ptr<Executor> executor = openMPExecutor();
  const std::unique_ptr<KernelFactory> factory = std::move(
      KernelFactory::create(target, Loader::create().value()).value());
  const TuningOptions options;
  const Schedule first = *bestPredictedSchedule(problem, target, 1);
  Schedule second = first;
  second.mc = first.mr;
  Contest contest(problem, {first, second}, {target, executor, *factory},
                  options);
  contest.build({0, 1});
  Expected<Arena> arena = contest.makeArena({16, std::nullopt}, Fill::exact);
  ASSERT_TRUE(arena) << arena.error().message();
  contest.verify(*arena, {0, 1});
  contest.contenders()[0].report.reason = "took less, but on more threads";
  (void)contest.raceIn(*arena, {0, 1},
                       {.budgetMilliseconds = 1, .leastRounds = 1});
  for (size_t i : {0, 1}) {
    ASSERT_GT(contest.contenders().timeOf(i), 0);
    EXPECT_EQ(contest.contenders()[i].report.reason, "");
  }
}

} // namespace
