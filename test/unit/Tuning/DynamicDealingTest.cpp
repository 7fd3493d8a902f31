// A race with several threads tries chunks that threads take as they get free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"

#include "Schedule/SearchSpace.h"
#include "Tuning/Tuner.h"

#include <algorithm>
#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AnyOf;

namespace {

/// A quick race.
Expected<TuningResult> tuneQuickly(const char *problem, int threads,
                                   const std::shared_ptr<Executor> &executor) {
  auto tuner =
      Tuner::create(hostTarget(), Loader::create().value(), executor).value();
  TuningOptions options;
  options.threads = threads;
  options.budgetMilliseconds = 2000; // enough for each, however busy it is
  options.maxCandidates = 8;
  options.maxObjects = 2;
  options.maxNeighbours = 4;
  return tuner->tune(problemOf(problem), options);
}

/// Candidates that deal out dynamically and were timed.
size_t dynamicCandidates(const char *problem, int threads) {
  Expected<TuningResult> result =
      tuneQuickly(problem, threads, openMPExecutor());
  if (!result) {
    ADD_FAILURE() << result.error().message();
    return 0;
  }
  EXPECT_LE(result->maxError, 1);
  EXPECT_LE(result->objectsCompiled, 16);
  size_t found = 0;
  for (const Candidate &candidate : result->candidates) {
    if (candidate.schedule.deal != Dealing::dynamic)
      continue;
    found += candidate.medianMicroseconds > 0;
    EXPECT_THAT(candidate.status,
                AnyOf(CandidateStatus::winner, CandidateStatus::timed,
                      CandidateStatus::dropped))
        << candidate.schedule.text() << ": " << candidate.reason;
  }
  return found;
}

TEST(DynamicDealing, RacesWithSeveralThreads) {
  EXPECT_GT(dynamicCandidates("197x256:256x512 bias+relu", 2), 0U);
}

/// A call of some ten milliseconds is raced on a slice of its columns.
TEST(DynamicDealing, RacesOnSlices) {
  EXPECT_GT(dynamicCandidates("300x1024:1024x8000 bias", 3), 0U);
}

/// Parts that run one after the other take as long however they are dealt out,
/// so that equal shares gain nothing.
TEST(DynamicDealing, IsLeftByManyThreadsForAClearGainAlone) {
  const char *problem = "197x256:256x512 bias+relu";
  Expected<TuningResult> result = tuneQuickly(problem, 4, sequentialExecutor());
  ASSERT_TRUE(result) << result.error().message();
  const Candidate &winner = result->winner();
  if (winner.schedule.deal == Dealing::dynamic) {
    for (const Candidate &candidate : result->candidates)
      if (candidate.reason.find("equal shares") != std::string::npos) {
        EXPECT_EQ(candidate.schedule.deal, Dealing::fixed);
        EXPECT_LE(winner.medianMicroseconds,
                  1.1 * candidate.medianMicroseconds);
      }
    return;
  }
  const Schedule twin =
      dynamicTwins(winner.schedule, problemOf(problem), hostTarget(), 4)
          .front();
  const auto met =
      std::ranges::find_if(result->candidates, [&](const Candidate &candidate) {
        return candidate.schedule == twin;
      });
  ASSERT_NE(met, result->candidates.end()) << twin.text();
  EXPECT_GT(met->medianMicroseconds, 1.1 * winner.medianMicroseconds);
}

TEST(DynamicDealing, HasNoUseForOneThread) {
  EXPECT_EQ(dynamicCandidates("197x256:256x512 bias+relu", 1), 0U);
}

} // namespace
