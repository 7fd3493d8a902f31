// Telling slow kernels from CPUs that others use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/WaitedForCpus.h"

#include <gtest/gtest.h>

namespace lintel {
namespace {

TEST(WaitedForCpus, GoesByTheEstimate) {
  EXPECT_FALSE(waitedForCpus(80, 100));
  EXPECT_FALSE(waitedForCpus(990, 100));
  EXPECT_TRUE(waitedForCpus(1010, 100));
  EXPECT_TRUE(waitedForCpus(8000, 75)); // a thread slept
}

TEST(WaitedForCpus, ShortCallsMayTakeLonger) {
  EXPECT_FALSE(waitedForCpus(2, 0.05));
  EXPECT_FALSE(waitedForCpus(49, 1));
  EXPECT_TRUE(waitedForCpus(51, 1));
}

TEST(WaitedForCpus, SaysHowManyTimesTheEstimate) {
  EXPECT_EQ(timesTheEstimate(8000, 100),
            "a call took 80 times what was estimated, as where threads wait "
            "for CPUs (OMP_WAIT_POLICY=passive lets those of OpenMP sleep "
            "between calls)");
}

TEST(WaitedForCpus, IsToldByTheSystemOfEachThread) {
  EXPECT_FALSE(lackedCpus(0, 0.2, 1));
  EXPECT_FALSE(lackedCpus(0.019, 0.2, 1));
  EXPECT_TRUE(lackedCpus(0.021, 0.2, 1));
  EXPECT_FALSE(lackedCpus(0.31, 0.2, 16));
  EXPECT_TRUE(lackedCpus(0.33, 0.2, 16));
}

TEST(WaitedForCpus, SaysForHowLongEachThreadHadNone) {
  EXPECT_EQ(lackedCpusText(0.05, 0.2, 1),
            "the thread had no CPU for 0.05 s of 0.20 s");
  EXPECT_EQ(lackedCpusText(0.2, 0.2, 2),
            "2 threads had no CPU for 0.10 s of 0.20 s each "
            "(OMP_WAIT_POLICY=passive lets those of OpenMP sleep between "
            "calls)");
}

TEST(WaitedForCpus, MayHaveWaitedWithLess) {
  EXPECT_FALSE(mayHaveWaitedForCpus(290, 100));
  EXPECT_TRUE(mayHaveWaitedForCpus(310, 100));
  EXPECT_FALSE(mayHaveWaitedForCpus(49, 10));
}

TEST(WaitedForCpus, SaysThatOneThreadWasAsFast) {
  EXPECT_EQ(timesTheEstimate(8000, 100, 2),
            "a call took 80 times what was estimated, as where threads wait "
            "for CPUs (OMP_WAIT_POLICY=passive lets those of OpenMP sleep "
            "between calls), and one thread was as fast as 2");
}

TEST(WaitedForCpus, NothingIsKnownWithoutTimeOrEstimate) {
  EXPECT_FALSE(waitedForCpus(0, 100));
  EXPECT_FALSE(waitedForCpus(1000, 0));
}

} // namespace
} // namespace lintel
