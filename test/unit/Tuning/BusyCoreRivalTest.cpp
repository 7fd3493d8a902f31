// Whom a winner meets for the sake of cores that another hyperthread works on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Lintel/AmxTile.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/BusyCoreChoice.h"

#include <gtest/gtest.h>

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
    EXPECT_FALSE(rivalOf(*rival, problem, 1)) << "better than the best";
  }
}

/// In as many chunks, each thread its own; no schedule of the space deals out.
TEST(BusyCoreRival, SharesOutWorkAsTheWinnerDoes) {
  const Problem problem = problemOf("384x768:768x768 bias", "bf16");
  const Schedule winner = scheduleOf(std::string(kTall) + ",grid=2x1");
  const std::optional<Schedule> rival = rivalOf(winner, problem, 2);
  ASSERT_TRUE(rival);
  EXPECT_EQ(rival->deal, Dealing::fixed);
  EXPECT_EQ(rival->gridM * rival->gridN, 2);
  const Schedule dealt =
      scheduleOf(std::string(kTall) + ",grid=2x8,deal=dynamic");
  EXPECT_FALSE(rivalOf(dealt, problem, 2));
}

TEST(BusyCoreRival, EmbedsRowsOnVectors) {
  const Schedule winner = scheduleOf("tile=8x48,mc=200,nc=48,prefetch=8192");
  const std::optional<Schedule> rival =
      rivalOf(winner, problemOf("197x768:768x2304"), 1);
  ASSERT_TRUE(rival);
  EXPECT_FALSE(rival->onTiles());
  EXPECT_GT(rival->embed, 0) << rival->text();
}

TEST(BusyCoreRival, IsNotAskedForWhereRacesSeeSuchCores) {
  const Schedule onTiles = scheduleOf(kTall),
                 onVectors = scheduleOf("tile=8x48");
  EXPECT_FALSE(seesBusyCores(onTiles, emeraldRapids(), 1));
  EXPECT_TRUE(seesBusyCores(onTiles, emeraldRapids(), 16));
  EXPECT_FALSE(seesBusyCores(onVectors, emeraldRapids(), 16));
  EXPECT_TRUE(seesBusyCores(onVectors, zen4(), 1));
}

/// What a quiet moment makes of tiles costs more in a busy one.
TEST(BusyCoreRival, MayTakeLongerOnTiles) {
  EXPECT_GT(worthOnBusyCore(Unit::vector), 1);
  EXPECT_GT(worthOnBusyCore(Unit::amx), worthOnBusyCore(Unit::vector));
}

} // namespace
