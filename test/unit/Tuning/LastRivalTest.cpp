// Whom winners meet at the end of a tuning, by times that are given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/Ranking.h"
#include "Tuning/LastRival.h"
#include "Tuning/ReadersChoice.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace lintel;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

/// A schedule and the microseconds that it is said to take.
using Timed = std::pair<const char *, double>;

/// A contest whose races are over; the first contender won.
class Finished {
public:
  Finished(const char *problem, const char *type, const Target &target,
           int threads, const std::vector<Timed> &timed)
      : target(target),
        factory(std::move(
            KernelFactory::create(target, Loader::create().value()).value())) {
    options.threads = threads;
    std::vector<Schedule> schedules;
    for (const auto &[text, time] : timed)
      schedules.push_back(scheduleOf(text));
    contest = std::make_unique<Contest>(
        problemOf(problem, type), schedules,
        TuningContext{this->target, executor, *factory}, options);
    for (size_t i = 0; i < timed.size(); ++i)
      contest->contenders()[i].report.medianMicroseconds = timed[i].second;
  }
  Contest &operator*() { return *contest; }

private:
  Target target;
  std::shared_ptr<Executor> executor = openMPExecutor();
  std::unique_ptr<KernelFactory> factory;
  TuningOptions options;
  std::unique_ptr<Contest> contest;
};

constexpr const char *kLayer = "512x1024:1024x1024";

TEST(LastRival, TakesHalfOfTheThreadsAtMost) {
  Finished race(kLayer, "f32", emeraldRapids(), 4,
                {{"tile=8x48,grid=2x2", 100},
                 {"tile=8x48,grid=3x1", 101},
                 {"tile=12x32,grid=2x1", 120},
                 {"tile=12x32,grid=1x1", 110}});
  const auto rival = rivalOnFewerThreads(*race, 0);
  ASSERT_TRUE(rival);
  EXPECT_EQ(rival->schedule, scheduleOf("tile=12x32,grid=1x1"));
  EXPECT_EQ(rival->rows, 512);
  EXPECT_DOUBLE_EQ(rival->worth, 1.03);
  EXPECT_FALSE(rivalOnFewerThreads(*race, 3)) << "has one itself";
}

TEST(LastRival, OnFewerThreadsIsNotFarBehind) {
  Finished race(kLayer, "f32", emeraldRapids(), 4,
                {{"tile=8x48,grid=2x2", 100}, {"tile=12x32,grid=1x1", 131}});
  EXPECT_FALSE(rivalOnFewerThreads(*race, 0));
}

TEST(LastRival, IsTheWinnerOnOneThreadWhereItsThreadsMayHaveWaited) {
  const Target target = emeraldRapids();
  const double predicted = predictMicroseconds(
      scheduleOf("tile=8x48,grid=2x2"), problemOf(kLayer, "f32"), target, 4);
  Finished race(kLayer, "f32", target, 4,
                {{"tile=8x48,grid=2x2", 4 * predicted},
                 {"tile=8x48,grid=4x1", predicted},
                 {"tile=8x48,grid=1x1", 4 * predicted}});
  const auto rival = rivalOnOneThread(*race, 0);
  ASSERT_TRUE(rival);
  EXPECT_EQ(rival->schedule, scheduleOf("tile=8x48,grid=1x1"));
  EXPECT_FALSE(rivalOnOneThread(*race, 1)) << "as quick as was estimated";
  EXPECT_FALSE(rivalOnOneThread(*race, 2)) << "has one itself";
  doubtThreads(*race, 0);
  EXPECT_THAT((*race).record().lostToOneThread,
              HasSubstr("4 times what was estimated"));
  EXPECT_THAT((*race).record().lostToOneThread,
              HasSubstr("one thread was as fast as 4"));
}

TEST(LastRival, AWinnerOnOneThreadDoubtsThreadsThatWaited) {
  const Target target = emeraldRapids();
  const double predicted = predictMicroseconds(
      scheduleOf("tile=8x48,grid=2x2"), problemOf(kLayer, "f32"), target, 4);
  const auto doubtWith = [&](double times, double winners = 4) {
    Finished race(kLayer, "f32", target, 4,
                  {{"tile=8x48,grid=1x1", winners * predicted},
                   {"tile=8x48,grid=2x2", times * predicted},
                   {"tile=8x48,grid=4x1", 100 * predicted}});
    doubtThreadsThatWaited(*race, 0);
    return (*race).record().lostToOneThread;
  };
  EXPECT_THAT(doubtWith(20), AllOf(HasSubstr("20 times what was estimated"),
                                   HasSubstr("so that one thread won")));
  EXPECT_EQ(doubtWith(20, 1), "") << "as quick as several were to be";
  EXPECT_EQ(doubtWith(6), "") << "one of them did not wait";
  Finished several(kLayer, "f32", target, 4,
                   {{"tile=8x48,grid=2x2", 20 * predicted}});
  doubtThreadsThatWaited(*several, 0);
  EXPECT_EQ((*several).record().lostToOneThread, "") << "is on threads itself";
}

