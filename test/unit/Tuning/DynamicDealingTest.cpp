// A race with several threads tries chunks that threads take as they get free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"
#include "unit/Tuning/WrappingLoader.h"

#include "Runtime/Clock.h"
#include "Schedule/Partition.h"
#include "Tuning/Tuner.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

using namespace lintel;
using ::testing::AnyOf;

namespace {

/// Of a quick race of so many candidates.
TuningOptions quickOptions(int threads, size_t candidates, size_t objects) {
  TuningOptions options;
  options.threads = threads;
  options.budgetMilliseconds = 2000; // enough for each, however busy it is
  options.maxCandidates = candidates;
  options.maxObjects = objects;
  options.maxNeighbours = 4;
  return options;
}

Expected<TuningResult> tuneQuickly(const char *problem, int threads,
                                   const std::shared_ptr<Executor> &executor) {
  auto tuner =
      Tuner::create(hostTarget(), Loader::create().value(), executor).value();
  return tuner->tune(problemOf(problem), quickOptions(threads, 8, 2));
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

constexpr int kThreads = 4;

/// How many microseconds a call takes: in equal shares of most threads, in few
/// chunks for them to take, and in many. Longer than the kernel itself does,
/// and so short that whoever else has the CPU seldom interrupts it.
struct Takes {
  double shares, few, many;
};
Takes takes;
constexpr double kLong = 3000;

/// Every part of a call takes its share of what the call is to take.
void takeItsTime(const WrappedCall &call) {
  const Clock::time_point start = Clock::now();
  call.run();
  const KernelArgs &args = *call.args;
  const int64_t chunks = args.gridM * args.gridN * args.gridK;
  const double microseconds = chunks <= kThreads / 2  ? kLong
                              : chunks <= kThreads    ? takes.shares
                              : chunks < 8 * kThreads ? takes.few
                                                      : takes.many;
  while (microsecondsSince(start) < microseconds / call.nthreads)
    ;
}

TuningResult tuneWhereCallsTake(const Takes &microseconds) {
  takes = microseconds;
  auto tuner = Tuner::create(hostTarget(),
                             std::make_shared<WrappingLoader<takeItsTime>>(),
                             sequentialExecutor())
                   .value();
  Expected<TuningResult> result = tuner->tune(
      problemOf("64x128:128x512 bias+relu"), quickOptions(kThreads, 12, 3));
  EXPECT_TRUE(result) << result.error().message();
  return std::move(*result);
}

/// Whether a candidate gave way, though it was faster, for such a reason.
bool gaveWay(const TuningResult &result, std::string_view reason) {
  return std::ranges::any_of(
      result.candidates, [&](const Candidate &candidate) {
        return candidate.reason.find(reason) != std::string::npos;
      });
}

/// A tuning in which somebody gave way for such a reason. Times that are so
/// close may be told otherwise where others have the CPU, but not every time.
std::optional<TuningResult> tuneUntilOneGivesWay(const Takes &microseconds,
                                                 std::string_view reason) {
  for (int tries = 0; tries < 8; ++tries)
    if (TuningResult result = tuneWhereCallsTake(microseconds);
        gaveWay(result, reason))
      return result;
  return std::nullopt;
}

TEST(DynamicDealing, IsPreferredToEqualSharesThatGainLittle) {
  const std::optional<TuningResult> result =
      tuneUntilOneGivesWay({750, 790, 790}, "equal shares");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->winner().schedule.deal, Dealing::dynamic)
      << result->winner().schedule.text();
  // What was faster is reported to be as fast.
  for (const Candidate &candidate : result->candidates)
    EXPECT_TRUE(candidate.medianMicroseconds == 0 ||
                candidate.medianMicroseconds >=
                    result->winner().medianMicroseconds)
        << candidate.schedule.text();
}

TEST(DynamicDealing, IsLeftForAClearGain) {
  const TuningResult result = tuneWhereCallsTake({750, 940, 940});
  EXPECT_EQ(result.winner().schedule.deal, Dealing::fixed)
      << result.winner().schedule.text();
  EXPECT_FALSE(gaveWay(result, "equal shares"));
}

TEST(DynamicDealing, PrefersManyChunksToFewThatGainLittle) {
  const std::optional<TuningResult> result =
      tuneUntilOneGivesWay({kLong, 750, 761}, "few chunks");
  ASSERT_TRUE(result);
  EXPECT_GE(chunksOf(result->winner().schedule), 8 * kThreads)
      << result->winner().schedule.text();
}

/// Who wins has few, unless none were tried beside its equal shares.
TEST(DynamicDealing, LeavesManyChunksForAClearGain) {
  const TuningResult result = tuneWhereCallsTake({750, 750, 870});
  EXPECT_LT(chunksOf(result.winner().schedule), 8 * kThreads)
      << result.winner().schedule.text();
  EXPECT_FALSE(gaveWay(result, "few chunks"));
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
