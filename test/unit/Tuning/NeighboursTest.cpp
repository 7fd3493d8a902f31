// What is next to a schedule in the space.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"
#include "unit/Tuning/ThisMachine.h"

#include "Schedule/AmxSchedules.h"
#include "Schedule/Legality.h"
#include "Schedule/Partition.h"
#include "Schedule/Ranking.h"
#include "Schedule/SameCode.h"
#include "Schedule/SearchSpace.h"
#include "Schedule/VectorSchedules.h"
#include "Tuning/Neighbours.h"

#include <algorithm>
#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;
using ::testing::SizeIs;

namespace {

TEST(NeighboursTest, DifferInOneField) {
  const Problem problem = problemOf("384x768:768x3072 bias+gelu_erf");
  const Schedule center = *bestPredictedSchedule(problem, hostTarget(), 2);
  const std::vector<Schedule> space =
      enumerateSchedules(problem, hostTarget(), 2);
  const std::vector<Schedule> neighbours =
      neighboursOf(center, space, problem, hostTarget(), 2, 12);
  // At most 12, and few less where caches are larger.
  EXPECT_THAT(neighbours, SizeIs(AllOf(Ge(8), Le(12))));
  for (const Schedule &schedule : neighbours) {
    EXPECT_TRUE(checkSchedule(schedule, problem, hostTarget()));
    // Whether strips share out the next panel goes with the order of loops.
    const bool otherLoops =
        schedule.blocks != center.blocks || schedule.tiles != center.tiles;
    const int differences =
        (schedule.pack != center.pack) +
        (schedule.epilogue != center.epilogue) + (schedule.mc != center.mc) +
        (schedule.nc != center.nc) + (schedule.kc != center.kc) +
        (otherLoops || schedule.share != center.share) +
        (schedule.prefetch != center.prefetch) +
        (schedule.ahead != center.ahead) +
        (schedule.streams != center.streams) +
        (schedule.gridM != center.gridM || schedule.gridN != center.gridN);
    EXPECT_EQ(differences, 1) << schedule.text();
    EXPECT_EQ(schedule.mr, center.mr);
    EXPECT_EQ(schedule.panel(), center.panel());
  }
  EXPECT_TRUE(neighboursOf(center, {}, problem, hostTarget(), 2, 12).empty());
}

void expectWithoutIsNext(const char *shape, int64_t Schedule::*field) {
  const Target target = cascadeLake();
  const Problem problem = problemOf(shape);
  const std::vector<Schedule> space = enumerateSchedules(problem, target, 1);
  const auto center =
      std::ranges::find_if(space, [&](const Schedule &schedule) {
        return schedule.*field > Schedule().*field;
      });
  ASSERT_NE(center, space.end());
  Schedule without = *center;
  without.*field = Schedule().*field;
  const std::vector<Schedule> neighbours =
      neighboursOf(*center, space, problem, target, 1, 1000);
  EXPECT_NE(std::ranges::find(neighbours, without), neighbours.end());
}

TEST(NeighboursTest, OfAPrefetchDoWithout) {
  expectWithoutIsNext("1x1024:1024x1024", &Schedule::ahead);
  expectWithoutIsNext("1x1024:1024x1024", &Schedule::streams);
  expectWithoutIsNext("512x1024:1024x1024", &Schedule::prefetch);
  expectWithoutIsNext("33x4096:4096x4096", &Schedule::share);
}

TEST(NeighboursTest, WidenElsewhereWithWhatGoesWithIt) {
  const Target target = cascadeLake();
  const Problem problem = problemOf("130x2048:2048x4096", "bf16");
  const std::vector<Schedule> space = enumerateSchedules(problem, target, 1);
  const auto tileOf = [&](Widen widen) {
    return std::ranges::find_if(space, [&](const Schedule &schedule) {
      return schedule.widen == widen &&
             std::ranges::any_of(space, [&](const Schedule &other) {
               return sameTile(other, schedule) && other.widen != widen;
             });
    });
  };
  const auto panelTile = tileOf(Widen::panel);
  ASSERT_NE(panelTile, space.end());
  Schedule ofStep = *panelTile, ofPanels = *panelTile;
  ofStep.widen = Widen::step;
  ofStep.pack = PackA::none;
  ofStep.prefetch = ofPanels.prefetch = 0;
  ofStep.ahead = 8192;
  ofStep.mc = ofPanels.mc = 2 * panelTile->mr;
  ofPanels.share = 1;
  ofStep.share = 2;
  const auto neighbourOf = [&](const Schedule &center) {
    for (const Schedule &schedule :
         neighboursOf(center, space, problem, target, 1, 1000))
      if (schedule.widen != center.widen)
        return schedule;
    return Schedule();
  };
  // Two strips ask for the lines of a step: of pairs twice as many as of what
  // is widened of them.
  const Schedule panels = neighbourOf(ofStep);
  EXPECT_EQ(panels.pack, PackA::block);
  EXPECT_EQ(panels.tiles, LoopOrder::nm);
  EXPECT_EQ(panels.ahead, 0);
  EXPECT_EQ(panels.share, ceilDiv(linesOfTurn(panels, DType::bf16, target), 2));
  const Schedule steps = neighbourOf(ofPanels);
  EXPECT_EQ(steps.pack, PackA::block);
  EXPECT_EQ(steps.share, ceilDiv(linesOfTurn(steps, DType::bf16, target), 2));
}

TEST(NeighboursTest, EmbedRowsWhereTheyAreStillPacked) {
  const Target target = cascadeLake();
  const Problem problem = problemOf("512x2048:2048x2048");
  const std::vector<Schedule> space = enumerateSchedules(problem, target, 1);
  const auto center = std::ranges::find_if(
      space, [&](const Schedule &schedule) { return schedule.embed > 0; });
  ASSERT_NE(center, space.end());
  bool unpacks = false, asks = false;
  for (const Schedule &other :
       neighboursOf(*center, space, problem, target, 1, 1000)) {
    EXPECT_EQ(other.embed, rowsToEmbed(other, problem.types(), target))
        << other.text();
    unpacks |= other.pack == PackA::none;
    asks |= other.prefetch != center->prefetch && other.embed != center->embed;
  }
  EXPECT_TRUE(unpacks);
  EXPECT_TRUE(asks);
  Schedule wide = *center;
  wide.mr = 8;
  wide.nr = 48;
  const std::optional<Schedule> moved =
      onTileOf(wide, *center, problem, target);
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->embed, rowsToEmbed(*moved, problem.types(), target));
}