TEST(LastRival, ReadsAColdWeightLessOften) {
  const std::vector<Timed> timed = {{"tile=4x48,grid=2x2", 100},
                                    {"tile=8x48,grid=2x1", 105},
                                    {"tile=8x48,grid=1x4", 115}};
  Finished cold("16x4096:4096x4096", "f32", emeraldRapids(), 4, timed);
  const auto rival = rivalThatReadsLess(*cold, 0);
  ASSERT_TRUE(rival);
  EXPECT_EQ(rival->schedule, scheduleOf("tile=8x48,grid=1x4"));
  EXPECT_DOUBLE_EQ(rival->worth, 1.05);
  EXPECT_FALSE(rivalThatReadsLess(*cold, 2)) << "reads it once";
  Finished warm(kLayer, "f32", emeraldRapids(), 4, timed);
  EXPECT_FALSE(rivalThatReadsLess(*warm, 0));
}

TEST(LastRival, DealsOutWhereTheWinnerHasEqualShares) {
  const std::vector<Timed> timed = {{"tile=8x48,grid=2x2", 100},
                                    {"tile=8x48,grid=4x4,deal=dynamic", 130},
                                    {"tile=8x48,grid=8x4,deal=dynamic", 120}};
  Finished race(kLayer, "f32", emeraldRapids(), 4, timed);
  const auto rival = rivalThatDeals(*race, 0);
  ASSERT_TRUE(rival);
  EXPECT_EQ(rival->schedule, scheduleOf("tile=8x48,grid=8x4,deal=dynamic"));
  EXPECT_DOUBLE_EQ(rival->worth, 1.1);
  EXPECT_FALSE(rivalThatDeals(*race, 1)) << "deals out itself";
  Finished few(kLayer, "f32", emeraldRapids(), 3, timed);
  EXPECT_FALSE(rivalThatDeals(*few, 0)) << "few threads seldom wait";
}

TEST(LastRival, DealsOutATwinWhereNobodyElseDid) {
  Finished race(kLayer, "f32", emeraldRapids(), 4,
                {{"tile=8x48,grid=2x2", 100}, {"tile=8x48,grid=4x1", 130}});
  const auto rival = rivalThatDeals(*race, 0);
  ASSERT_TRUE(rival);
  EXPECT_THAT(rival->schedule.text(), StartsWith("tile=8x48"));
  EXPECT_EQ(rival->schedule.deal, Dealing::dynamic);
}

TEST(LastRival, HasEightChunksForEachThread) {
  Finished race(kLayer, "f32", emeraldRapids(), 4,
                {{"tile=8x48,grid=4x2,deal=dynamic", 100},
                 {"tile=8x48,grid=8x2,deal=dynamic", 101},
                 {"tile=8x48,grid=8x4,deal=dynamic", 102},
                 {"tile=8x48,grid=2x2", 99}});
  const auto rival = rivalInMoreChunks(*race, 0);
  ASSERT_TRUE(rival);
  EXPECT_EQ(rival->schedule, scheduleOf("tile=8x48,grid=8x4,deal=dynamic"));
  EXPECT_DOUBLE_EQ(rival->worth, 1.03);
  EXPECT_FALSE(rivalInMoreChunks(*race, 2)) << "has 32 for four threads";
  EXPECT_FALSE(rivalInMoreChunks(*race, 3)) << "deals out nothing";
}

TEST(LastRival, SuitsABusyCore) {
  Finished race("128x768:768x768 bias", "bf16", emeraldRapids(), 1,
                {{"tile=32x32,unit=amx,hint=b,group=2,epilogue=next", 100}});
  const auto rival = rivalForBusyCore(*race, 0);
  ASSERT_TRUE(rival);
  EXPECT_TRUE(rival->schedule.onTiles());
  EXPECT_DOUBLE_EQ(rival->worth, 1.08);
  Finished quiet(kLayer, "f32", zen4(), 1, {{"tile=8x48", 100}});
  EXPECT_FALSE(rivalForBusyCore(*quiet, 0));
}

TEST(LastRival, StreamsOutputsThatExceedTheCachesByFar) {
  Target small = zen4();
  small.l3 = small.l2 = 512 << 10;
  Finished race("2048x16:16x1024 bias", "f32", small, 1,
                {{"tile=8x48", 100}, {"tile=8x32", 110}});
  const auto rival = rivalThatStreams(*race, 0);
  ASSERT_TRUE(rival);
  EXPECT_TRUE(rival->schedule.streamsOutputs());
  EXPECT_DOUBLE_EQ(rival->worth, 0.98);
  // Four times the cache, not all of the 8 MiB.
  EXPECT_GE(rival->rows * 1024 * 4, 4 * small.l3);
  EXPECT_LT(rival->rows, 2048);
  Finished cached("2048x16:16x1024 bias", "f32", zen4(), 1,
                  {{"tile=8x48", 100}});
  EXPECT_FALSE(rivalThatStreams(*cached, 0));
}

} // namespace
