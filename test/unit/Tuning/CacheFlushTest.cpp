// Making data cold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/CacheFlush.h"
#include "Tuning/WorkerThreads.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

using namespace lintel;

namespace {

TEST(FlushFromCaches, LeavesTheDataAlone) {
  std::vector<int> data(10000);
  std::iota(data.begin(), data.end(), 0);
  const std::vector<int> before = data;
  flushFromCaches(data.data() + 1, (data.size() - 1) * sizeof(int));
  flushFromCaches(data.data(), 0);
  bringIntoCaches(data.data() + 1, (data.size() - 1) * sizeof(int));
  bringIntoCaches(data.data(), 0);
  EXPECT_EQ(data, before);
}

TEST(FlushFromCaches, OnThreadsLeavesTheDataAlone) {
  std::vector<int> data(1'000'000); // four parts, of which the last is short
  std::iota(data.begin(), data.end(), 0);
  const std::vector<int> before = data;
  WorkerExecutor workers;
  EXPECT_TRUE(flushFromCaches(data.data() + 1, (data.size() - 1) * sizeof(int),
                              workers, 3));
  EXPECT_TRUE(flushFromCaches(data.data(), 0, workers, 2));
  EXPECT_EQ(data, before);
}

} // namespace
