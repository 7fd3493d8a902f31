// The tuner with the real compiler on this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/TunerFixture.h"

#include "Schedule/Ranking.h"
#include "Schedule/SameCode.h"

#include <gmock/gmock.h>
#include <optional>
#include <set>
#include <string>

using namespace lintel;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

namespace {

TEST_F(TunerTest, AWinnerThatWasNeverTimedIsNoisy) {
  TuningOptions none = quick(1);
  none.budgetMilliseconds = 0;
  const TuningResult result = tune("29x64:64x80", none);
  EXPECT_EQ(result.winner().medianMicroseconds, 0);
  EXPECT_TRUE(result.noisy());
  EXPECT_THAT(result.doubt, Not(HasSubstr("CPUs")));
}

TEST_F(TunerTest, DoubtNamesThreadsThatShareCpus) {
  TuningOptions none = quick(static_cast<int>(hostTarget().cores) + 1);
  none.budgetMilliseconds = 0;
  EXPECT_THAT(tune("29x64:64x80", none).doubt,
              HasSubstr("with more threads (" + std::to_string(none.threads) +
                        ") than CPUs (" + std::to_string(hostTarget().cores) +
                        ")"));
}

/// Writes what the original does, but is off in the last column of fewer rows
/// than a race has.
std::shared_ptr<const Kernel> ofManyRows;
constexpr int64_t kWide = 2048;
void offOnFewRows(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  ofManyRows->function()(args, tid, nthreads);
  if (args->m < 300 && tid == nthreads - 1)
    static_cast<float *>(args->outputs[0].data)[kWide - 1] += 1e6;
}

class OffOnFewRows : public Loader {
public:
  Expected<std::shared_ptr<const Kernel>>
  load(std::span<const std::byte> object, std::string_view symbol) override {
    struct Off : Kernel {
      Off() { entry = offOnFewRows; }
    };
    ofManyRows = real->load(object, symbol).value();
    return std::shared_ptr<const Kernel>(std::make_shared<Off>());
  }

private:
  std::shared_ptr<Loader> real = Loader::create().value();
};

/// Tiles of 28 rows are judged on 812, on fewer columns than there are: the
/// last ones.
TEST_F(TunerTest, TallTilesOfADynamicMAreJudgedOnSomeColumns) {
  if (hostTarget().isa != IsaLevel::avx512)
    GTEST_SKIP() << "tiles of 28 rows take 32 registers";
  TuningOptions options = quick(/*threads=*/1);
  options.pinned = *Schedule::parse("tile=28x16");
  const Problem layer = problemOf("65..?@512x33:33x2048");
  const Expected<TuningResult> right = realTuner()->tune(layer, options);
  ASSERT_TRUE(right) << right.error().message();
  EXPECT_LE(right->maxError, 1);
  const Expected<TuningResult> wrong =
      tunerWith(std::make_shared<OffOnFewRows>())->tune(layer, options);
  ofManyRows = nullptr;
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code(), ErrorCode::wrongResult);
}

/// On a slice of 443 rows the kernel, which cuts by 27, has 17 strips, and the
/// grid, which is cut by 28, 16 chunks: one of them has two strips.
TEST_F(TunerTest, AChunkOfASliceMayHaveMoreStripsThanOneOfTheWhole) {
  if (hostTarget().isa != IsaLevel::avx512)
    GTEST_SKIP() << "tiles of 28 rows take avx512";
  TuningOptions options = quick(1);
  options.pinned = *Schedule::parse("tile=28x16,pack=block,mc=56,grid=26x1");
  for (int k : {1000, 1090, 1150, 1240}) {
    const std::string depth = std::to_string(k);
    const TuningResult result =
        tune(("701x" + depth + ":" + depth + "x32").c_str(), options);
    EXPECT_LE(result.maxError, 1) << k;
  }
}

/// How many take part in a quick race: eight, if the CPU has as many of three
/// objects.
size_t quickCandidates(std::string_view problem) {
  return selectCandidates(problemOf(problem), hostTarget(), /*threads=*/2,
                          /*count=*/8, /*maxObjects=*/3, std::nullopt)
      .size();
}

