// Executors that drop parts of a call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/AllParts.h"

#include "Runtime/KernelCall.h"
#include "unit/Runtime/PlannedCalls.h"

#include <gmock/gmock.h>

using namespace lintel;

namespace {

TEST(AllParts, RunOnceEach) {
  for (int32_t parts : {1, 3}) {
    BackwardsExecutor executor(parts);
    std::vector<int32_t> seen;
    EXPECT_TRUE(runAllParts(executor, 4, [&](int32_t tid, int32_t nthreads) {
      EXPECT_EQ(nthreads, parts);
      seen.push_back(tid);
    }));
    EXPECT_EQ(static_cast<int32_t>(seen.size()), parts);
  }
}

/// Workspaces are made for the parts that were asked for: more of them wrote
/// beyond these, and corrupted the heap.
TEST(AllParts, OfMoreThanWereAskedForNoneIsRun) {
  StubbornExecutor eight(8);
  int ran = 0;
  const Status status = runAllParts(eight, 2, [&](int32_t, int32_t) { ++ran; });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), ErrorCode::internal);
  EXPECT_THAT(status.error().message(),
              testing::HasSubstr("parts of 8, or such as are none of them, "
                                 "where up to 2 were asked for"));
  EXPECT_EQ(ran, 0);
}

TEST(AllParts, OutsideTheirOwnNumberAreNotRun) {
  struct Numbering final : Executor {
    void run(int32_t, ParallelBody body, void *context) override {
      for (int32_t tid : {-1, 0, 1, 2}) // as if they began at 1, or ended at 2
        body(context, tid, 2);
    }
  } numbering;
  std::vector<int32_t> seen;
  EXPECT_FALSE(runAllParts(numbering, 4,
                           [&](int32_t tid, int32_t) { seen.push_back(tid); }));
  EXPECT_THAT(seen, testing::ElementsAre(0, 1));
}

/// A pool that shrinks meanwhile, and tells each part its size of the moment:
/// parts 0 and 1 of three leave chunks out that nobody else computes.
TEST(AllParts, OfTwoNumbersAreAFault) {
  struct Shrinking final : Executor {
    void run(int32_t, ParallelBody body, void *context) override {
      body(context, 0, 3);
      body(context, 1, 2);
    }
  } shrinking;
  std::vector<int32_t> seen;
  EXPECT_FALSE(runAllParts(shrinking, 4, [&](int32_t tid, int32_t nthreads) {
    EXPECT_EQ(nthreads, 3);
    seen.push_back(tid);
  }));
  EXPECT_THAT(seen, testing::ElementsAre(0));
}

/// Also where the first was of as many as were asked for.
TEST(AllParts, ThoseOfOtherRegionsDoNotStandForOne) {
  struct Mixing final : Executor {
    std::vector<int32_t> counts;
    void run(int32_t, ParallelBody body, void *context) override {
      for (size_t tid = 0; tid < counts.size(); ++tid)
        body(context, int32_t(tid), counts[tid]);
    }
  } mixing;
  const auto messageOf = [&](std::vector<int32_t> counts) {
    mixing.counts = std::move(counts);
    const Status ran = runAllParts(mixing, 4, [](int32_t, int32_t) {});
    return ran ? "ran" : ran.error().message();
  };
  EXPECT_EQ(messageOf({4, 4, 4, 4}), "ran");
  EXPECT_EQ(messageOf({3, 3, 3}), "ran");
  EXPECT_THAT(messageOf({4, 3, 3}),
              testing::HasSubstr("ran 3 parts of a call, which are not those "
                                 "of 3"));
  EXPECT_THAT(messageOf({3, 3}),
              testing::HasSubstr("ran 2 parts of a call, which are not those "
                                 "of 3"));
  for (const std::vector<int32_t> &counts :
       std::vector<std::vector<int32_t>>{{3, 3, 4, 4}, {3, 3, 2}})
    EXPECT_THAT(messageOf(counts),
                testing::HasSubstr("ran parts of 3, or such as are none of "
                                   "them, where up to 4"));
}

TEST(AllParts, OneRunTwiceDoesNotStandForAnother) {
  struct Repeating final : Executor {
    std::vector<int32_t> tids;
    void run(int32_t, ParallelBody body, void *context) override {
      for (int32_t tid : tids)
        body(context, tid, int32_t(tids.size()));
    }
  } repeating;
  // The second has the sum of 0, 1, 2, 3, the third that of their squares, too.
  for (const std::vector<int32_t> &tids : std::vector<std::vector<int32_t>>{
           {0, 0}, {0, 0, 3, 3}, {0, 0, 3, 4, 4, 5, 5}}) {
    repeating.tids = tids;
    const Status status =
        runAllParts(repeating, int32_t(tids.size()), [](int32_t, int32_t) {});
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message(),
                testing::HasSubstr("some of the " +
                                   std::to_string(tids.size()) +
                                   " parts of a call twice"));
  }
}

TEST(RunPlanTest, SaysThatAnExecutorDroppedParts) {
  float x = 0;
  for (Dealing deal : {Dealing::fixed, Dealing::dynamic}) {
    const KernelPlan plan = planOfNothing(deal);
    const auto messageOf = [&](int32_t kept) {
      DroppingExecutor dropping(kept, 2);
      const Status ran =
          runPlan(plan, dropping, &x, 1, 64, nullptr, nullptr, nullptr);
      return ran ? "ran" : ran.error().message();
    };
    EXPECT_EQ(messageOf(2), "ran");
    EXPECT_THAT(messageOf(1), testing::HasSubstr("after 1 of 2 parts"));
    EXPECT_THAT(messageOf(0),
                testing::HasSubstr("after none of up to 2 parts"));
  }
}

TEST(RunPlanTest, AddsUpNothingIfAnExecutorDroppedParts) {
  static int32_t calls;
  Schedule sliced = schedule(1, 1);
  sliced.gridK = 2;
  // So much that the parts add it up, and so little that the caller would.
  for (const int64_t rows : {640, 8}) {
    calls = 0;
    const KernelPlan plan =
        makePlan([](const KernelArgs *, int32_t, int32_t) { ++calls; }, sliced,
                 problem(rows, 48, 1024), 2, 64);
    float x = 0;
    DroppingExecutor one(1, 2);
    EXPECT_FALSE(runPlan(plan, one, &x, 1, rows, nullptr, nullptr, nullptr));
    EXPECT_EQ(calls, 1) << rows;
    CountingExecutor all;
    EXPECT_TRUE(runPlan(plan, all, &x, 1, rows, nullptr, nullptr, nullptr));
    EXPECT_EQ(calls, rows == 8 ? 4 : 5) << rows;
  }
}

} // namespace
