// Kernels that are right on the slice of a race and wrong on all rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/TiringExecutor.h"
#include "unit/Tuning/TunerFixture.h"
#include "unit/Tuning/WrappingLoader.h"

#include "Runtime/Clock.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

using namespace lintel;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

/// A problem that is raced on fewer rows than kRightRows, some 30 000, and
/// confirmed on more, where L3 has over 6 MiB.
constexpr const char *kTall = "400000x64:64x64";
constexpr int64_t kLastColumn = 63;
constexpr int64_t kRightRows = 60'000;
/// Whether a kernel was called on many rows.
std::atomic<bool> sawManyRows;

/// Computes as the original does, and spoils the last element where there are
/// many rows: that of the last chunk, so that no other thread writes it.
void spoil(const WrappedCall &call) {
  call.run();
  const KernelArgs &args = *call.args;
  if (args.m <= kRightRows)
    return;
  sawManyRows = true;
  const KernelTensor &output = args.outputs[0];
  if (call.tid == call.nthreads - 1)
    static_cast<float *>(
        output.data)[(args.m - 1) * output.stride + kLastColumn] += 1e6;
}

using SpoilingLoader = WrappingLoader<spoil>;

/// Runs parts on the calling thread, and none after the first that was of many
/// rows.
class ExhaustedExecutor : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    for (int32_t part = 0; part < maxThreads && !sawManyRows; ++part)
      body(context, part, maxThreads);
  }
};

class ConfirmationTest : public TunerTest {
protected:
  void SetUp() override { sawManyRows = false; }
};

TEST_F(ConfirmationTest, NothingWinsThatIsWrongOnAllRows) {
  Expected<TuningResult> result = tunerWith(std::make_shared<SpoilingLoader>())
                                      ->tune(problemOf(kTall), quick());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::wrongResult);
  EXPECT_THAT(result.error().message(), HasSubstr("column 63 is"));
}