/// Neither a change of order alone nor one of `share` alone leads from one to
/// the other.
TEST(NeighboursTest, ChangeTheOrderWithWhoAsksForTheNextPanel) {
  const Target target = cascadeLake();
  const Problem problem = problemOf("1500x1280:1280x5120");
  const std::vector<Schedule> space = enumerateSchedules(problem, target, 1);
  const auto sharing =
      std::ranges::find_if(space, [](const Schedule &schedule) {
        return schedule.share > 0 && schedule.tiles == LoopOrder::nm &&
               schedule.kc >= 1280;
      });
  ASSERT_NE(sharing, space.end());
  const auto neighbourOf = [&](const Schedule &center, LoopOrder tiles,
                               bool shares) -> std::optional<Schedule> {
    for (const Schedule &other :
         neighboursOf(center, space, problem, target, 1, 1000))
      if (other.tiles == tiles && (other.share > 0) == shares)
        return other;
    return std::nullopt;
  };
  Schedule strips = *sharing;
  strips.nc = 4 * strips.nr; // one panel would be shared out in any order
  const auto alone = neighbourOf(strips, LoopOrder::mn, false);
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->prefetch, sharing->prefetch);
  const auto again = neighbourOf(*alone, LoopOrder::nm, true);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->share, strips.share);
  EXPECT_EQ(again->blocks, LoopOrder::mn);
  // One panel is followed by the next block's in either order of tiles, and a
  // lone strip has nobody to share with.
  Schedule onePanel = *alone;
  onePanel.nc = onePanel.nr;
  EXPECT_TRUE(neighbourOf(onePanel, LoopOrder::mn, true));
  EXPECT_FALSE(neighbourOf(onePanel, LoopOrder::nm, true));
  Schedule oneStrip = *alone;
  oneStrip.mc = oneStrip.mr;
  EXPECT_FALSE(neighbourOf(oneStrip, LoopOrder::mn, true));
  EXPECT_FALSE(neighbourOf(oneStrip, LoopOrder::nm, true));
}

TEST(NeighboursTest, AreEachDifferent) {
  const Target target = cascadeLake();
  const Problem problem = problemOf("1500x1280:1280x5120");
  const std::vector<Schedule> space = enumerateSchedules(problem, target, 1);
  const auto center = std::ranges::find_if(
      space, [](const Schedule &schedule) { return schedule.share > 0; });
  ASSERT_NE(center, space.end());
  const std::vector<Schedule> neighbours =
      neighboursOf(*center, space, problem, target, 1, 1000);
  EXPECT_THAT(neighbours, SizeIs(Ge(2U)));
  for (size_t i = 0; i < neighbours.size(); ++i)
    EXPECT_EQ(std::ranges::count(neighbours, neighbours[i]), 1)
        << neighbours[i].text();
}

