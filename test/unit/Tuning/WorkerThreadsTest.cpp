// Work that threads share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/WorkerThreads.h"

#include <atomic>
#include <gtest/gtest.h>
#include <vector>

using namespace lintel;

namespace {

/// Runs one part of however many it is asked for.
class OnePart final : public Executor {
public:
  void run(int32_t, ParallelBody body, void *context) override {
    body(context, 0, 1);
  }
};

TEST(ShareOut, EveryItemIsTakenOnce) {
  WorkerExecutor workers;
  OnePart onePart;
  for (Executor *executor :
       {static_cast<Executor *>(&workers), static_cast<Executor *>(&onePart)})
    for (int64_t items : {0, 1, 7}) {
      std::vector<std::atomic<int>> taken(static_cast<size_t>(items));
      EXPECT_TRUE(
          shareOut(*executor, 3, items, [&](int64_t item) { ++taken[item]; }));
      for (const std::atomic<int> &times : taken)
        EXPECT_EQ(times, 1);
    }
}

/// Runs parts that are none of a region.
class StrayParts final : public Executor {
public:
  void run(int32_t, ParallelBody body, void *context) override {
    body(context, 0, 0);
    body(context, -1, 2);
  }
};

TEST(ShareOut, PartsThatAreNoneAreNotRun) {
  StrayParts stray;
  EXPECT_FALSE(shareOut(stray, 3, 7, [](int64_t) { ADD_FAILURE(); }));
}

} // namespace
