// A race with several threads tries chunks that threads take as they get free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"

#include "Schedule/Partition.h"
#include "Tuning/Tuner.h"

#include <algorithm>
#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AnyOf;
using ::testing::HasSubstr;

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
  Expected<TuningResult> result =
      tuneQuickly("197x256:256x512 bias+relu", 4, sequentialExecutor());
  ASSERT_TRUE(result) << result.error().message();
  const Candidate &winner = result->winner();
  const Schedule &best = winner.schedule;
  const bool usesMostThreads = best.gridM * best.gridN * best.gridK > 2;
  const auto mayLose = [&](const Candidate &candidate) {
    return candidate.schedule.deal == Dealing::dynamic &&
           candidate.medianMicroseconds > 1.1 * winner.medianMicroseconds;
  };
  if (best.deal == Dealing::fixed && usesMostThreads)
    EXPECT_TRUE(std::ranges::any_of(result->candidates, mayLose))
        << best.text();
  for (const Candidate &candidate : result->candidates) {
    const double median = candidate.medianMicroseconds;
    EXPECT_TRUE(median == 0 || median >= winner.medianMicroseconds)
        << candidate.schedule.text();
    // Who was faster says so.
    if (!candidate.reason.empty())
      EXPECT_THAT(candidate.reason,
                  AnyOf(HasSubstr("equal shares"), HasSubstr("few chunks"),
                        HasSubstr("more threads")));
  }
}

/// Parts that run one after the other take as long on many chunks as on few.
TEST(DynamicDealing, OfFewChunksMeetsMoreOfThem) {
  constexpr int kThreads = 4;
  Expected<TuningResult> result =
      tuneQuickly("197x256:256x512 bias+relu", kThreads, sequentialExecutor());
  ASSERT_TRUE(result) << result.error().message();
  const Candidate &winner = result->winner();
  const Schedule &best = winner.schedule;
  // Or few lost to more, as far as it has strips and panels for them.
  const auto lost = [&](const Candidate &candidate) {
    const bool hasMore = candidate.schedule.deal == Dealing::dynamic &&
                         chunksOf(candidate.schedule) >= 2 * chunksOf(best);
    return candidate.reason.find("few chunks") != std::string::npos ||
           (hasMore &&
            candidate.medianMicroseconds > 1.03 * winner.medianMicroseconds);
  };
  if (best.deal == Dealing::dynamic && chunksOf(best) < 8 * kThreads)
    EXPECT_TRUE(std::ranges::any_of(result->candidates, lost)) << best.text();
}

/// A schedule that deals out fewer chunks than there are threads stays in a
/// race that has no other.
TEST(DynamicDealing, OfFewChunksIsNoFault) {
  auto tuner = Tuner::create(hostTarget(), Loader::create().value(),
                             sequentialExecutor())
                   .value();
  TuningOptions options;
  options.threads = 4;
  options.pinned = *Schedule::parse("tile=4x16,grid=2x1,deal=dynamic");
  Expected<TuningResult> result =
      tuner->tune(problemOf("24x32:32x48"), options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_GT(result->winner().medianMicroseconds, 0);
}

TEST(DynamicDealing, HasNoUseForOneThread) {
  EXPECT_EQ(dynamicCandidates("197x256:256x512 bias+relu", 1), 0U);
}

} // namespace
