// Buckets agree on a panel: how it is chosen, and what is raced again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/BucketTuning.h"
#include "Engine/Buckets.h"
#include "Engine/PanelChoice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

namespace lintel {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

Candidate candidate(int64_t width, double microseconds,
                    CandidateStatus status = CandidateStatus::timed) {
  Candidate made;
  made.schedule.nr = width;
  made.status = status;
  made.medianMicroseconds = microseconds;
  return made;
}

/// A race whose candidates have these times at these widths; the first won.
TuningResult
raced(const std::vector<std::pair<int64_t, double>> &timesAtWidths) {
  TuningResult result;
  for (const auto &[width, microseconds] : timesAtWidths)
    result.candidates.push_back(candidate(width, microseconds));
  result.candidates.front().status = CandidateStatus::winner;
  return result;
}

//===----------------------------------------------------------------------===//
// Ranking
//===----------------------------------------------------------------------===//

std::vector<int64_t> ranked(const std::vector<TuningResult> &races) {
  std::vector<const TuningResult *> pointers;
  for (const TuningResult &race : races)
    pointers.push_back(&race);
  std::vector<int64_t> widths;
  for (const PanelReport &panel : rankPanels(pointers))
    widths.push_back(panel.columns);
  return widths;
}

TEST(PanelChoice, WeighsRatiosAndNotTimes) {
  // 16 wins a microsecond in the short call and loses ten in the long one, but
  // the short call suffers more.
  EXPECT_THAT(
      ranked({raced({{16, 1}, {48, 2}}), raced({{48, 100}, {16, 110}})}),
      ElementsAre(16, 48));
  EXPECT_THAT(
      ranked({raced({{16, 1}, {48, 1.05}}), raced({{48, 100}, {16, 110}})}),
      ElementsAre(48, 16));
}

TEST(PanelChoice, ACompromiseMayWinNoRace) {
  EXPECT_THAT(ranked({raced({{16, 10}, {32, 11}, {48, 20}}),
                      raced({{48, 10}, {32, 11}, {16, 20}})})
                  .front(),
              32);
}

TEST(PanelChoice, TakesTheBestOfEachWidthAndGivesTheMean) {
  const TuningResult a = raced({{16, 10}, {32, 40}, {32, 20}}),
                     b = raced({{32, 10}, {16, 80}});
  const std::vector<PanelReport> panels = rankPanels({&a, &b});
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_EQ(panels[0].columns, 32);
  EXPECT_NEAR(panels[0].slowdown, std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(panels[1].slowdown, std::sqrt(8.0), 1e-9);
}

TEST(PanelChoice, NothingIsFasterThanTheWinner) {
  // Pairs decided the race against the medians.
  const TuningResult race = raced({{48, 10}, {16, 9.9}});
  const std::vector<PanelReport> panels = rankPanels({&race});
  EXPECT_EQ(panels[0].slowdown, 1);
  EXPECT_EQ(panels[1].slowdown, 1);
}

TEST(PanelChoice, WrongKernelsAndUntimedOnesDoNotCount) {
  TuningResult race = raced({{16, 10}});
  race.candidates.push_back(candidate(32, 5, CandidateStatus::wrong));
  race.candidates.push_back(candidate(48, 5, CandidateStatus::failed));
  race.candidates.push_back(candidate(64, 0, CandidateStatus::dropped));
  race.candidates.push_back(candidate(80, 12, CandidateStatus::dropped));
  EXPECT_THAT(ranked({race}), ElementsAre(16, 80));
}

TEST(PanelChoice, AWidthThatARaceLacksCountsAsSlow) {
  EXPECT_THAT(ranked({raced({{16, 10}, {48, 11}}), raced({{48, 10}})}),
              ElementsAre(48, 16));
  // One that all have is no better for it if it is slow everywhere.
  EXPECT_THAT(
      ranked({raced({{16, 10}, {48, 30}}), raced({{32, 10}, {48, 30}})}),
      ElementsAre(16, 32, 48));
}

TEST(PanelChoice, TellsGroupsOfTheSameWidthApart) {
  TuningResult race = raced({{16, 10}, {16, 20}});
  race.candidates.back().schedule.group = 16;
  const std::vector<PanelReport> panels = rankPanels({&race});
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_EQ(panels[0].group, 1);
  EXPECT_EQ(panels[1].group, 16);
  EXPECT_EQ(panels[1].slowdown, 2);
}

//===----------------------------------------------------------------------===//
// Tuning
//===----------------------------------------------------------------------===//

/// Stands in for the tuner: known times for each bucket and width.
class FakeTuner {
public:
  using Times = std::vector<std::pair<int64_t, double>>;

  explicit FakeTuner(std::map<std::string, Times> times)
      : times(std::move(times)) {}

  Expected<TunedBuckets> tune(const std::vector<int64_t> &mix,
                              TuningOptions options = {}) {
    return tuneBuckets(*cutIntoBuckets(*Problem::parse("?x8:8x64"), mix),
                       options,
                       [this](const Problem &bucket, const TuningOptions &own) {
                         return answer(bucket, own);
                       });
  }

  /// "rows" or "rows/width", in the order asked for.
  std::vector<std::string> asked;
  std::vector<size_t> candidates, objects, confirmed; ///< at most, each time
  std::vector<double> budgets;
  /// This question is answered with an error, or is interrupted.
  std::map<std::string, ErrorCode> failures;
  std::string interrupt;

private:
  Expected<TuningResult> answer(const Problem &bucket,
                                const TuningOptions &options) {
    std::string question = bucket.rowsText();
    if (options.panel)
      question += "/" + std::to_string(options.panel->columns);
    asked.push_back(question);
    candidates.push_back(options.maxCandidates);
    objects.push_back(options.maxObjects);
    confirmed.push_back(options.maxConfirmed);
    budgets.push_back(options.budgetMilliseconds);
    if (auto failure = failures.find(question); failure != failures.end()) {
      const Error error(failure->second, question + " failed");
      failures.erase(failure);
      return error;
    }
    Times own = times.at(bucket.rowsText());
    std::erase_if(own, [&](const auto &time) {
      return options.panel && time.first != options.panel->columns;
    });
    std::ranges::sort(own, {}, [](const auto &time) { return time.second; });
    TuningResult result = raced(own);
    result.objectsCompiled = 3;
    result.totalMilliseconds = 10;
    result.interrupted = question == interrupt;
    return result;
  }

  std::map<std::string, Times> times;
};

std::vector<int64_t> widthsOf(const TunedBuckets &tuned) {
  std::vector<int64_t> widths;
  for (const TuningResult &result : tuned.results)
    widths.push_back(result.winner().schedule.nr);
  return widths;
}

FakeTuner disagreeing() {
  return FakeTuner({{"1", {{16, 1}, {48, 2}}},
                    {"2..16", {{16, 3}, {48, 3.3}}},
                    {"17..?", {{48, 10}, {16, 11}}}});
}
const std::vector<int64_t> kMix = {1, 16, 512};

TEST(BucketTuning, RacesAgainOnlyWhereTheWidthDiffers) {
  FakeTuner tuner = disagreeing();
  Expected<TunedBuckets> tuned = tuner.tune(kMix);
  ASSERT_TRUE(tuned) << tuned.error().message();
  EXPECT_THAT(tuner.asked, ElementsAre("1", "2..16", "17..?", "17..?/16"));
  EXPECT_THAT(widthsOf(*tuned), ElementsAre(16, 16, 16));
  EXPECT_EQ(tuned->panels.front().columns, 16);
  EXPECT_NEAR(tuned->panels.front().slowdown, std::cbrt(1.1), 1e-9);
  // The second race of a bucket comes on top of the first.
  EXPECT_EQ(tuned->results[1].objectsCompiled, 3);
  EXPECT_EQ(tuned->results[2].objectsCompiled, 6);
  EXPECT_EQ(tuned->results[2].totalMilliseconds, 20);
  EXPECT_FALSE(tuned->results[2].interrupted);
}

TEST(BucketTuning, KeepsToTheBudget) {
  FakeTuner tuner = disagreeing();
  TuningOptions options;
  options.budgetMilliseconds = 300;
  ASSERT_TRUE(tuner.tune(kMix, options));
  const double sum =
      std::accumulate(tuner.budgets.begin(), tuner.budgets.end(), 0.0);
  EXPECT_GT(sum, 150);
  EXPECT_LE(sum, 300);
}

/// Which grow with the cube root of the rows: 1, 16 and 512. First races and
/// second ones of all buckets, at half the budget, would take all of it.
TEST(BucketTuning, BudgetsGoByRows) {
  FakeTuner tuner({{"1", {{16, 1}, {48, 2}}},
                   {"2..16", {{48, 3}, {16, 3.3}}},
                   {"17..?", {{48, 10}, {16, 11}}}});
  TuningOptions options;
  options.budgetMilliseconds = 300;
  ASSERT_TRUE(tuner.tune(kMix, options));
  ASSERT_THAT(tuner.asked,
              ElementsAre("1", "2..16", "17..?", "2..16/16", "17..?/16"));
  const double one = 300 / (1 + std::cbrt(16.0) + 8) / 1.5;
  EXPECT_THAT(
      tuner.budgets,
      Pointwise(DoubleNear(1e-9), {one, one * std::cbrt(16.0), one * 8,
                                   one * std::cbrt(16.0) / 2, one * 8 / 2}));
}

/// It has the schedules of one panel to choose among.
TEST(BucketTuning, ASecondRaceIsOfFewer) {
  FakeTuner tuner = disagreeing();
  TuningOptions options;
  options.maxCandidates = 41;
  options.maxObjects = 11;
  ASSERT_TRUE(tuner.tune(kMix, options));
  ASSERT_THAT(tuner.asked, ElementsAre("1", "2..16", "17..?", "17..?/16"));
  EXPECT_THAT(tuner.candidates, ElementsAre(41, 41, 41, 24));
  EXPECT_THAT(tuner.objects, ElementsAre(11, 11, 11, 4));
}

TEST(BucketTuning, ASingleBucketHasTheWholeBudget) {
  FakeTuner tuner({{"?@8", {{48, 10}, {16, 11}}}});
  TuningOptions options;
  options.budgetMilliseconds = 300;
  Expected<TunedBuckets> tuned = tuner.tune({8}, options);
  ASSERT_TRUE(tuned);
  EXPECT_THAT(tuner.asked, ElementsAre("?@8"));
  EXPECT_THAT(tuner.budgets, ElementsAre(300));
  EXPECT_TRUE(tuned->panels.empty());
}

TEST(BucketTuning, AnErrorOfARaceIsTheAnswer) {
  FakeTuner tuner = disagreeing();
  tuner.failures["2..16"] = ErrorCode::compile;
  Expected<TunedBuckets> tuned = tuner.tune(kMix);
  ASSERT_FALSE(tuned);
  EXPECT_THAT(tuned.error().message(), HasSubstr("2..16 failed"));
}

TEST(BucketTuning, PassesOverAWidthThatTurnsOutWrong) {
  FakeTuner tuner = disagreeing();
  tuner.failures["17..?/16"] = ErrorCode::wrongResult;
  Expected<TunedBuckets> tuned = tuner.tune(kMix);
  ASSERT_TRUE(tuned) << tuned.error().message();
  EXPECT_THAT(widthsOf(*tuned), ElementsAre(48, 48, 48));
  EXPECT_EQ(tuned->panels.front().columns, 48);
}

/// Of a shorter race of fewer candidates, one that has that width all the same
/// would be worse.
TEST(BucketTuning, ReturnsToFreeWinnersWhereAWidthTurnsOutWrong) {
  FakeTuner tuner({{"1", {{48, 1}, {16, 1.01}}},
                   {"2..16", {{16, 3}, {48, 4}}},
                   {"17..?", {{48, 10}, {16, 10.1}}}});
  tuner.failures["17..?/16"] = ErrorCode::wrongResult;
  Expected<TunedBuckets> tuned = tuner.tune(kMix);
  ASSERT_TRUE(tuned) << tuned.error().message();
  EXPECT_THAT(tuner.asked, ElementsAre("1", "2..16", "17..?", "1/16",
                                       "17..?/16", "2..16/48"));
  EXPECT_THAT(widthsOf(*tuned), ElementsAre(48, 48, 48));
  // It cost that race.
  EXPECT_EQ(tuned->results[0].objectsCompiled, 6);
  EXPECT_EQ(tuned->results[1].objectsCompiled, 6);
  EXPECT_EQ(tuned->results[2].objectsCompiled, 3);
}

/// There is none for other widths, either.
TEST(BucketTuning, ALackOfMemoryIsTheAnswer) {
  FakeTuner tuner = disagreeing();
  tuner.failures["17..?/16"] = ErrorCode::io;
  Expected<TunedBuckets> tuned = tuner.tune(kMix);
  ASSERT_FALSE(tuned);
  EXPECT_THAT(tuned.error().message(), HasSubstr("17..?/16 failed"));
}

TEST(BucketTuning, TheErrorOfTheLastWidthIsTheAnswer) {
  FakeTuner tuner = disagreeing();
  tuner.failures["17..?/16"] = ErrorCode::wrongResult;
  tuner.failures["1/48"] = ErrorCode::invalidArgument;
  Expected<TunedBuckets> tuned = tuner.tune(kMix);
  ASSERT_FALSE(tuned);
  EXPECT_THAT(tuned.error().message(), HasSubstr("1/48 failed"));
}

TEST(BucketTuning, AStopLeavesACompleteLayer) {
  FakeTuner tuner = disagreeing();
  tuner.interrupt = "1";
  TuningOptions options;
  options.stop = [] { return true; };
  Expected<TunedBuckets> tuned = tuner.tune(kMix, options);
  ASSERT_TRUE(tuned) << tuned.error().message();
  EXPECT_THAT(tuner.asked, ElementsAre("1", "2..16/16", "17..?/16"));
  EXPECT_THAT(widthsOf(*tuned), ElementsAre(16, 16, 16));
  for (const TuningResult &result : tuned->results)
    EXPECT_TRUE(result.interrupted);
}

/// Which run at full size, and a stop is to be soon.
TEST(BucketTuning, AStopTakesOneCandidateAndMoreOnlyIfThatFails) {
  FakeTuner tuner = disagreeing();
  tuner.interrupt = "1";
  tuner.failures["2..16/16"] = ErrorCode::compile;
  Expected<TunedBuckets> tuned = tuner.tune(kMix);
  ASSERT_TRUE(tuned) << tuned.error().message();
  EXPECT_THAT(tuner.asked,
              ElementsAre("1", "2..16/16", "2..16/16", "17..?/16"));
  EXPECT_EQ(tuner.candidates[1], 1);
  EXPECT_GT(tuner.candidates[2], 1);
  EXPECT_EQ(tuner.candidates[3], 1);
  EXPECT_THAT(tuner.confirmed, ElementsAre(testing::Gt(0), 0, 0, 0));
  EXPECT_THAT(widthsOf(*tuned), ElementsAre(16, 16, 16));
}

TEST(BucketTuning, AStopInTheMiddleOfARaceCountsForTheRest) {
  FakeTuner tuner = disagreeing();
  tuner.failures["2..16"] = ErrorCode::cancelled;
  Expected<TunedBuckets> tuned = tuner.tune(kMix);
  ASSERT_TRUE(tuned) << tuned.error().message();
  EXPECT_THAT(tuner.asked, ElementsAre("1", "2..16", "2..16/16", "17..?/16"));
  tuner = disagreeing();
  tuner.failures["17..?/16"] = ErrorCode::cancelled;
  tuned = tuner.tune(kMix);
  ASSERT_TRUE(tuned) << tuned.error().message();
  EXPECT_THAT(widthsOf(*tuned), ElementsAre(16, 16, 16));
  EXPECT_TRUE(tuned->results[2].interrupted);
}

TEST(BucketTuning, AStopBeforeThereIsAnythingIsCancelled) {
  FakeTuner tuner = disagreeing();
  tuner.failures["1"] = ErrorCode::cancelled;
  Expected<TunedBuckets> tuned = tuner.tune(kMix);
  ASSERT_FALSE(tuned);
  EXPECT_EQ(tuned.error().code(), ErrorCode::cancelled);
}

TEST(BucketTuning, SaysWhichRowsAreRaced) {
  FakeTuner tuner = disagreeing();
  TuningOptions options;
  std::vector<std::string> seen;
  options.progress = [&](size_t, size_t, std::string_view what) {
    seen.emplace_back(what);
  };
  const TuneProblem tune = [](const Problem &, const TuningOptions &own) {
    own.progress(1, 2, "timing");
    return Expected<TuningResult>(raced({{16, 1}}));
  };
  ASSERT_TRUE(tuneBuckets(*cutIntoBuckets(*Problem::parse("?x8:8x64"), {1, 16}),
                          options, tune));
  EXPECT_THAT(seen, ElementsAre("1 row, timing", "2..?@16 rows, timing"));
}

} // namespace
} // namespace lintel