TEST_F(TunerTest, DeliversAVerifiedWinner) {
  const TuningResult result = tune("64x96:96x80 bias+relu", quick());
  EXPECT_EQ(result.winner().status, CandidateStatus::winner);
  EXPECT_GT(result.winner().medianMicroseconds, 0);
  EXPECT_LE(result.winner().minMicroseconds,
            result.winner().medianMicroseconds);
  EXPECT_LE(result.maxError, 1);
  EXPECT_NE(result.winnerKernel, nullptr);
  EXPECT_FALSE(result.winnerObject.bytes.empty());
  EXPECT_LE(result.objectsCompiled, 3);
  EXPECT_THAT(result.candidates,
              SizeIs(quickCandidates("64x96:96x80 bias+relu")));
  EXPECT_FALSE(result.interrupted);
  EXPECT_GE(result.totalMilliseconds, result.compileMilliseconds +
                                          result.verifyMilliseconds +
                                          result.timeMilliseconds);
}

TEST_F(TunerTest, OrdersCandidatesByMedianWithTheUntimedLast) {
  TuningOptions options = quick();
  options.budgetMilliseconds = 2000; // enough for each, however busy it is
  const TuningResult result = tune("64x96:96x80", options);
  // The winner is first whatever it took.
  ASSERT_GT(result.candidates.size(), 2u);
  EXPECT_GT(result.candidates[2].medianMicroseconds, 0);
  for (size_t i = 2; i < result.candidates.size(); ++i) {
    const double before = result.candidates[i - 1].medianMicroseconds;
    const double median = result.candidates[i].medianMicroseconds;
    EXPECT_TRUE(median == 0 || (before > 0 && before <= median));
  }
}

TEST_F(TunerTest, RacesTheWinnersNeighbours) {
  TuningOptions options = quick(1);
  options.budgetMilliseconds = 2000; // enough for each, however busy it is
  options.maxCandidates = options.maxObjects = 1;
  options.maxNeighbours = 5;
  const char *const layer = "197x256:256x512 bias+relu";
  const TuningResult result = tune(layer, options);
  EXPECT_GT(result.candidates.size(), 3u);
  const Schedule first =
      selectCandidates(problemOf(layer), hostTarget(), /*threads=*/1,
                       /*count=*/1, /*maxObjects=*/1, std::nullopt)
          .front();
  int onOtherTiles = 0;
  for (const Candidate &candidate : result.candidates) {
    onOtherTiles += !sameTile(candidate.schedule, first);
    EXPECT_GT(candidate.medianMicroseconds, 0);
    EXPECT_GE(candidate.medianMicroseconds, result.winner().medianMicroseconds);
  }
  // For busy cores a winner meets one more, on any tile.
  EXPECT_LE(onOtherTiles, 1);
}

TEST_F(TunerTest, TimesASliceOfALongCallAndConfirmsTheWinner) {
  // Some ten milliseconds on one thread: sliced in both directions.
  const TuningResult result = tune("300x1024:1024x4000 bias", quick(1));
  EXPECT_EQ(result.winner().status, CandidateStatus::winner);
  EXPECT_LE(result.maxError, 1);
  EXPECT_GT(result.winner().medianMicroseconds, 0);
  for (const Candidate &candidate : result.candidates)
    if (candidate.medianMicroseconds > 0) {
      EXPECT_GE(candidate.medianMicroseconds,
                result.winner().medianMicroseconds);
      EXPECT_LE(candidate.minMicroseconds, candidate.medianMicroseconds);
    }
}

TEST_F(TunerTest, RacesSchedulesWhoseThreadsShareK) {
  TuningOptions options = quick(3);
  options.maxCandidates = 40;
  options.maxObjects = 10;
  const TuningResult result = tune("1x65536:65536x16 bias", options);
  EXPECT_LE(result.maxError, 1);
  size_t sharing = 0;
  for (const Candidate &candidate : result.candidates)
    if (candidate.schedule.gridK > 1) {
      ++sharing;
      EXPECT_THAT(candidate.status,
                  AnyOf(CandidateStatus::winner, CandidateStatus::timed,
                        CandidateStatus::dropped))
          << candidate.schedule.text();
    }
  EXPECT_GT(sharing, 0u);
}

TEST_F(TunerTest, TimesAPinnedScheduleWithSlicesWhole) {
  TuningOptions options = quick();
  options.pinned = *Schedule::parse("tile=4x16,epilogue=tile,grid=1x2x3");
  // Long enough, some 4 ms, to be raced on a slice.
  const TuningResult result = tune("8x4096:4096x4096 bias", options);
  EXPECT_EQ(result.winner().schedule, *options.pinned);
  EXPECT_EQ(result.winner().status, CandidateStatus::winner);
  EXPECT_LE(result.maxError, 1);
}