TEST(NeighboursTest, OfTilesThatAskForTheNextPanelAskAnew) {
  const Problem problem = problemOf("128x4096:4096x4096", "bf16");
  const Target target = emeraldRapids();
  const Schedule center = scheduleOf(
      "tile=32x32,unit=amx,hint=a,group=2,prefetch=512,streams=8,pack=whole,"
      "epilogue=tile,mc=128,nc=32,kc=512,tiles=nm,grid=1x1");
  const std::vector<Schedule> space = enumerateSchedules(problem, target, 1);
  ASSERT_NE(std::ranges::find(space, center), space.end());
  size_t inOneStream = 0, unasked = 0, otherwise = 0;
  for (const Schedule &neighbour :
       neighboursOf(center, space, problem, target, 1, 1000)) {
    unasked += neighbour.prefetch == 0;
    inOneStream += neighbour.prefetch > 0 && neighbour.streams == 1;
    if (neighbour.prefetch > 0 && neighbour.prefetch != center.prefetch) {
      ++otherwise;
      EXPECT_EQ(neighbour.prefetch,
                nextPanelPrefetch(neighbour, neighbour.mc / neighbour.mr))
          << neighbour.text();
    }
  }
  EXPECT_GT(otherwise, 0u);
  // As many lines, but in one place.
  EXPECT_EQ(inOneStream, 1u);
  EXPECT_EQ(unasked, 1u);
}

/// Tiles of one row are as wide on vectors, but they do not ask for panels.
TEST(NeighboursTest, AreOnTheSameUnit) {
  const Problem problem = problemOf("1x1024:1024x4096", "bf16");
  const Target target = emeraldRapids();
  const std::vector<Schedule> space = enumerateSchedules(problem, target, 1);
  for (Unit unit : {Unit::vector, Unit::amx}) {
    std::vector<Schedule> ofUnit = space;
    std::erase_if(ofUnit, [&](const Schedule &s) { return s.unit != unit; });
    const auto center =
        std::ranges::find_if(ofUnit, [](const Schedule &schedule) {
          return schedule.mr == 1 && schedule.panel() == PanelShape{64, 2};
        });
    ASSERT_NE(center, ofUnit.end()) << int(unit);
    const std::vector<Schedule> neighbours =
        neighboursOf(*center, space, problem, target, 1, 1000);
    EXPECT_FALSE(neighbours.empty()) << int(unit);
    EXPECT_EQ(neighbours,
              neighboursOf(*center, ofUnit, problem, target, 1, 1000))
        << int(unit);
  }
}

std::optional<Schedule> onTile(const char *other, const char *schedule,
                               const Problem &problem) {
  return onTileOf(scheduleOf(other), scheduleOf(schedule), problem,
                  emeraldRapids());
}

TEST(OnOtherTiles, BlocksAreTheOthers) {
  const Problem problem = problemOf("512x1024:1024x1024");
  EXPECT_EQ(onTile("tile=4x32,mc=64,nc=128,kc=128",
                   "tile=8x48,mc=96,nc=96,kc=256,tiles=nm", problem),
            scheduleOf("tile=4x32,mc=64,nc=128,kc=256,tiles=nm"));
  EXPECT_EQ(onTile("tile=4x24", "tile=8x48", problem), std::nullopt);
}

/// Dot products are exact, beside tiles that sum pairs in s16.
TEST(OnOtherTiles, SumsAreThoseOfTilesThatRace) {
  const Problem problem = problemOf("128x1024:1024x16", "u8s8,accumulate=s16");
  const char *dots = "tile=4x2,group=16,epilogue=tile";
  const char *pairs = "tile=4x16,accumulate=s16,group=4,epilogue=tile";
  const Target avx2 = *Target::parse("isa=avx2");
  const auto moved = [&](const char *other, const char *schedule) {
    return onTileOf(scheduleOf(other), scheduleOf(schedule), problem, avx2)
        .value();
  };
  EXPECT_TRUE(moved(pairs, dots).sumsPairsInWords());
  EXPECT_FALSE(moved(dots, pairs).sumsPairsInWords());
}

