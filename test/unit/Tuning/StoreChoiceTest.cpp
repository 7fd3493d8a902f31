// Whether a tuning streams outputs past the caches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"

#include "Tuning/StoreChoice.h"
#include "Tuning/Tuner.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::SizeIs;

namespace {

/// With caches so small that 8 MiB of outputs are many times as large.
class StoreChoice : public testing::Test {
protected:
  static constexpr const char *kHugeOutputs = "2048x16:16x1024 bias";

  static TuningResult tuneOn(int64_t l3, const TuningOptions &options) {
    Target target = hostTarget();
    target.l3 = l3;
    target.l2 = std::min(target.l2, l3);
    const auto tuner = std::move(
        Tuner::create(target, Loader::create().value(), openMPExecutor())
            .value());
    Expected<TuningResult> result =
        tuner->tune(problemOf(kHugeOutputs), options);
    EXPECT_TRUE(result) << result.error().message();
    return std::move(*result);
  }
  static TuningOptions enoughBudget() {
    TuningOptions options;
    options.threads = 2;
    options.maxCandidates = 8;
    options.maxObjects = 3;
    options.budgetMilliseconds = 2000; // however busy the machine is
    options.panel = PanelShape{16, 1}; // whole lines on every level
    options.maxNeighbours = 1;         // a tuning that looks further
    return options;
  }
  static std::vector<Candidate> streamed(const TuningResult &result) {
    std::vector<Candidate> found;
    for (const Candidate &candidate : result.candidates)
      if (candidate.schedule.streamsOutputs())
        found.push_back(candidate);
    return found;
  }
};

TEST_F(StoreChoice, RacesOneThatStreamsHugeOutputs) {
  const TuningResult result = tuneOn(512 << 10, enoughBudget());
  const std::vector<Candidate> found = streamed(result);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_GT(found[0].medianMicroseconds, 0);
  EXPECT_LE(found[0].maxError, 1);
  for (const Candidate &candidate : result.candidates)
    EXPECT_TRUE(candidate.medianMicroseconds == 0 ||
                candidate.medianMicroseconds >=
                    result.winner().medianMicroseconds);
}

TEST_F(StoreChoice, StreamsNothingThatTheCachesHold) {
  EXPECT_THAT(streamed(tuneOn(16 << 20, enoughBudget())), SizeIs(0));
}

TEST_F(StoreChoice, IsLeftOutWhereNothingElseIsTried) {
  TuningOptions hasty = enoughBudget();
  hasty.maxNeighbours = 0;
  EXPECT_THAT(streamed(tuneOn(512 << 10, hasty)), SizeIs(0));
}

/// Its time says on how many rows it can be met.
TEST_F(StoreChoice, IsLeftOutWhereNobodyWasTimed) {
  TuningOptions hasty = enoughBudget();
  hasty.budgetMilliseconds = 1e-300;
  const TuningResult result = tuneOn(512 << 10, hasty);
  EXPECT_EQ(result.winner().medianMicroseconds, 0);
  EXPECT_THAT(streamed(result), SizeIs(0));
}

/// Equal shares may be as fast as dealt chunks in the minute of a race, and
/// twice as slow in the next.
TEST(StandIn, SharesOutWorkAsTheWinnerDoes) {
  const Schedule dealt = *Schedule::parse("tile=4x24,grid=4x8,deal=dynamic");
  const Schedule equal = *Schedule::parse("tile=6x16,grid=2x2");
  const Schedule fewer = *Schedule::parse("tile=6x16,grid=1x2");
  const Schedule fewDealt = *Schedule::parse("tile=4x24,grid=2x8,deal=dynamic");
  const auto standsIn = [&](const Schedule &other, const Schedule &winner,
                            int threads, const char *problem) {
    return mayStandIn(other, winner, problemOf(problem), hostTarget(), threads);
  };
  constexpr const char *kMany = "400x256:256x512", *kFew = "32x256:256x512";
  EXPECT_FALSE(standsIn(equal, dealt, 4, kMany));
  EXPECT_TRUE(standsIn(dealt, dealt, 4, kMany));
  EXPECT_TRUE(standsIn(fewer, equal, 4, kMany));
  EXPECT_FALSE(standsIn(equal, fewer, 4, kMany));
  EXPECT_TRUE(standsIn(equal, fewer, 2, kMany));
  EXPECT_TRUE(standsIn(dealt, fewDealt, 4, kMany));
  EXPECT_FALSE(standsIn(fewDealt, dealt, 4, kMany));
  // Few rows find the weight cold: to read it twice was decided against.
  EXPECT_FALSE(standsIn(equal, fewer, 2, kFew));
  EXPECT_TRUE(standsIn(fewer, equal, 2, kFew));
}

TEST_F(StoreChoice, LeavesAPinnedScheduleAlone) {
  TuningOptions options = enoughBudget();
  options.pinned = *Schedule::parse("tile=2x16");
  EXPECT_THAT(tuneOn(512 << 10, options).candidates, SizeIs(1));
}

} // namespace
