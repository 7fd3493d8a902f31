// Schedules on tile registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/AmxSchedules.h"
#include "Schedule/Legality.h"
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"
#include "Schedule/Workspace.h"

#include <gmock/gmock.h>

#include <set>

using namespace lintel;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

namespace {

std::string refusal(const std::string &fields,
                    std::string_view problem = "64x64:64x64",
                    const Target &target = sapphireRapids()) {
  const Schedule schedule =
      Schedule::parse(
          "unit=amx,group=2," + fields +
          (fields.find("epilogue=") == fields.npos ? ",epilogue=tile" : ""))
          .value();
  Status status = checkSchedule(schedule, problemOf(problem, "bf16"), target);
  return status ? "accepted" : status.error().message();
}

TEST(AmxSchedules, TakeTilesThatEightRegistersHold) {
  for (const char *tile :
       {"tile=32x32", "tile=25x32", "tile=16x64", "tile=48x16", "tile=1x16"})
    EXPECT_EQ(refusal(tile), "accepted") << tile;
  for (const char *tile : {"tile=33x32", "tile=32x48", "tile=64x16"})
    EXPECT_THAT(refusal(tile), HasSubstr("the largest are 32x32")) << tile;
  EXPECT_THAT(refusal("tile=16x24"), HasSubstr("in multiples of 16, not 24"));
}

TEST(AmxSchedules, NeedATargetThatMultipliesTheType) {
  Target without = sapphireRapids();
  without.extensions = {Extension::amxTile, Extension::amxInt8};
  EXPECT_THAT(refusal("tile=32x32", "64x64:64x64", without),
              HasSubstr("does not have for bf16"));
  EXPECT_THAT(checkSchedule(
                  Schedule::parse("tile=32x32,unit=amx,epilogue=tile").value(),
                  problemOf("64x64:64x64"), sapphireRapids())
                  .error()
                  .message(),
              HasSubstr("does not have for f32"));
}

TEST(AmxSchedules, ReadInPlaceOnlyWhatIsThere) {
  EXPECT_EQ(refusal("tile=32x32", "64x96:96x64"), "accepted");
  EXPECT_THAT(refusal("tile=32x32", "64x100:100x64"),
              HasSubstr("K = 100, no multiple of 32"));
  EXPECT_THAT(refusal("tile=32x32", "?x96:96x64"),
              HasSubstr("with M not known"));
  for (const char *pack : {"pack=block", "pack=whole"})
    for (const char *problem : {"64x100:100x64", "?x96:96x64"})
      EXPECT_EQ(refusal(std::string("tile=32x32,mc=64,") + pack, problem),
                "accepted");
}

TEST(AmxSchedules, RefuseWhatTilesCannotDo) {
  EXPECT_THAT(refusal("tile=32x32,kc=48", "64x96:96x64"),
              HasSubstr("multiples of 32, not 48"));
  EXPECT_THAT(refusal("tile=32x32,prefetch=100"),
              HasSubstr("multiples of 64 bytes up to 2048, not 100"));
  EXPECT_THAT(refusal("tile=32x32,prefetch=2112"),
              HasSubstr("up to 2048, not 2112"));
  EXPECT_EQ(refusal("tile=32x32,prefetch=2048"), "accepted");
  EXPECT_THAT(refusal("tile=32x32,ahead=100"),
              HasSubstr("ahead (of the use of the weight) in multiples of 64 "
                        "bytes, not 100"));
  EXPECT_EQ(refusal("tile=32x32,ahead=8192"), "accepted");
  EXPECT_THAT(refusal("tile=32x32,grid=1x1x2", "1..64x64:64x64"),
              HasSubstr("take an M that is known"));
  EXPECT_EQ(refusal("tile=32x32,grid=1x1x2"), "accepted");
  const Problem problem = problemOf("64x64:64x64", "bf16");
  EXPECT_THAT(
      checkSchedule(Schedule::parse("tile=32x32,unit=amx,group=2").value(),
                    problem, sapphireRapids())
          .error()
          .message(),
      HasSubstr("takes epilogue=tile or epilogue=next"));
  EXPECT_EQ(refusal("tile=32x32,epilogue=next"), "accepted");
  EXPECT_THAT(refusal("tile=32x32,epilogue=next,store=stream"),
              HasSubstr("with epilogue=next takes store=cached"));
  EXPECT_THAT(refusal("tile=32x32,epilogue=next,grid=1x1x2"),
              HasSubstr("slices of K, which take pack=none, epilogue=tile"));
  EXPECT_THAT(
      checkSchedule(Schedule::parse("tile=8x32,epilogue=next,group=2").value(),
                    problem, sapphireRapids())
          .error()
          .message(),
      HasSubstr("epilogue is next, which takes unit=amx"));
  EXPECT_THAT(checkSchedule(Schedule::parse("tile=8x32,hint=a,group=2").value(),
                            problem, sapphireRapids())
                  .error()
                  .message(),
              HasSubstr("hint takes unit=amx"));
}

TEST(AmxSchedules, AreOfferedWhereTheTargetHasThem) {
  const Problem problem = problemOf("512x1024:1024x1024 bias+relu", "bf16");
  EXPECT_THAT(amxVariants(problem, zen4WithPairs(), 1), IsEmpty());
  const std::vector<Schedule> variants =
      amxVariants(problem, sapphireRapids(), 1);
  for (StreamHint hint : {StreamHint::none, StreamHint::a, StreamHint::b})
    EXPECT_THAT(variants, Contains(Field(&Schedule::hint, hint)));
  for (PackA pack : {PackA::none, PackA::block, PackA::whole})
    EXPECT_THAT(variants, Contains(Field(&Schedule::pack, pack)));
  for (int64_t nr : {16, 32, 48, 64})
    EXPECT_THAT(variants, Contains(Field(&Schedule::nr, nr)));
  // Vectors stay in the race.
  const std::vector<Schedule> all =
      enumerateSchedules(problem, sapphireRapids(), 2);
  EXPECT_THAT(all, Contains(Field(&Schedule::unit, Unit::amx)));
  EXPECT_THAT(all, Contains(Field(&Schedule::unit, Unit::vector)));
}

/// Heights of the tiles that are one column tile wide.
std::set<int64_t> narrowHeights(const char *text, int threads) {
  std::set<int64_t> found;
  for (const Schedule &schedule :
       amxVariants(problemOf(text, "bf16"), sapphireRapids(), threads))
    if (schedule.nr == 16)
      found.insert(schedule.mr);
  return found;
}

TEST(AmxSchedules, AreLowerWhereThreadsOutnumberTiles) {
  // Two panels by three strips, four, eight.
  EXPECT_THAT(narrowHeights("128x1024:1024x24", 1), ElementsAre(43));
  EXPECT_THAT(narrowHeights("128x1024:1024x24", 6), ElementsAre(43));
  EXPECT_THAT(narrowHeights("128x1024:1024x24", 7), ElementsAre(32, 43));
  EXPECT_THAT(narrowHeights("128x1024:1024x24", 16), ElementsAre(16, 32, 43));
  EXPECT_THAT(narrowHeights("128x1024:1024x512", 16), ElementsAre(43));
  EXPECT_THAT(narrowHeights("16x1024:1024x16", 16), ElementsAre(16));
}

TEST(AmxSchedules, HaveEveryHeightWhereTheyAreAsWideAsTheOutput) {
  EXPECT_THAT(narrowHeights("128x1024:1024x16", 1), ElementsAre(16, 32, 43));
  EXPECT_THAT(narrowHeights("128x1024:1024x1", 1), ElementsAre(16, 32, 43));
}

TEST(AmxSchedules, LeaveHalfOfTheRegistersAloneInOneTile) {
  const auto tiles = [](int threads) {
    std::set<std::pair<int64_t, int64_t>> found;
    for (const Schedule &schedule :
         amxVariants(problemOf("512x4096:4096x4096", "bf16"), sapphireRapids(),
                     threads))
      found.insert({schedule.mr, schedule.nr});
    return found;
  };
  for (int threads : {1, 16})
    EXPECT_THAT(tiles(threads),
                UnorderedElementsAre(Pair(47, 16), Pair(32, 32), Pair(16, 32),
                                     Pair(16, 48), Pair(16, 64)))
        << threads;
}

TEST(AmxSchedules, TakeF16InPairs) {
  Target target = sapphireRapids();
  target.extensions = {Extension::amxTile, Extension::amxFp16};
  const Problem problem = problemOf("512x1024:1024x1024", "f16");
  const std::vector<Schedule> all = enumerateSchedules(problem, target, 2);
  for (const Schedule &schedule : all)
    EXPECT_EQ(schedule.group, schedule.onTiles() ? 2 : 1) << schedule.text();
  EXPECT_THAT(all, Contains(Field(&Schedule::unit, Unit::amx)));
  const auto refusalOf = [&](const char *text) {
    Status status =
        checkSchedule(Schedule::parse(text).value(), problem, target);
    return status ? "accepted" : status.error().message();
  };
  EXPECT_EQ(refusalOf("tile=32x32,unit=amx,group=2,epilogue=tile"), "accepted");
  EXPECT_THAT(refusalOf("tile=32x32,unit=amx,epilogue=tile"),
              HasSubstr("takes group=2 for f16, not 1"));
  EXPECT_THAT(refusalOf("tile=8x32,group=2"), HasSubstr("f16 takes 1"));
}

TEST(AmxSchedules, SplitF16WhereOnlyBF16HasTiles) {
  const Problem problem = problemOf("512x4096:4096x4096", "f16");
  const std::vector<Schedule> all =
      enumerateSchedules(problem, sapphireRapids(), 2);
  EXPECT_THAT(all, Contains(AllOf(Field(&Schedule::unit, Unit::amx),
                                  Field(&Schedule::prefetch, testing::Gt(0)))));
  for (const Schedule &schedule : all) {
    EXPECT_EQ(schedule.group, 1) << schedule.text();
    if (schedule.onTiles())
      EXPECT_TRUE(schedule.splitsHalves()) << schedule.text();
  }
  Target both = sapphireRapids();
  both.extensions.insert(Extension::amxFp16);
  for (const Schedule &schedule : enumerateSchedules(problem, both, 2))
    EXPECT_FALSE(schedule.splitsHalves()) << schedule.text();
}

TEST(AmxSchedules, AllAreLegal) {
  for (const char *text :
       {"512x1024:1024x1024", "1x4096:4096x64", "100x13:13x17", "?x45:45x33",
        "5..16x64:64x1000", "33x0:0x5"})
    for (const char *types : {"bf16", "f16"}) {
      const Problem problem = problemOf(text, types);
      for (const Schedule &schedule :
           enumerateSchedules(problem, sapphireRapids(), 3)) {
        Status legal = checkSchedule(schedule, problem, sapphireRapids());
        EXPECT_TRUE(legal) << schedule.text() << ": "
                           << legal.error().message();
      }
    }
}

TEST(AmxSchedules, HintsAreForTheFactorThatStreams) {
  const Problem problem = problemOf("512x4096:4096x4096", "bf16");
  std::set<std::pair<StreamHint, LoopOrder>> hinted;
  for (const Schedule &schedule :
       enumerateSchedules(problem, sapphireRapids(), 1))
    if (schedule.hint != StreamHint::none)
      hinted.emplace(schedule.hint, schedule.tiles);
  EXPECT_THAT(hinted, UnorderedElementsAre(Pair(StreamHint::a, LoopOrder::nm),
                                           Pair(StreamHint::b, LoopOrder::mn)));
}

TEST(AmxSchedules, WorkspaceHoldsWhatIsPacked) {
  const Problem problem = problemOf("64x100:100x64", "bf16");
  const auto bytes = [&](const std::string &fields) {
    return workspaceBytesPerThread(
        Schedule::parse("unit=amx,group=2,epilogue=tile,tile=32x32," + fields)
            .value(),
        problem, sapphireRapids(), 64);
  };
  const int64_t oneTile = 32 * 32 * 4, twoStrips = 64;
  // K is rounded up to cache lines of 32 elements.
  EXPECT_EQ(bytes("pack=block"), oneTile + twoStrips * 128 * 2);
  EXPECT_EQ(bytes("pack=block,mc=32"), oneTile + 32 * 128 * 2);
  // Blocks of K: all tiles of the block wait for the next one.
  EXPECT_EQ(bytes("pack=block,kc=32"), 4 * oneTile + twoStrips * 32 * 2);
  EXPECT_EQ(bytes("pack=whole,kc=32"), 4 * oneTile + twoStrips * 128 * 2);
}

TEST(AmxSchedules, WorkspaceHoldsWhatF16IsSplitInto) {
  const Problem problem = problemOf("64x100:100x64", "f16");
  const auto bytes = [&](const std::string &fields) {
    return workspaceBytesPerThread(
        Schedule::parse("unit=amx,widen=panel,pack=block,tiles=nm,"
                        "epilogue=tile,tile=32x32" +
                        fields)
            .value(),
        problem, sapphireRapids(), 64);
  };
  // Two bf16 for each element of whole cache lines of rows and of a panel.
  const int64_t oneTile = 32 * 32 * 4, rows = 64, columns = 32;
  EXPECT_EQ(bytes(""), oneTile + (rows + columns) * 128 * 4);
  EXPECT_EQ(bytes(",kc=32"), 4 * oneTile + (rows + columns) * 32 * 4);
}

TEST(AmxSchedules, FewRowsAskForTheWeightAhead) {
  const auto aheadOf = [](const char *shape) {
    std::set<int64_t> distances;
    for (const Schedule &schedule :
         enumerateSchedules(problemOf(shape, "bf16"), sapphireRapids(), 1))
      if (schedule.onTiles())
        distances.insert(schedule.ahead);
    return distances;
  };
  EXPECT_THAT(aheadOf("16x4096:4096x4096"), ElementsAre(0, 8192));
  EXPECT_THAT(aheadOf("512x4096:4096x4096"), ElementsAre(0));
  EXPECT_THAT(aheadOf("16x64:64x64"), ElementsAre(0)); // in L1 anyway
}

/// The tile that leaves registers alone is raced, whatever the estimate says of
/// cores that are not busy.
TEST(AmxSchedules, FrugalTilesAreCandidates) {
  for (const char *shape : {"512x4096:4096x4096", "1024x1024:1024x1024",
                            "128x768:768x3072", "2048x4096:4096x11008"})
    for (int threads : {1, 16})
      EXPECT_THAT(
          selectCandidates(problemOf(shape, "bf16"), emeraldRapids(), threads,
                           /*count=*/40, /*maxObjects=*/10, std::nullopt),
          Contains(AllOf(Field(&Schedule::mr, 16), Field(&Schedule::nr, 32),
                         Field(&Schedule::unit, Unit::amx))))
          << shape << ", threads: " << threads;
}

} // namespace
