// Which threads a layer leaves to others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/ThreadsChoice.h"
#include "Tuning/Tuner.h"

#include "Schedule/Partition.h"
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"

#include <chrono>
#include <gmock/gmock.h>
#include <memory>
#include <thread>

using namespace lintel;
using testing::HasSubstr;

namespace {

Schedule onGrid(const std::string &grid) {
  return *Schedule::parse("tile=4x16,grid=" + grid);
}

TEST(ThreadsChoice, AsksHalfAsManyThatAreNotMuchSlower) {
  const Schedule all = onGrid("8x2"), more = onGrid("3x3"),
                 half = onGrid("8x1"), one = onGrid("1x1");
  const Problem problem = problemOf("64x64:64x256");
  const TimedSchedule winner{all, 10};
  EXPECT_TRUE(mayServeOnFewerThreads({half, 12.9}, winner, problem, 16));
  EXPECT_TRUE(mayServeOnFewerThreads({one, 10}, winner, problem, 16));
  EXPECT_FALSE(mayServeOnFewerThreads({half, 13.1}, winner, problem, 16));
  EXPECT_FALSE(mayServeOnFewerThreads({half, 0}, winner, problem, 16))
      << "not timed";
  EXPECT_FALSE(mayServeOnFewerThreads({more, 10}, winner, problem, 16));
  EXPECT_FALSE(mayServeOnFewerThreads({one, 1}, {one, 1}, problem, 16));
  // Both grids are of more chunks than there are threads.
  EXPECT_FALSE(mayServeOnFewerThreads({half, 10}, winner, problem, 4));
}

TEST(ThreadsChoice, OneThreadDoesAllOfTheWork) {
  const Schedule one = onOneThread(
      *Schedule::parse("tile=4x16,epilogue=tile,grid=2x3x4,deal=dynamic"));
  EXPECT_EQ(one, *Schedule::parse("tile=4x16,epilogue=tile,grid=1x1"));
}

/// Has no CPUs for the parts of a call for a while.
class BusyExecutor final : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (int32_t tid = 0; tid < maxThreads; ++tid)
      body(context, tid, maxThreads);
  }
};

TEST(ThreadsChoice, ThreadsThatWaitForCpusLoseToOne) {
  const std::unique_ptr<Tuner> tuner =
      Tuner::create(hostTarget(), *Loader::create(),
                    std::make_shared<BusyExecutor>())
          .value();
  TuningOptions options;
  options.threads = 2;
  options.budgetMilliseconds = 30;
  options.maxCandidates = 4;
  options.maxObjects = 2;
  options.maxNeighbours = 1;
  const Problem problem = problemOf("128x256:256x256");
  const Expected<TuningResult> result = tuner->tune(problem, options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(threadsTaken(result->candidates.front().schedule, problem, 2), 1);
  EXPECT_THAT(result->doubt, HasSubstr("one thread was as fast as 2"));
}

} // namespace
