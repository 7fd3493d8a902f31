// When threads share K, each a slice of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/SearchSpace.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::Not;
using ::testing::Truly;

namespace {

std::vector<Schedule> spaceOf(std::string_view problem, int threads) {
  return enumerateSchedules(problemOf(problem), zen4(), threads);
}

TEST(Slices, AreOfferedWhereTilesAreFewerThanThreads) {
  const auto slices = [](int64_t count) {
    return Contains(AllOf(Field(&Schedule::gridK, count),
                          Field(&Schedule::epilogue, EpiloguePlacement::tile)));
  };
  // One tile, and threads for eight slices of it.
  EXPECT_THAT(spaceOf("1x8192:8192x16", 8), slices(8));
  EXPECT_THAT(spaceOf("4x8192:8192x64", 2), slices(2));
  // Slices are at least 256 deep.
  EXPECT_THAT(spaceOf("1x800:800x16", 8), slices(3));
  const std::vector<Schedule> space = spaceOf("5x8192:8192x96", 8);
  EXPECT_THAT(space, Contains(Field(&Schedule::gridK, ::testing::Gt(1))));
  EXPECT_THAT(space, Contains(Field(&Schedule::gridK, 1)));
  size_t fixed = 0;
  for (const Schedule &schedule : space) {
    const int64_t strips = (5 + schedule.mr - 1) / schedule.mr;
    const int64_t panels = (96 + schedule.nr - 1) / schedule.nr;
    if (schedule.gridK > 1 && schedule.deal == Dealing::fixed) {
      ++fixed;
      EXPECT_LT(strips * panels, 8) << schedule.text();
    }
  }
  EXPECT_GT(fixed, 0U);
}

TEST(Slices, AreNotOfferedWhereTheyCannotPay) {
  for (const auto &[problem, threads] :
       {std::pair("1x8192:8192x16", 1), std::pair("1x511:511x16", 8),
        std::pair("512x4096:4096x4096", 8), std::pair("?x8192:8192x16", 8)})
    EXPECT_THAT(spaceOf(problem, threads),
                Not(Contains(Field(&Schedule::gridK, ::testing::Gt(1)))))
        << problem;
}

// Chunks to be dealt out need tiles for each, or slices of them.
TEST(Slices, AreDealtOutWhereTilesAreTooFewForThat) {
  const auto dealt = [](const Schedule &schedule) {
    return schedule.gridK > 1 && schedule.deal == Dealing::dynamic;
  };
  constexpr int kThreads = 16;
  const std::vector<Schedule> space = spaceOf("16x7168:7168x768", kThreads);
  EXPECT_THAT(space, Contains(Truly(dealt)));
  for (const Schedule &schedule : space)
    if (dealt(schedule)) {
      const int64_t chunks = schedule.gridM * schedule.gridN * schedule.gridK;
      EXPECT_GT(chunks, kThreads) << schedule.text();
      EXPECT_LE(chunks, 4 * kThreads) << schedule.text();
    }
  // Few threads are taken to run alike, and many tiles need no slices.
  EXPECT_THAT(spaceOf("16x7168:7168x768", 4), Not(Contains(Truly(dealt))));
  EXPECT_THAT(spaceOf("16x7168:7168x32768", kThreads),
              Not(Contains(Truly(dealt))));
}

} // namespace
