// The executor contract: every part once, writes visible, nesting, concurrency.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel/Executor.h"

#include "Runtime/OpenMP.h"

#include <gtest/gtest.h>

#include <atomic>
#include <climits>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lintel;

namespace {

/// What the parts of one region wrote down. `seen` is plain memory: reading it
/// after run() is the test of visibility.
struct Record {
  std::vector<int> seen = std::vector<int>(4096, 0);
  std::vector<int> teamSizes = std::vector<int>(4096, 0);
};

void note(void *context, int32_t tid, int32_t nthreads) {
  Record &record = *static_cast<Record *>(context);
  record.seen[size_t(tid)] += 1;
  record.teamSizes[size_t(tid)] = nthreads;
}

/// Runs `note` and returns the team size, or fails.
int32_t checkedRun(Executor &executor, int32_t maxThreads) {
  Record record;
  executor.run(maxThreads, note, &record);
  int32_t team = record.teamSizes[0];
  EXPECT_GE(team, 1);
  EXPECT_LE(team, std::max(1, maxThreads));
  for (size_t tid = 0; tid < record.seen.size(); ++tid) {
    bool inTeam = tid < size_t(team);
    EXPECT_EQ(record.seen[tid], inTeam ? 1 : 0) << "part " << tid;
    EXPECT_EQ(record.teamSizes[tid], inTeam ? team : 0) << "part " << tid;
  }
  return team;
}

struct NamedExecutor {
  const char *name;
  std::shared_ptr<Executor> (*make)();
};

class ExecutorTest : public testing::TestWithParam<NamedExecutor> {
protected:
  std::shared_ptr<Executor> executor = GetParam().make();
};

TEST_P(ExecutorTest, RunsEveryPartOnce) {
  for (int32_t threads : {1, 2, 3, 5, 17, 2, 1})
    checkedRun(*executor, threads);
}

TEST_P(ExecutorTest, StrangeThreadCountsAreTakenAsOne) {
  for (int32_t threads : {0, -1, INT_MIN})
    EXPECT_EQ(checkedRun(*executor, threads), 1);
}

TEST_P(ExecutorTest, NestedRegionsRunOnTheirCaller) {
  struct Outer {
    Executor *executor;
    std::atomic<int> innerParts = 0, strangers = 0, outerParts = 0;
  } outer{executor.get()};
  executor->run(
      4,
      [](void *context, int32_t, int32_t) {
        Outer &outer = *static_cast<Outer *>(context);
        ++outer.outerParts;
        struct Inner {
          Outer &outer;
          std::thread::id caller;
        } inner{outer, std::this_thread::get_id()};
        outer.executor->run(
            4,
            [](void *context, int32_t tid, int32_t nthreads) {
              Inner &inner = *static_cast<Inner *>(context);
              ++inner.outer.innerParts;
              if (std::this_thread::get_id() != inner.caller)
                ++inner.outer.strangers;
              EXPECT_LT(tid, nthreads);
            },
            &inner);
      },
      &outer);
  EXPECT_EQ(outer.strangers, 0);
  EXPECT_EQ(outer.innerParts, outer.outerParts);
}

TEST_P(ExecutorTest, SeveralThreadsAtOnce) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([this] {
      for (int repeat = 0; repeat < 50; ++repeat)
        checkedRun(*executor, 3);
    });
  for (std::thread &caller : callers)
    caller.join();
}

INSTANTIATE_TEST_SUITE_P(
    All, ExecutorTest,
    testing::Values(NamedExecutor{"sequential", sequentialExecutor},
                    NamedExecutor{"openmp", [] { return openMPExecutor(); }},
                    NamedExecutor{"openmp_team_of_6",
                                  [] { return openMPExecutor(6); }}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(SharedExecutorsTest, AreThoseWithoutATeam) {
  EXPECT_EQ(sequentialExecutor(), sequentialExecutor());
  EXPECT_EQ(openMPExecutor(), openMPExecutor());
}

TEST(OpenMPExecutorTest, StrangeTeamsRunEveryPartOnce) {
  for (int32_t team : {INT_MIN, -1, 0, 1})
    for (int32_t parts : {1, 3})
      checkedRun(*openMPExecutor(team), parts);
}

// libgomp would end the threads that a region does not ask for, and make others
// for the next that does.
TEST(OpenMPExecutorTest, ATeamKeepsItsThreadsThroughSmallerRegions) {
  if (!openMPRuntime())
    GTEST_SKIP() << "no OpenMP runtime on this machine";
  using Threads = std::vector<pid_t>;
  const std::shared_ptr<Executor> executor = openMPExecutor(4);
  const auto threadsOf = [&](int32_t parts) {
    Threads threads(4);
    executor->run(
        parts,
        [](void *context, int32_t tid, int32_t) {
          (*static_cast<Threads *>(context))[size_t(tid)] = gettid();
        },
        &threads);
    return threads;
  };
  const Threads before = threadsOf(4);
  const Threads between = threadsOf(2);
  EXPECT_EQ(between, (Threads{before[0], before[1], 0, 0}));
  EXPECT_EQ(threadsOf(4), before);
}

TEST(OpenMPExecutorTest, UsesMoreThanOneThread) {
  if (!openMPRuntime())
    GTEST_SKIP() << "no OpenMP runtime on this machine";
  struct Ids {
    std::vector<std::thread::id> of = std::vector<std::thread::id>(4);
  } ids;
  openMPExecutor()->run(
      4,
      [](void *context, int32_t tid, int32_t) {
        static_cast<Ids *>(context)->of[size_t(tid)] =
            std::this_thread::get_id();
      },
      &ids);
  std::set<std::thread::id> different(ids.of.begin(), ids.of.end());
  EXPECT_GT(different.size(), 1u);
}

} // namespace