/// As after a stop, when a call on the whole may take too long.
TEST_F(ConfirmationTest, NobodyRunsOnAllRowsWhereNoneIsToBeConfirmed) {
  TuningOptions options = quick();
  options.maxConfirmed = 0;
  Expected<TuningResult> result = tunerWith(std::make_shared<SpoilingLoader>())
                                      ->tune(problemOf(kTall), options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_FALSE(sawManyRows);
  EXPECT_GT(result->winner().medianMicroseconds, 0);
  EXPECT_TRUE(result->winner().promised);
}

/// It is right wherever it could run, and wrong nowhere.
TEST_F(ConfirmationTest, TheWinnerOfTheSliceStaysWhereNothingRunsOnAllRows) {
  const auto tuner =
      std::move(Tuner::create(hostTarget(), std::make_shared<SpoilingLoader>(),
                              std::make_shared<ExhaustedExecutor>())
                    .value());
  Expected<TuningResult> result = tuner->tune(problemOf(kTall), quick());
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_TRUE(sawManyRows);
  EXPECT_GT(result->winner().medianMicroseconds, 0);
}

/// Verified so far, and whether the last one is timed: that of the slice, then
/// those at full size.
int arenas;
bool isTimed;

TuningOptions watched(TuningOptions options) {
  options.progress = [](size_t, size_t, std::string_view what) {
    arenas += isTimed && what == "verifying";
    isTimed = what != "verifying";
  };
  return options;
}

/// At full size the first ones are a disappointment, and the next ones, once
/// they are timed, too slow for two runs.
void disappoint(const WrappedCall &call) {
  const Clock::time_point start = Clock::now();
  call.run();
  if (call.args->m <= kRightRows)
    return;
  if (arenas == 2)
    spend(millisecondsSince(start));
  else if (isTimed)
    spend(500);
}

TEST_F(ConfirmationTest, AHastyTrySaysNothingOfAnEarlierOneThatWon) {
  TuningOptions options = watched(quick(1));
  const auto tuner = tunerWith(std::make_shared<WrappingLoader<disappoint>>());
  // On a busy machine the first try may have no time for two runs itself.
  for (int tries = 0; tries < 8; ++tries) {
    arenas = 0;
    isTimed = true;
    const Expected<TuningResult> result =
        tuner->tune(problemOf(kTall), options);
    ASSERT_TRUE(result) << result.error().message();
    if (arenas < 3)
      continue;
    EXPECT_THAT(result->doubt, Not(HasSubstr("anybody twice"))) << arenas;
    return;
  }
  FAIL() << "in eight tunings none was tried after the first ones";
}

/// Kernels that ran in the first try at full size, and the rows of their
/// blocks, all of one that takes as many as there are; whether others ran
/// later.
using Tried = std::pair<size_t, int64_t>;
std::set<Tried> ofFirstTry;
bool sawOthers;
/// The last one called, which is all that happens where it is only asked for.
bool asksForNumber;
size_t numberAsked;

/// Whether anybody, and whether one of no earlier try, was timed first in the
/// second try at full size.
bool ranAgain, newcomerRanFirst;

/// Whether the executor got tired.
bool wasTired;

Tried triedAs(size_t number, int64_t blockRows) {
  return {number, std::min(blockRows, kRightRows)};
}

/// Milliseconds of the call; none of one on few rows, or where its kernel is
/// only asked for its number.
std::optional<double> runOnManyRows(const WrappedCall &call) {
  if (asksForNumber) {
    numberAsked = call.number;
    return std::nullopt;
  }
  const Clock::time_point start = Clock::now();
  call.run();
  if (call.args->m <= kRightRows)
    return std::nullopt;
  return millisecondsSince(start);
}

/// Tunes until what a test looks for happened, which times decide: eight times
/// at most. The number of the winner's kernel is asked for then.
std::optional<TuningResult>
tuneUntil(Tuner &tuner, const TuningOptions &options, bool (*happened)()) {
  for (int tries = 0; tries < 8; ++tries) {
    arenas = 0;
    isTimed = true;
    sawOthers = ranAgain = newcomerRanFirst = wasTired = asksForNumber = false;
    ofFirstTry.clear();
    Expected<TuningResult> result = tuner.tune(problemOf(kTall), options);
    EXPECT_TRUE(result) << result.error().message();
    if (!result)
      return std::nullopt;
    if (!happened())
      continue;
    asksForNumber = true;
    result->winnerKernel->function()(nullptr, 0, 1);
    return std::move(*result);
  }
  ADD_FAILURE() << "it did not happen in eight tunings";
  return std::nullopt;
}

/// The machine is slow during the first try at full size, which disappoints,
/// and then others are slower than those that were tried there, but not as slow
/// as those were: by factors that no load of the machine makes up for.
void recover(const WrappedCall &call) {
  const std::optional<double> took = runOnManyRows(call);
  if (!took)
    return;
  const Tried tried = triedAs(call.number, call.args->mc);
  if (arenas == 2) {
    ofFirstTry.insert(tried);
    spend(11 * *took);
  } else if (!ofFirstTry.contains(tried)) {
    sawOthers = true;
    spend(2 * *took);
  }
}

TEST_F(ConfirmationTest, TriesAreComparedInOneWindowOfTime) {
  TuningOptions options = watched(quick(1));
  const auto tuner = tunerWith(std::make_shared<WrappingLoader<recover>>());
  const auto result = tuneUntil(*tuner, options, [] { return sawOthers; });
  ASSERT_TRUE(result);
  EXPECT_TRUE(
      ofFirstTry.contains(triedAs(numberAsked, result->winner().schedule.mc)));
}

/// The first try at full size disappoints. In the second those of the first
/// make a bad impression, so that others are timed first.
void impressLater(const WrappedCall &call) {
  const std::optional<double> took = runOnManyRows(call);
  if (!took)
    return;
  const Tried tried = triedAs(call.number, call.args->mc);
  if (arenas == 2) {
    ofFirstTry.insert(tried);
    spend(11 * *took);
  } else if (arenas == 3 && !isTimed && ofFirstTry.contains(tried)) {
    spend(3 * *took);
  } else if (arenas == 3 && isTimed && !ranAgain) {
    ranAgain = true;
    newcomerRanFirst = !ofFirstTry.contains(tried);
  }
}

/// One sample of another would otherwise do to replace it.
TEST_F(ConfirmationTest, AStopInALaterTryKeepsTheBestSoFar) {
  TuningOptions options = watched(quick(1));
  options.stop = [] { return newcomerRanFirst; };
  const auto tuner =
      tunerWith(std::make_shared<WrappingLoader<impressLater>>());
  const auto result =
      tuneUntil(*tuner, options, [] { return newcomerRanFirst; });
  ASSERT_TRUE(result);
  EXPECT_TRUE(
      ofFirstTry.contains(triedAs(numberAsked, result->winner().schedule.mc)));
  EXPECT_FALSE(result->winner().promised) << "it was timed on all rows";
}

/// The first try disappoints, and its kernels do not run in the second.
void failLater(const WrappedCall &call) {
  const std::optional<double> took = runOnManyRows(call);
  if (!took)
    return;
  const Tried tried = triedAs(call.number, call.args->mc);
  if (arenas == 2) {
    ofFirstTry.insert(tried);
    spend(11 * *took);
  } else if (arenas == 3 && ofFirstTry.contains(tried)) {
    TiringExecutor::isTired = wasTired = true;
  }
}

TEST_F(ConfirmationTest, TheBestKeepsItsTimeWhereItCannotRunAgain) {
  TuningOptions options = watched(quick(2));
  const auto tuner = std::move(
      Tuner::create(hostTarget(), std::make_shared<WrappingLoader<failLater>>(),
                    std::make_shared<TiringExecutor>())
          .value());
  const auto result = tuneUntil(*tuner, options, [] { return wasTired; });
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->winner().promised) << "it was timed on all rows";
}

