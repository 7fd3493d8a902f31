// The time that threads waited for CPUs, in made-up files of the system.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/WaitingTime.h"

#include "unit/Target/MadeUpRoot.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

class WaitingTime : public MadeUpRoot {};

TEST_F(WaitingTime, IsThatOfAllThreads) {
  write("/proc/self/task/7/schedstat", "9000000000 1500000000 12\n");
  write("/proc/self/task/8/schedstat", "1 250000000 3\n");
  EXPECT_DOUBLE_EQ(secondsWaitedForCpus(root).value(), 1.75);
}

TEST_F(WaitingTime, IsUnknownWhereTheSystemKeepsNone) {
  EXPECT_EQ(secondsWaitedForCpus(root), std::nullopt);
  write("/proc/self/task/7/stat", "7\n");
  write("/proc/self/task/8/schedstat", "nonsense\n");
  EXPECT_EQ(secondsWaitedForCpus(root), std::nullopt);
}

TEST_F(WaitingTime, OfThisProcessGrows) {
  const std::optional<double> before = secondsWaitedForCpus();
  const std::optional<double> after = secondsWaitedForCpus();
  EXPECT_EQ(before.has_value(), after.has_value());
  EXPECT_GE(after.value_or(0), before.value_or(0));
}

} // namespace
