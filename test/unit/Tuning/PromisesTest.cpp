// What times on a slice promise for the whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Tuning/Promises.h"

#include <gmock/gmock.h>

#include <memory>
#include <utility>

using namespace lintel;

namespace {

class PromisesTest : public testing::Test {
protected:
  /// On a slice of 256 rows.
  Promises of(const std::vector<std::pair<const char *, double>> &timed) {
    std::vector<Schedule> schedules;
    for (const auto &[text, time] : timed)
      schedules.push_back(scheduleOf(text));
    contest = std::make_unique<Contest>(
        problemOf("4096x1024:1024x1024", "f32"), schedules,
        TuningContext{target, executor, *factory}, options);
    for (size_t i = 0; i < timed.size(); ++i)
      contest->contenders()[i].report.medianMicroseconds = timed[i].second;
    return Promises(*contest, {256, std::nullopt}, 0);
  }

  Target target = zen4();
  std::shared_ptr<Executor> executor = openMPExecutor();
  std::unique_ptr<KernelFactory> factory = std::move(
      KernelFactory::create(target, Loader::create().value()).value());
  TuningOptions options;
  std::unique_ptr<Contest> contest;
};

TEST_F(PromisesTest, AreTheTimesOfThoseThatGrowAsTheFastest) {
  const Promises promises = of({{"tile=8x48,mc=128", 100},
                                {"tile=8x48,mc=128,prefetch=4096", 110},
                                {"tile=12x32,mc=120", 0}});
  EXPECT_DOUBLE_EQ(promises[0], 100);
  EXPECT_NEAR(promises[1], 110, 3);
  EXPECT_TRUE(promises.has(1));
  EXPECT_FALSE(promises.has(2)) << "never timed";
}

TEST_F(PromisesTest, AreLessOfThoseWhoseBlocksAreLargerThanTheSlice) {
  const Promises promises =
      of({{"tile=8x48,mc=128", 100}, {"tile=8x48,mc=1024", 100}});
  EXPECT_DOUBLE_EQ(promises.doubt(0), 1);
  EXPECT_GE(promises.doubt(1), 1.04 * 0.98);
}

TEST_F(PromisesTest, AreReportedWithTheirDoubt) {
  const Promises promises = of({{"tile=8x48,mc=128", 100},
                                {"tile=8x48,mc=1024", 100},
                                {"tile=8x48,mc=2048", 100}});
  Contenders &field = contest->contenders();
  promises.report(field, {0, 1});
  EXPECT_EQ(field.timeOf(0), 100);
  EXPECT_EQ(field.timeOf(1), 100) << "was tried at full size";
  EXPECT_DOUBLE_EQ(field.timeOf(2), 100 * promises.doubt(2));
}

} // namespace
