// How much memory calls take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"

#include "Target/FreeMemory.h"
#include "Tuning/MemoryBudget.h"

#include <gmock/gmock.h>

using namespace lintel;
using testing::HasSubstr;

namespace {

TEST(MemoryBudget, CallsTakeTheWeightTwice) {
  const Schedule schedule = *Schedule::parse("tile=4x16");
  const auto bytes = [&](const char *problem, int64_t rows) {
    return bytesOfCalls(problemOf(problem), {&schedule, 1}, rows);
  };
  const int64_t row = 1000 * sizeof(float);
  // As it is and packed.
  EXPECT_GE(bytes("?x1000:1000x32768", 1) - bytes("?x1000:1000x16384", 1),
            2 * 16384 * row);
  // And x for each row.
  EXPECT_GE(bytes("?x1000:1000x16", 1001) - bytes("?x1000:1000x16", 1),
            1000 * row);
}

TEST(MemoryBudget, CallsOfSeveralSchedulesTakeAWeightForEachPanelShape) {
  const Problem problem = problemOf("1x100000:100000x17");
  const auto bytes = [&](const std::vector<Schedule> &schedules) {
    return bytesOfCalls(problem, schedules, 1);
  };
  const Schedule narrow = *Schedule::parse("tile=4x16"),
                 taller = *Schedule::parse("tile=8x16"),
                 wide = *Schedule::parse("tile=1x128");
  EXPECT_EQ(bytes({narrow, taller}), bytes({narrow}));
  EXPECT_GT(bytes({wide}), bytes({narrow})); // more padding
  EXPECT_GE(bytes({narrow, wide}),
            bytes({wide}) + packedBytes(problem, narrow.panel()));
  EXPECT_GT(bytes({narrow}), bytes({}));
}

TEST(MemoryBudget, RefusesCallsThatThereIsNoMemoryFor) {
  const Problem problem = problemOf("?x1000:1000x16");
  const int64_t rowsThatFillMemory = availableMemory() / 1000;
  EXPECT_TRUE(checkMemoryOfCalls(problem, {}, 1));
  const Status refused = checkMemoryOfCalls(problem, {}, rowsThatFillMemory);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::io);
  EXPECT_THAT(refused.error().message(), HasSubstr("of memory are free"));
}

TEST(LackOfMemory, NeverSaysThatWhatIsFreeSuffices) {
  const int64_t mib = int64_t(1) << 20;
  EXPECT_EQ(lackOfMemory(5 * mib, 4 * mib),
            "takes 5 MiB, but only 4 MiB of memory are free");
  EXPECT_EQ(lackOfMemory(4 * mib + 1, 4 * mib),
            "takes 5 MiB, but only 4 MiB of memory are free");
  EXPECT_EQ(lackOfMemory(4 * mib, 4 * mib - 1),
            "takes 4 MiB, but only 3 MiB of memory are free");
}

} // namespace
