// How many threads read the same weight.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"

#include "Tuning/ReadersChoice.h"
#include "Tuning/Tuner.h"

#include <algorithm>
#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AnyOf;
using ::testing::HasSubstr;

namespace {

TEST(ReadersChoice, CountsRangesOfRows) {
  const Problem problem = problemOf("16x64:64x256");
  const auto reads = [&](const char *text) {
    return readsOfWeight(*Schedule::parse(text), problem);
  };
  EXPECT_EQ(reads("tile=4x16,grid=1x8"), 1);
  EXPECT_EQ(reads("tile=4x16,grid=2x4"), 2);
  EXPECT_EQ(reads("tile=4x16,grid=4x8,deal=dynamic"), 4);
  // There are no more than two strips.
  EXPECT_EQ(reads("tile=8x16,grid=8x1"), 2);
}

/// Parts that run one after the other take as long however they are cut.
Expected<TuningResult> tuneInTurns(const char *problem) {
  auto tuner = Tuner::create(hostTarget(), Loader::create().value(),
                             sequentialExecutor())
                   .value();
  TuningOptions options;
  options.threads = 2;
  options.budgetMilliseconds = 2000; // enough for each, however busy it is
  options.maxCandidates = 24;
  options.maxObjects = 3;
  options.maxNeighbours = 4;
  return tuner->tune(problemOf(problem), options);
}

TEST(ReadersChoice, ReadsAColdWeightTwiceForAClearGainAlone) {
  const char *text = "16x256:256x512 bias+relu";
  const Problem problem = problemOf(text);
  Expected<TuningResult> result = tuneInTurns(text);
  ASSERT_TRUE(result) << result.error().message();
  const Candidate &winner = result->winner();
  const auto readsOnce = [&](const Candidate &candidate) {
    return candidate.medianMicroseconds > 0 &&
           readsOfWeight(candidate.schedule, problem) == 1;
  };
  // Both kinds were raced, so that there was a choice.
  ASSERT_TRUE(std::ranges::any_of(result->candidates, readsOnce));
  ASSERT_FALSE(std::ranges::all_of(result->candidates, readsOnce));
  if (readsOfWeight(winner.schedule, problem) == 1)
    return;
  const auto lost = std::ranges::find_if(result->candidates, readsOnce);
  EXPECT_GT(lost->medianMicroseconds, 1.05 * winner.medianMicroseconds)
      << winner.schedule.text();
}

/// Who was faster and reads more often says why it does not win.
TEST(ReadersChoice, SaysWhyTheFastestGivesWay) {
  Expected<TuningResult> result = tuneInTurns("24x192:192x512 relu");
  ASSERT_TRUE(result) << result.error().message();
  const double best = result->winner().medianMicroseconds;
  for (const Candidate &candidate : result->candidates) {
    EXPECT_TRUE(candidate.medianMicroseconds == 0 ||
                candidate.medianMicroseconds >= best);
    if (!candidate.reason.empty())
      EXPECT_THAT(candidate.reason, AnyOf(HasSubstr("the same weight"),
                                          HasSubstr("more threads")));
  }
}

} // namespace
