// Whom a winner meets for the sake of cores that another hyperthread works on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Lintel/AmxTile.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/BusyCoreChoice.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>

using namespace lintel;

namespace {

int64_t registersOf(const Schedule &schedule) {
  return AmxTile::of(schedule.mr, schedule.nr).registers();
}

std::optional<Schedule> rivalOf(const Schedule &winner, const Problem &problem,
                                int threads) {
  const Target target = emeraldRapids();
  return rivalOnBusyCore(winner, enumerateSchedules(problem, target, threads),
                         problem, target, threads);
}

const char *const kTall = "tile=32x32,unit=amx,hint=b,group=2,epilogue=next";

TEST(BusyCoreRival, LeavesRegistersAloneOnTiles) {
  for (const char *shape : {"128x768:768x768 bias", "384x768:768x768 bias",
                            "512x1024:1024x1024", "64x512:512x512 relu"}) {
    const Problem problem = problemOf(shape, "bf16");
    const Schedule winner = scheduleOf(kTall);
    const std::optional<Schedule> rival = rivalOf(winner, problem, 1);
    ASSERT_TRUE(rival) << shape;
    EXPECT_TRUE(rival->onTiles()) << rival->text();
    EXPECT_LT(registersOf(*rival), registersOf(winner)) << rival->text();
  }
}

TEST(BusyCoreRival, IsNoneOfAWinnerThatLeavesThemAlone) {
  const Problem problem = problemOf("512x1024:1024x1024", "bf16");
  EXPECT_FALSE(rivalOf(
      scheduleOf("tile=16x32,unit=amx,hint=a,group=2,prefetch=64,pack=block,"
                 "epilogue=tile,mc=512,nc=1024,kc=512,tiles=nm"),
      problem, 1));
}

/// Each thread its own chunk; no schedule of the space deals out.
TEST(BusyCoreRival, SharesOutWorkAsTheWinnerDoes) {
  const Problem problem = problemOf("384x768:768x768 bias", "bf16");
  const std::optional<Schedule> rival =
      rivalOf(scheduleOf(std::string(kTall) + ",grid=2x1"), problem, 2);
  ASSERT_TRUE(rival);
  EXPECT_EQ(rival->gridM * rival->gridN, 2);
  EXPECT_FALSE(rivalOf(
      scheduleOf(std::string(kTall) + ",grid=2x8,deal=dynamic"), problem, 2));
}

TEST(BusyCoreRival, EmbedsRowsOnVectors) {
  const std::optional<Schedule> rival =
      rivalOf(scheduleOf("tile=8x48,mc=200,nc=48,prefetch=8192"),
              problemOf("197x768:768x2304"), 1);
  ASSERT_TRUE(rival);
  EXPECT_GT(rival->embed, 0) << rival->text();
}

/// Tiles are far ahead of vectors by the estimate, but a race has said
/// otherwise.
TEST(BusyCoreRival, KeepsTheUnit) {
  const Problem problem = problemOf("384x768:768x768 bias", "bf16");
  EXPECT_FALSE(rivalOf(scheduleOf("tile=8x48,group=2"), problem, 1));
}

TEST(BusyCoreRival, IsNotAskedForWhereARaceTellsAll) {
  const Target server = emeraldRapids();
  const Problem problem = problemOf("512x1024:1024x1024", "bf16");
  const Schedule onTiles = scheduleOf(std::string(kTall) + ",grid=4x4");
  EXPECT_FALSE(raceTellsAll(onTiles, problem, server, 3));
  EXPECT_TRUE(raceTellsAll(onTiles, problem, server, 4));
  // What counts is how many threads the winner takes.
  EXPECT_FALSE(raceTellsAll(scheduleOf(kTall), problem, server, 16));
  EXPECT_FALSE(
      raceTellsAll(scheduleOf("tile=8x48,grid=4x4"), problem, server, 16));
  EXPECT_TRUE(raceTellsAll(scheduleOf("tile=8x48"), problem, zen4(), 1));
  EXPECT_TRUE(raceTellsAll(onTiles, problem, zen4(), 1));
}

/// 8 % lie between what large and small layers lose in quiet moments; 2 % are
/// what embedding rows costs there.
TEST(BusyCoreRival, MayTakeLongerOnTiles) {
  EXPECT_DOUBLE_EQ(worthOnBusyCore(Unit::vector), 1.02);
  EXPECT_DOUBLE_EQ(worthOnBusyCore(Unit::amx), 1.08);
}

} // namespace