TEST_F(TunerTest, TunesTheAwkwardShapes) {
  for (const char *problem :
       {"1x1:1x1", "5x0:0x3 bias", "1x777:777x65 silu", "?x33:33x17 residual",
        "33x17:17x1 gelu_erf", "29x64:64x129 bias+gelu_tanh+mul"}) {
    const TuningResult result = tune(problem, quick());
    EXPECT_EQ(result.winner().status, CandidateStatus::winner) << problem;
    EXPECT_LE(result.maxError, 1) << problem;
  }
}

TEST_F(TunerTest, RacesOnASliceAndReportsAllRows) {
  // A thousand times the work, in the same budget.
  const TuningResult small = tune("2000x64:64x64", quick(1));
  const TuningResult large = tune("2000000x64:64x64", quick(1));
  EXPECT_GT(large.winner().minMicroseconds,
            50 * small.winner().minMicroseconds);
  EXPECT_LT(large.timeMilliseconds, 5000);
}

TEST_F(TunerTest, TunesAsManyRowsAsThereAre) {
  const TuningResult result = tune("2147483648x16:16x16", quick());
  EXPECT_EQ(result.winner().status, CandidateStatus::winner);
}

TEST_F(TunerTest, PinnedScheduleIsVerifiedAndTimedAlone) {
  TuningOptions options = quick();
  const Problem problem = problemOf("64x96:96x80");
  options.pinned = bestPredictedSchedule(problem, hostTarget(), 1);
  const TuningResult result = tune("64x96:96x80", options);
  ASSERT_THAT(result.candidates, SizeIs(1));
  EXPECT_EQ(result.winner().schedule, *options.pinned);
  EXPECT_GT(result.winner().medianMicroseconds, 0);
}

TEST_F(TunerTest, RacesOnlySchedulesOfAPanelThatIsAskedFor) {
  TuningOptions options = quick();
  options.panel = PanelShape{hostTarget().lanes(), 1};
  for (const Candidate &candidate : tune("2..8x96:96x80", options).candidates)
    EXPECT_EQ(candidate.schedule.panel(), *options.panel);
  options.panel = PanelShape{hostTarget().lanes() + 1, 1};
  Expected<TuningResult> result =
      realTuner()->tune(problemOf("2..8x96:96x80"), options);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("no schedule has panels of"));
}

TEST_F(TunerTest, PinnedTileMayBeTallerThanM) {
  TuningOptions options = quick();
  options.pinned = *Schedule::parse("tile=4x16,pack=block,mc=4,grid=3x3");
  for (const char *problem : {"1x16:16x40", "3x16:16x40", "5x16:16x40"})
    EXPECT_LE(tune(problem, options).maxError, 1) << problem;
}

TEST_F(TunerTest, RefusesAnIllegalPinnedSchedule) {
  TuningOptions options = quick();
  options.pinned = *Schedule::parse("tile=99x16");
  Expected<TuningResult> result =
      realTuner()->tune(problemOf("64x96:96x80"), options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::invalidArgument);
  EXPECT_THAT(result.error().message(), HasSubstr("mr"));
}

TEST_F(TunerTest, RefusesProblemsWithoutOutput) {
  for (const char *problem : {"0x4:4x4", "4x4:4x0"}) {
    Expected<TuningResult> result =
        realTuner()->tune(problemOf(problem), quick());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code(), ErrorCode::invalidArgument);
  }
}

/// A mistake in a region is none of the schedules'.
TEST_F(TunerTest, RefusesARegionThatIsNone) {
  const auto messageFor = [](const char *region) {
    const Problem problem = *Problem::create(
        4, 16, 8, DataTypes(), Epilogue::fromRegion(region, {}, 1));
    const std::unique_ptr<Tuner> tuner = realTuner();
    Expected<TuningResult> tuned = tuner->tune(problem, quick());
    EXPECT_FALSE(tuned);
    Expected<std::vector<Candidate>> checked =
        tuner->check(problem, {*Schedule::parse("tile=4x16")}, quick());
    EXPECT_FALSE(checked);
    EXPECT_EQ(checked.error().message(), tuned.error().message());
    return tuned.error().message();
  };
  EXPECT_THAT(messageFor("relu"),
              AllOf(HasSubstr("epilogue region"), Not(HasSubstr("schedule"))));
  EXPECT_THAT(messageFor("{ ^bb0(%acc: i32): \"lintel.yield\"(%acc) : (i32) -> "
                         "() }"),
              AllOf(HasSubstr("the epilogue is not valid"), HasSubstr("i32"),
                    Not(HasSubstr("schedules"))));
}

