// Where another hyperthread makes instructions dear, a winner meets a kernel of
// fewer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"

#include "Schedule/Ranking.h"
#include "Tuning/Tuner.h"

#include <algorithm>
#include <gmock/gmock.h>

using namespace lintel;
using ::testing::HasSubstr;

namespace {

class InstructionsChoice : public ::testing::Test {
protected:
  void SetUp() override {
    if (hostTarget().isa != IsaLevel::avx512)
      GTEST_SKIP() << "this machine cannot run avx512";
  }

  /// With candidates that read rows in place, whatever is fastest here.
  static Expected<TuningResult> tuneFor(const char *cpu) {
    Target target = hostTarget();
    target.cpu = cpu;
    auto tuner =
        Tuner::create(target, Loader::create().value(), sequentialExecutor())
            .value();
    TuningOptions options;
    options.threads = 1;
    options.budgetMilliseconds = 500;
    options.maxCandidates = 4;
    options.maxObjects = 2;
    options.maxNeighbours = 2;
    return tuner->tune(problemOf("197x500:500x768 bias"), options);
  }
};

TEST_F(InstructionsChoice, RacesEmbeddedRowsOnSuchCores) {
  Expected<TuningResult> result = tuneFor("cascadelake");
  ASSERT_TRUE(result) << result.error().message();
  const auto embeds = [](const Candidate &candidate) {
    return candidate.schedule.embed > 0 && candidate.medianMicroseconds > 0;
  };
  EXPECT_TRUE(std::ranges::any_of(result->candidates, embeds));
  // Who was faster says so.
  for (const Candidate &candidate : result->candidates)
    if (!candidate.reason.empty())
      EXPECT_THAT(candidate.reason, HasSubstr("another hyperthread works"));
}

TEST_F(InstructionsChoice, LeavesOtherCoresAlone) {
  Expected<TuningResult> result = tuneFor("znver4");
  ASSERT_TRUE(result) << result.error().message();
  for (const Candidate &candidate : result->candidates)
    EXPECT_EQ(candidate.schedule.embed, 0) << candidate.schedule.text();
}

TEST(PredictBesideHyperthread, ChargesInstructionsWhereTheyAreDear) {
  Target target;
  target.isa = IsaLevel::avx512;
  target.cpu = "cascadelake";
  const Problem problem = problemOf("197x768:768x2304");
  const auto slowdown = [&](const char *text) {
    const Schedule schedule = Schedule::parse(text).value();
    return predictBesideHyperthread(schedule, problem, target, 1) /
           predictMicroseconds(schedule, problem, target, 1);
  };
  const double inPlace = slowdown("tile=8x48,mc=64,nc=48,prefetch=8192");
  const double embedded =
      slowdown("tile=9x48,mc=63,nc=48,prefetch=8192,pack=block,embed=5");
  EXPECT_GT(inPlace, 1.05);
  EXPECT_LT(embedded, inPlace - 0.05);
  target.cpu = "znver4";
  EXPECT_EQ(slowdown("tile=8x48,mc=64,nc=48,prefetch=8192"), 1);
}

} // namespace
