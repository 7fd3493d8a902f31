// How many threads read the same weight.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"
#include "unit/Tuning/WrappingLoader.h"

#include "Runtime/Clock.h"
#include "Tuning/ReadersChoice.h"
#include "Tuning/Tuner.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace lintel;

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

/// What a call takes that reads the weight more than once, in those of one that
/// reads it once.
double readingTwiceTakes = 1;

/// One that reads it once takes four milliseconds, so that what each chunk adds
/// does not matter.
void takeItsTime(const WrappedCall &call) {
  const Clock::time_point start = Clock::now();
  call.run();
  const double ofAll = 4000 * (call.args->gridM > 1 ? readingTwiceTakes : 1);
  while (microsecondsSince(start) < ofAll / call.nthreads)
    ;
}

/// With few rows, so that calls find the weight cold, and two threads, whose
/// parts run one after the other.
class ReadersChoiceOfTuner : public ::testing::Test {
protected:
  static constexpr const char *kProblem = "24x512:512x1024 bias";

  static Expected<TuningResult> tune() {
    auto tuner = Tuner::create(hostTarget(),
                               std::make_shared<WrappingLoader<takeItsTime>>(),
                               sequentialExecutor())
                     .value();
    TuningOptions options;
    options.threads = 2;
    options.budgetMilliseconds = 500;
    options.maxCandidates = 16;
    options.maxNeighbours = 2;
    return tuner->tune(problemOf(kProblem), options);
  }

  static int64_t readsOf(const Candidate &candidate) {
    return readsOfWeight(candidate.schedule, problemOf(kProblem));
  }
};

TEST_F(ReadersChoiceOfTuner, TakesOneReaderThatCostsALittle) {
  readingTwiceTakes = 0.97;
  Expected<TuningResult> result = tune();
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(readsOf(result->winner()), 1) << result->winner().schedule.text();
  EXPECT_EQ(result->winner().reason, "");
  // Who was faster says so.
  EXPECT_TRUE(
      std::ranges::any_of(result->candidates, [](const Candidate &candidate) {
        return readsOf(candidate) > 1 &&
               candidate.reason.find("the same weight") != std::string::npos;
      }));
}

TEST_F(ReadersChoiceOfTuner, LeavesOneReaderThatCostsMore) {
  readingTwiceTakes = 0.85;
  Expected<TuningResult> result = tune();
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_GT(readsOf(result->winner()), 1) << result->winner().schedule.text();
}

} // namespace