TEST_F(TunerTest, RefusesMoreMemoryThanThereIs) {
  Expected<TuningResult> result =
      realTuner()->tune(problemOf("1x2000000000:2000000000x10000"), quick());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::io);
  EXPECT_THAT(result.error().message(), HasSubstr("MiB"));
}

TEST_F(TunerTest, WithoutABudgetDeliversThePredictedBest) {
  TuningOptions options = quick();
  options.budgetMilliseconds = 0;
  const TuningResult result = tune("64x96:96x80", options);
  EXPECT_EQ(result.winner().schedule,
            bestPredictedSchedule(problemOf("64x96:96x80"), hostTarget(), 2));
  EXPECT_EQ(result.winner().medianMicroseconds, 0);
  EXPECT_EQ(result.winner().status, CandidateStatus::winner);
}

TEST_F(TunerTest, WithoutCandidatesStillDelivers) {
  TuningOptions options = quick();
  options.maxCandidates = options.maxObjects = 0;
  EXPECT_THAT(tune("64x96:96x80", options).candidates, SizeIs(1));
}

TEST_F(TunerTest, ReportsProgressOfEachStage) {
  std::set<std::string> stages;
  TuningOptions options = quick();
  options.progress = [&](size_t done, size_t total, std::string_view what) {
    EXPECT_LE(done, total);
    stages.insert(std::string(what));
  };
  (void)tune("64x96:96x80", options);
  EXPECT_EQ(stages,
            (std::set<std::string>{"compiling", "verifying", "timing"}));
}

TEST_F(TunerTest, NeverLetsAWrongKernelWin) {
  auto loader = std::make_shared<SabotagingLoader>(Loader::create().value(), 2);
  Expected<TuningResult> result =
      tunerWith(loader)->tune(problemOf("64x96:96x80"), quick());
  ASSERT_TRUE(result) << result.error().message();
  int wrong = 0;
  for (const Candidate &candidate : result->candidates)
    if (candidate.status == CandidateStatus::wrong) {
      ++wrong;
      EXPECT_THAT(candidate.reason, HasSubstr("was not written"));
      EXPECT_EQ(candidate.medianMicroseconds, 0);
      EXPECT_GT(candidate.maxError, 1);
    }
  EXPECT_GE(wrong, 2);
  EXPECT_LE(result->maxError, 1);
}

TEST_F(TunerTest, SaysWhyWhenEveryKernelIsWrong) {
  auto loader =
      std::make_shared<SabotagingLoader>(Loader::create().value(), 1000);
  Expected<TuningResult> result =
      tunerWith(loader)->tune(problemOf("64x96:96x80"), quick());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::wrongResult);
  EXPECT_THAT(result.error().message(),
              AllOf(HasSubstr("none of " +
                              std::to_string(quickCandidates("64x96:96x80"))),
                    HasSubstr("was not written")));
}

/// All of its operations would hide what is said of it.
TEST_F(TunerTest, NamesARegionOnly) {
  const Problem problem = *Problem::create(
      4, 16, 8, DataTypes(),
      Epilogue::fromRegion("{ ^bb0(%acc: f32): \"lintel.yield\"(%acc) : (f32) "
                           "-> () }",
                           {}, 1));
  auto loader =
      std::make_shared<SabotagingLoader>(Loader::create().value(), 1000);
  const Expected<TuningResult> wrong =
      tunerWith(loader)->tune(problem, quick());
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message(), StartsWith("4x8:8x16 region: none of "));
  TuningOptions stopped = quick();
  stopped.stop = [] { return true; };
  EXPECT_EQ(realTuner()->tune(problem, stopped).error().message(),
            "4x8:8x16 region: interrupted before a kernel was verified");
}

TEST_F(TunerTest, NeedsALoaderAndAnExecutor) {
  EXPECT_FALSE(Tuner::create(hostTarget(), nullptr, sequentialExecutor()));
  EXPECT_FALSE(Tuner::create(hostTarget(), Loader::create().value(), nullptr));
}

TEST(CandidateStatus, HasNames) {
  EXPECT_EQ(toString(CandidateStatus::winner), "winner");
  EXPECT_EQ(toString(CandidateStatus::timed), "timed");
  EXPECT_EQ(toString(CandidateStatus::dropped), "dropped");
  EXPECT_EQ(toString(CandidateStatus::wrong), "wrong");
  EXPECT_EQ(toString(CandidateStatus::failed), "failed");
  EXPECT_EQ(toString(CandidateStatus::right), "right");
  EXPECT_EQ(toString(CandidateStatus::unchecked), "not checked");
}

} // namespace
