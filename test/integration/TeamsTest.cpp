// Any number of threads, in any order, gives the same bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

#include <bit>
#include <thread>

using namespace lintel;
using namespace lintel::integration;

namespace {

/// As many threads as asked for, even beyond the machine's CPUs.
class ThreadExecutor final : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    std::vector<std::thread> threads;
    for (int32_t tid = 0; tid < maxThreads; ++tid)
      threads.emplace_back(body, context, tid, maxThreads);
    for (std::thread &thread : threads)
      thread.join();
  }
};

/// Fewer than asked for, the last part first, all on the caller.
class FewerExecutor final : public Executor {
public:
  explicit FewerExecutor(int32_t delivered) : delivered(delivered) {}
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    const int32_t parts = std::min(delivered, maxThreads);
    for (int32_t tid = parts - 1; tid >= 0; --tid)
      body(context, tid, parts);
  }

private:
  int32_t delivered;
};

bool sameBits(const std::vector<float> &a, const std::vector<float> &b) {
  auto same = [](float x, float y) {
    return std::bit_cast<uint32_t>(x) == std::bit_cast<uint32_t>(y);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

class TeamsTest : public KernelTest {
protected:
  void SetUp() override {
    KernelTest::SetUp();
    if (IsSkipped())
      return;
    // Sums that are not exact, so that another order of adding would show.
    workload.emplace(problem(kRows, 7 * target.lanes() - 1, 131), kRows,
                     Fill::gaussian, 61);
    call.emplace(*workload, kRows, Layout{.rows = Layout::Rows::apart});
    for (const Schedule &code : someCodes(workload->problem(), target, 2, turn))
      for (const Schedule &schedule :
           awkwardBlockings(code, workload->problem()))
        schedules.push_back(schedule);
  }

  /// Bits of the schedule run in one part.
  std::vector<float> alone(const Schedule &schedule) {
    EXPECT_TRUE(right(*call, schedule));
    return call->outputs();
  }

  static constexpr int64_t kRows = 29;
  void checkTwoRuns();
  void checkPartsInAnyOrder();
  void checkRealThreads();
  void checkFewerThreads();
  void checkOpenMP();

  std::optional<Workload> workload;
  std::optional<GuardedCall> call;
  std::vector<Schedule> schedules;
};

void TeamsTest::checkTwoRuns() {
  for (const Schedule &schedule : schedules)
    EXPECT_TRUE(sameBits(alone(schedule), alone(schedule))) << schedule.text();
}

void TeamsTest::checkPartsInAnyOrder() {
  for (const Schedule &schedule : schedules) {
    const std::vector<float> expected = alone(schedule);
    // The last is more than there are chunks.
    for (int32_t parts : {2, 3, 7, 64})
      for (Team::Order order :
           {Team::Order::ascending, Team::Order::descending}) {
        ASSERT_TRUE(right(*call, schedule, {parts, order}));
        EXPECT_TRUE(sameBits(call->outputs(), expected))
            << schedule.text() << " " << Team{parts, order}.text();
      }
  }
}

void TeamsTest::checkRealThreads() {
  ThreadExecutor threads;
  for (const Schedule &schedule : schedules) {
    const std::vector<float> expected = alone(schedule);
    for (int32_t count : {1, 2, 3, 7, 64}) {
      ASSERT_TRUE(right(*call, schedule, threads, count));
      EXPECT_TRUE(sameBits(call->outputs(), expected))
          << schedule.text() << " threads=" << count;
    }
  }
}

void TeamsTest::checkFewerThreads() {
  for (const Schedule &schedule : schedules) {
    const std::vector<float> expected = alone(schedule);
    for (int32_t delivered : {1, 2, 5}) {
      FewerExecutor fewer(delivered);
      ASSERT_TRUE(right(*call, schedule, fewer, 7));
      EXPECT_TRUE(sameBits(call->outputs(), expected))
          << schedule.text() << " delivered=" << delivered;
    }
  }
}

void TeamsTest::checkOpenMP() {
  const std::shared_ptr<Executor> openMP = openMPExecutor();
  for (const Schedule &schedule : schedules) {
    const std::vector<float> expected = alone(schedule);
    for (int32_t count : {2, 3}) {
      ASSERT_TRUE(right(*call, schedule, *openMP, count));
      EXPECT_TRUE(sameBits(call->outputs(), expected))
          << schedule.text() << " threads=" << count;
    }
  }
}

/// All at once, since all run the same objects, which take longer to compile.
TEST_P(TeamsTest, AllComputeTheSame) {
  {
    SCOPED_TRACE("two runs");
    checkTwoRuns();
  }
  {
    SCOPED_TRACE("any number of parts, in any order");
    checkPartsInAnyOrder();
  }
  {
    SCOPED_TRACE("threads");
    checkRealThreads();
  }
  {
    SCOPED_TRACE("fewer threads than were asked for");
    checkFewerThreads();
  }
  {
    SCOPED_TRACE("OpenMP");
    checkOpenMP();
  }
}

LINTEL_ON(allKernels(), TeamsTest);
LINTEL_ON_TILE_REGISTERS(TeamsTest);
LINTEL_ON_INTEGERS(TeamsTest);

} // namespace