TEST(OnOtherTiles, OfAnotherUnitThereAreNone) {
  const Problem problem = problemOf("512x1024:1024x1024", "bf16");
  const char *vector = "tile=8x48,group=2";
  const char *amx = "tile=32x32,unit=amx,group=2,pack=whole,epilogue=tile";
  EXPECT_EQ(onTile(vector, amx, problem), std::nullopt);
  EXPECT_EQ(onTile(amx, vector, problem), std::nullopt);
}

TEST(OnOtherTiles, StripsShareOutTheNextPanelAnew) {
  const Problem problem = problemOf("512x1024:1024x1024", "bf16");
  const char *amx = "tile=32x32,unit=amx,group=2,prefetch=512,pack=whole,"
                    "epilogue=tile,mc=128,tiles=nm";
  const std::optional<Schedule> lower =
      onTile("tile=16x32,unit=amx,group=2,pack=whole,epilogue=tile,mc=128", amx,
             problem);
  ASSERT_TRUE(lower);
  EXPECT_EQ(lower->prefetch, nextPanelPrefetch(*lower, 8));
  EXPECT_NE(lower->prefetch, 512);

  const char *shared = "tile=8x48,share=1,mc=32,tiles=nm";
  const Problem floats = problemOf("512x1024:1024x1024");
  const std::optional<Schedule> taller =
      onTile("tile=12x32,mc=24", shared, floats);
  ASSERT_TRUE(taller);
  EXPECT_EQ(taller->share, 1);
  // Two lines of each of two strips, and a lone strip shares with nobody.
  EXPECT_EQ(onTile("tile=4x64,mc=8", shared, floats)->share, 2);
  EXPECT_EQ(onTile("tile=4x64,mc=4", shared, floats)->share, 0);
}

TEST(NeighboursTest, OfWhatIsDealtDynamicallyIsDealtBeforehand) {
  const Problem problem = problemOf("384x768:768x3072");
  const std::vector<Schedule> space =
      enumerateSchedules(problem, hostTarget(), 2);
  Schedule center = *bestPredictedSchedule(problem, hostTarget(), 2);
  Schedule fixed = center;
  center.deal = Dealing::dynamic;
  const std::vector<Schedule> neighbours =
      neighboursOf(center, space, problem, hostTarget(), 2, 1000);
  EXPECT_NE(std::find(neighbours.begin(), neighbours.end(), fixed),
            neighbours.end());
}

/// Of few rows, whose sums of f32 the registers hold, too.
TEST(NeighboursTest, OfSumsOfF16AreSumsOfF32) {
  Target target = hostTarget();
  target.isa = IsaLevel::avx512;
  target.extensions = {Extension::avx512Fp16};
  const Problem problem =
      Problem::parse("4x512:512x512", *DataTypes::parse("f16,accumulate=f16"))
          .value();
  const std::vector<Schedule> space = enumerateSchedules(problem, target, 1);
  const auto inHalves =
      std::find_if(space.begin(), space.end(), [](const Schedule &schedule) {
        return schedule.sumsRunsInHalf();
      });
  ASSERT_NE(inHalves, space.end());
  Schedule inFloats = *inHalves;
  inFloats.accumulate = Accumulate::f32;
  const std::vector<Schedule> neighbours =
      neighboursOf(*inHalves, space, problem, target, 1, space.size());
  EXPECT_NE(std::find(neighbours.begin(), neighbours.end(), inFloats),
            neighbours.end());
}

/// Whatever tiles the registers hold for exact ones, too.
TEST(NeighboursTest, OfSumsOfS16AreNoExactOnes) {
  Target target = hostTarget();
  target.isa = IsaLevel::avx2;
  target.extensions = {};
  const Problem problem =
      Problem::parse("1x512:512x512", *DataTypes::parse("u8s8,accumulate=s16"))
          .value();
  const std::vector<Schedule> space = enumerateSchedules(problem, target, 1);
  const auto &center = space.front();
  Schedule exact = center;
  exact.accumulate = Accumulate::f32;
  exact.group = 2;
  ASSERT_TRUE(center.sumsPairsInWords());
  ASSERT_TRUE(checkSchedule(exact, problem, target));
  const std::vector<Schedule> neighbours =
      neighboursOf(center, space, problem, target, 1, 100 * space.size());
  EXPECT_FALSE(neighbours.empty());
  for (const Schedule &neighbour : neighbours)
    EXPECT_TRUE(neighbour.sumsPairsInWords()) << neighbour.text();
}

} // namespace
