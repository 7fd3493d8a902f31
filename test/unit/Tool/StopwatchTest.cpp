// Timing calls by repeating them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Stopwatch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

using namespace lintel;
using namespace lintel::tool;

namespace {

TEST(StopwatchTest, TakesEnoughSamplesAndHeedsStop) {
  int calls = 0;
  Lap lap = timeRepeatedly([&] { ++calls; }, [] { return false; });
  EXPECT_GE(lap.samples.size(), 10u);
  EXPECT_GE(calls, int(lap.samples.size()));
  EXPECT_GT(lap.median(), 0);
  EXPECT_EQ(timeRepeatedly([] {}, [] { return true; }).samples.size(), 1u);
  // One that is only cold at first is timed as the short call that it is,
  // unless a machine with other work makes that one long.
  using Clock = std::chrono::steady_clock;
  Clock::duration cold;
  do {
    calls = 0;
    lap = timeRepeatedly(
        [&] {
          if (++calls > 1)
            return;
          const Clock::time_point start = Clock::now();
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          cold = Clock::now() - start;
        },
        [] { return false; });
  } while (cold > std::chrono::milliseconds(9));
  EXPECT_GT(calls, 10 * int(lap.samples.size()));
  // A call that takes long is made no more often than it must be.
  calls = 0;
  EXPECT_EQ(
      timeRepeatedly([&] { ++calls; }, [] { return true; }).samples.size(), 1u);
  EXPECT_EQ(calls, 1);
}

} // namespace