TEST_F(ConfirmationTest, AnotherWinsWhereTheBestAreWrongOnAllRows) {
  TuningOptions options = quick();
  options.maxObjects = 4;
  options.maxCandidates = 12;
  Expected<TuningResult> result = tunerWith(std::make_shared<SpoilingLoader>(3))
                                      ->tune(problemOf(kTall), options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_FALSE(SpoilingLoader::wraps(*result->winnerKernel));
  EXPECT_LE(result->maxError, 1);
}

/// Into how many parts of the columns kernels were asked to cut them.
std::set<int64_t> gridsSeen;

void noteGrid(const WrappedCall &call) {
  gridsSeen.insert(call.args->gridN);
  call.run();
}

class WideConfirmationTest : public ConfirmationTest {
protected:
  /// A weight of 256 MiB, beside a last-level cache of so many.
  static Expected<TuningResult> tuneBesideCacheOf(int64_t mebibytes) {
    gridsSeen.clear();
    return tunerWith(std::make_shared<WrappingLoader<noteGrid>>(),
                     hostWithCacheOf(mebibytes))
        ->tune(problemOf("1x256:256x262144"), quick(1));
  }
};

TEST_F(WideConfirmationTest, TakesAWeightThatExceedsTheCachesForTheWhole) {
  const Expected<TuningResult> result = tuneBesideCacheOf(32);
  ASSERT_TRUE(result) << result.error().message();
  // 64 of the 256 are twice as many as the cache holds.
  EXPECT_THAT(gridsSeen, Contains(4));
  EXPECT_THAT(gridsSeen, Each(Ge(4)));
  EXPECT_TRUE(result->winner().promised);
}

/// Where even the slice of the race exceeds the cache by far.
TEST_F(WideConfirmationTest, RunsOnMoreThanTheRace) {
  const Expected<TuningResult> result = tuneBesideCacheOf(1);
  ASSERT_TRUE(result) << result.error().message();
  ASSERT_FALSE(gridsSeen.empty());
  EXPECT_LT(*gridsSeen.begin(), *gridsSeen.rbegin());
  EXPECT_GT(*gridsSeen.begin(), 1);
}

} // namespace
