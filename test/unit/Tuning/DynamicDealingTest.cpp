// A race with several threads tries chunks that threads take as they get free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"

#include "Tuning/Tuner.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AnyOf;

namespace {

/// Candidates of a quick race that deal out dynamically and were timed.
size_t dynamicCandidates(const char *problem, int threads) {
  const Target target = hostTarget();
  auto tuner =
      Tuner::create(target, Loader::create().value(), openMPExecutor()).value();
  TuningOptions options;
  options.threads = threads;
  options.budgetMilliseconds = 2000; // enough for each, however busy it is
  options.maxCandidates = 8;
  options.maxObjects = 2;
  options.maxNeighbours = 4;
  Expected<TuningResult> result = tuner->tune(problemOf(problem), options);
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

TEST(DynamicDealing, HasNoUseForOneThread) {
  EXPECT_EQ(dynamicCandidates("197x256:256x512 bias+relu", 1), 0U);
}

} // namespace
