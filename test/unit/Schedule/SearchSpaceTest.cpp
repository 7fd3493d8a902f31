// Properties of the whole search space.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/CacheBlocks.h"
#include "Schedule/Legality.h"
#include "Schedule/Ranking.h"
#include "Schedule/RegisterTiles.h"
#include "Schedule/SearchSpace.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <map>
#include <set>

using namespace lintel;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Not;
using ::testing::Truly;

namespace {

const char *const kProblems[] = {
    "1x1:1x1",
    "0x0:0x0",
    "0x64:64x64",
    "64x64:64x0",
    "64x0:0x64",
    "1x4096:4096x4096",
    "4x4096:4096x11008 silu",
    "17x33:33x65 bias",
    "128x768:768x3072 bias+gelu_erf",
    "128x257:257x512",
    "128x1024:1024x16",
    "512x1024:1024x1024",
    "4096x4096:4096x4096",
    "?x768:768x3072 bias+gelu_erf",
    "?x0:0x1",
    "?x4096:4096x32003",
    "2048x13:13x512 relu",
    "13x262144:262144x1",
    "2147483648x64:64x64",
    "64x2147483648:2147483648x1",
    "1x8192:8192x16 bias+gelu_erf",
    "5..16x8192:8192x64 bias",
    "1x1:1x2147483648",
};

class SearchSpace
    : public testing::TestWithParam<std::tuple<const char *, IsaLevel, int>> {
protected:
  Problem problem = problemOf(std::get<0>(GetParam()));
  Target target = targetOf(std::get<1>(GetParam()));
  int threads = std::get<2>(GetParam());
  std::vector<Schedule> space = enumerateSchedules(problem, target, threads);
};

TEST_P(SearchSpace, HoldsLegalDistinctSchedulesInBoundedNumber) {
  ASSERT_FALSE(space.empty());
  EXPECT_LE(space.size(), 2000u);
  std::set<std::string> texts;
  for (const Schedule &schedule : space) {
    Status status = checkSchedule(schedule, problem, target);
    EXPECT_TRUE(status) << schedule.text() << ": " << status.error().message();
    EXPECT_TRUE(texts.insert(schedule.text()).second)
        << "twice: " << schedule.text();
    const int64_t chunks = schedule.gridM * schedule.gridN * schedule.gridK;
    if (schedule.deal == Dealing::fixed) {
      EXPECT_LE(chunks, std::max(1, threads));
    } else {
      EXPECT_GT(chunks, threads) << schedule.text();
      EXPECT_TRUE(chunks <= 8 * threads || schedule.gridN == 1)
          << schedule.text();
    }
  }
}

TEST_P(SearchSpace, IsDeterministic) {
  EXPECT_EQ(space, enumerateSchedules(problem, target, threads));
}

TEST_P(SearchSpace, ReadsBackFromItsText) {
  for (const Schedule &schedule : space) {
    Expected<Schedule> parsed = Schedule::parse(schedule.text());
    ASSERT_TRUE(parsed) << parsed.error().message();
    EXPECT_EQ(*parsed, schedule);
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, SearchSpace,
                         testing::Combine(testing::ValuesIn(kProblems),
                                          testing::Values(IsaLevel::x86_64,
                                                          IsaLevel::avx2,
                                                          IsaLevel::avx512),
                                          testing::Values(1, 2, 7, 64)));

std::vector<Schedule> spaceOf(std::string_view problem, int threads) {
  return enumerateSchedules(problemOf(problem), zen4(), threads);
}

TEST(SearchSpaceContents, DealsOutFinerGridsAmongManyThreads) {
  const auto dealt = [](int threads) {
    std::set<int64_t> chunks;
    for (const Schedule &schedule : spaceOf("512x1024:1024x4096", threads))
      if (schedule.deal == Dealing::dynamic)
        chunks.insert(schedule.gridM * schedule.gridN);
    return chunks;
  };
  EXPECT_THAT(dealt(7), IsEmpty());
  EXPECT_THAT(dealt(8), Not(IsEmpty()));
  // Equal shares stay, though the estimate has them slower.
  EXPECT_THAT(spaceOf("512x1024:1024x4096", 64),
              Contains(Field(&Schedule::deal, Dealing::fixed)));
  EXPECT_THAT(dealt(16), AllOf(Not(IsEmpty()), Each(AllOf(Gt(16), Le(128)))));
}

TEST(SearchSpaceContents, DealsOutRowsThatAThreadPacksOnce) {
  // Half of an L2 of 2 MiB holds 128 rows of 8 KiB.
  const std::vector<Schedule> space = enumerateSchedules(
      problemOf("4096x4096:4096x4096", "bf16"), emeraldRapids(), 16);
  EXPECT_THAT(space, Contains(AllOf(Field(&Schedule::deal, Dealing::dynamic),
                                    Field(&Schedule::pack, PackA::whole),
                                    Field(&Schedule::gridM, 32),
                                    Field(&Schedule::gridN, 4),
                                    Field(&Schedule::mc, 128))));
}

TEST(SearchSpaceContents, HasGridsThatDoNotDivideTheThreads) {
  // Seven threads on two strips of a tall tile: 2 x 3 leaves one thread idle.
  EXPECT_THAT(
      spaceOf("28x256:256x4096", 7),
      Contains(AllOf(Field(&Schedule::gridM, 2), Field(&Schedule::gridN, 3))));
}

TEST(SearchSpaceContents, OffersFewerThreadsForSmallProblems) {
  EXPECT_THAT(
      spaceOf("16x64:64x64", 8),
      Contains(AllOf(Field(&Schedule::gridM, 1), Field(&Schedule::gridN, 1))));
  EXPECT_THAT(spaceOf("1024x1024:1024x1024", 8),
              Not(Contains(AllOf(Field(&Schedule::gridM, 1),
                                 Field(&Schedule::gridN, 1)))));
}

/// A region of so many takes longer than all the work.
TEST(SearchSpaceContents, OffersOneThreadNextToHundreds) {
  const auto onOneThread =
      AllOf(Field(&Schedule::gridM, 1), Field(&Schedule::gridN, 1));
  EXPECT_THAT(spaceOf("512x100:100x100", 768), Contains(onOneThread));
  EXPECT_THAT(spaceOf("4096x4096:4096x4096", 768), Not(Contains(onOneThread)));
}

TEST(SearchSpaceContents, PacksOnlyWhereItMayPay) {
  EXPECT_THAT(spaceOf("512x1024:1024x1024", 1),
              Contains(Field(&Schedule::pack, PackA::block)));
  EXPECT_THAT(spaceOf("1x1024:1024x1024", 1),
              Not(Contains(Field(&Schedule::pack, PackA::block))));
  EXPECT_THAT(spaceOf("32x100:100x64", 1),
              Not(Contains(Field(&Schedule::pack, PackA::block))));
}

TEST(SearchSpaceContents, PacksFromFourRowsOnWhereThatWidens) {
  const auto packs = [](const char *shape, const char *types,
                        const Target &target) {
    return std::ranges::any_of(
        enumerateSchedules(problemOf(shape, types), target, 1),
        &Schedule::packsA);
  };
  EXPECT_TRUE(packs("4x100:100x48", "f16", cascadeLake()));
  EXPECT_TRUE(packs("4x100:100x48", "f16", zen4WithPairs()));
  EXPECT_TRUE(packs("4x100:100x48", "bf16", cascadeLake()));
  EXPECT_FALSE(packs("3x100:100x48", "f16", cascadeLake()));
  EXPECT_FALSE(packs("4x100:100x48", "bf16", zen4WithPairs()));
  EXPECT_FALSE(packs("4x100:100x48", "f32", cascadeLake()));
}

TEST(SearchSpaceContents, WidensPanelsThatSeveralStripsPass) {
  const auto widening = [](const char *shape, const char *types,
                           const Target &target) {
    std::vector<Schedule> found;
    for (const Schedule &schedule :
         enumerateSchedules(problemOf(shape, types), target, 1))
      if (schedule.widensPanels())
        found.push_back(schedule);
    return found;
  };
  for (const char *types : {"f16", "bf16"}) {
    const std::vector<Schedule> found =
        widening("28x100:100x48", types, cascadeLake());
    EXPECT_FALSE(found.empty());
    for (const Schedule &schedule : found) {
      EXPECT_EQ(schedule.tiles, LoopOrder::nm);
      EXPECT_LT(schedule.mr, 28);
    }
  }
  EXPECT_TRUE(widening("28x100:100x48", "f32", cascadeLake()).empty());
  EXPECT_TRUE(widening("28x100:100x48", "bf16", zen4WithPairs()).empty());
  EXPECT_TRUE(widening("1x100:100x48", "f16", cascadeLake()).empty());
}

TEST(SearchSpaceContents, BlocksOfWidenedRowsFitTheCachesAsFloats) {
  const Target target = cascadeLake();
  const Problem problem = problemOf("4096x4096:4096x4096", "f16");
  std::set<int64_t> depths[2];
  for (const Schedule &schedule : enumerateSchedules(problem, target, 1))
    depths[schedule.packsA()].insert(schedule.kc);
  EXPECT_TRUE(depths[0].contains(2048));
  EXPECT_FALSE(depths[1].contains(2048));
  EXPECT_TRUE(depths[1].contains(1024));
}

TEST(SearchSpaceContents, HasBothEpiloguePlacements) {
  for (const char *problem : {"64x64:64x64", "4x64:64x64 gelu_erf"})
    for (EpiloguePlacement placement :
         {EpiloguePlacement::registers, EpiloguePlacement::tile})
      EXPECT_THAT(spaceOf(problem, 1),
                  Contains(Field(&Schedule::epilogue, placement)));
}

TEST(SearchSpaceContents, CopiesADearEpilogueOnlyForFewAccumulators) {
  const auto accumulators = [](const char *problem,
                               EpiloguePlacement placement) {
    std::set<int64_t> counts;
    for (const Schedule &schedule : spaceOf(problem, 1))
      if (schedule.epilogue == placement)
        counts.insert(schedule.mr * schedule.nr / zen4().lanes());
    return counts;
  };
  using enum EpiloguePlacement;
  // 15 copies of 17 cycles are short enough, 16 are not: as tall as M is.
  EXPECT_THAT(accumulators("15x64:64x64 gelu_erf", registers),
              AllOf(Contains(15), Each(Le(15))));
  EXPECT_THAT(accumulators("16x64:64x64 gelu_erf", registers),
              AllOf(Not(Contains(16)), Each(Le(15))));
  EXPECT_THAT(accumulators("16x64:64x64 gelu_erf", tile), Contains(16));
  EXPECT_THAT(accumulators("16x64:64x64 relu", registers), Contains(16));
  // 16 of a sigmoid are, by name as in MLIR.
  EXPECT_THAT(accumulators("16x64:64x64 silu", registers),
              AllOf(Contains(16), Each(Le(16))));
}

TEST(SearchSpaceContents, CutsOnlyALongK) {
  for (const Schedule &schedule : spaceOf("512x512:512x1024", 1))
    EXPECT_EQ(schedule.depth(), Depth::whole) << schedule.text();
  std::set<int64_t> depths;
  for (const Schedule &schedule : spaceOf("512x4096:4096x4096", 1))
    depths.insert(schedule.kc);
  EXPECT_GE(depths.size(), 3u);
  EXPECT_EQ(*depths.rbegin(), Schedule::kWhole);
}

TEST(SearchSpaceContents, NeverBindsTheRowsOfADynamicM) {
  // With all of K and A in place, a block may hold any number of rows.
  EXPECT_THAT(spaceOf("?x256:256x256", 1),
              Contains(Field(&Schedule::mc, Schedule::kWhole)));
}

TEST(SearchSpaceContents, TakesTheGroupOfNarrowTypes) {
  for (const char *types :
       {"bf16", "bf16:f32", "f16", "f16:f32", "u8s8", "s8s8:s8"})
    for (const char *shape :
         {"17x33:33x65 bias", "1x4096:4096x4096", "128x1024:1024x16",
          "?x1001:1001x512", "0x0:0x0", "4x8193:8193x32"})
      for (const Target &target :
           {targetOf(IsaLevel::x86_64), targetOf(IsaLevel::avx2), zen4(),
            zen4WithPairs(), zen4WithQuads()}) {
        const Problem problem = problemOf(shape, types);
        const std::vector<Schedule> space =
            enumerateSchedules(problem, target, 2);
        ASSERT_FALSE(space.empty()) << shape << " " << types;
        for (const Schedule &schedule : space) {
          const DType weight = problem.types().weight;
          EXPECT_EQ(schedule.group,
                    schedule.vectorsAlongK(weight)
                        ? groupOfDots(weight, target)
                        : depthOfLane(weight, target, schedule.accumulate));
          Status legal = checkSchedule(schedule, problem, target);
          EXPECT_TRUE(legal)
              << schedule.text() << ": " << legal.error().message();
        }
      }
}

TEST(SearchSpaceContents, OffersDotProductsOfEveryType) {
  for (const char *types : {"f32", "bf16", "f16", "u8s8", "s8s8:s8"})
    for (const char *shape : {"2048x256:256x1", "128x1024:1024x16"}) {
      const Problem problem = problemOf(shape, types);
      for (const Target &target : {zen4(), targetOf(IsaLevel::avx2)})
        EXPECT_THAT(enumerateSchedules(problem, target, 1),
                    Contains(Truly([&](const Schedule &schedule) {
                      return schedule.vectorsAlongK(problem.types().weight);
                    })))
            << shape << " " << types;
    }
}

TEST(SearchSpaceContents, SlicesADeepKOfAFewTilesForEachThread) {
  const auto slicesOf = [](const char *shape, int threads) {
    std::set<int64_t> slices;
    for (const Schedule &schedule :
         enumerateSchedules(problemOf(shape, "bf16"), emeraldRapids(), threads))
      if (schedule.onTiles() && schedule.mr == 32 && schedule.nr == 32)
        slices.insert(schedule.gridK);
    return slices;
  };
  // 64 tiles: two, or four times as many, chunks share their rows and columns.
  EXPECT_THAT(slicesOf("256x8192:8192x256", 16), testing::IsSupersetOf({2, 4}));
  // 1024 tiles are enough for 16 threads, and 64 for two.
  EXPECT_THAT(slicesOf("1024x8192:8192x1024", 16), testing::ElementsAre(1));
  EXPECT_THAT(slicesOf("256x8192:8192x256", 2), testing::ElementsAre(1));
}

TEST(OutputRowBytes, CountsEveryOutput) {
  EXPECT_EQ(outputRowBytes(problemOf("3x5:5x7", "bf16")), 14);
  EXPECT_EQ(outputRowBytes(problemOf("3x5:5x7", "bf16:f32")), 28);
  EXPECT_EQ(outputRowBytes(problemOf("3x5:5x7", "u8s8:u8")), 7);
  EXPECT_EQ(outputRowBytes(problemOf("3x5:5x7")), 28);
  EXPECT_EQ(outputRowBytes(problemWithOutputs(1, "3x5:5x7")), 28);
  EXPECT_EQ(outputRowBytes(problemWithOutputs(2, "3x5:5x7")), 56);
  EXPECT_EQ(outputRowBytes(problemWithOutputs(3, "3x5:5x7", "bf16")), 42);
}

/// All are ranked before a race: some 2000 in 2 ms.
TEST(SearchSpaceContents, IsNotTooLarge) {
  for (const char *problem : kProblems)
    EXPECT_LT(spaceOf(problem, 64).size(), 4000u) << problem;
}

TEST(BlockedSchedules, OfOneTileAreOne) {
  Schedule base = *Schedule::parse("tile=1x16");
  EXPECT_THAT(blockedSchedules(base, problemOf("1x64:64x16"), zen4()),
              ElementsAre(*Schedule::parse(
                  "tile=1x16,mc=1,nc=16,kc=whole,blocks=mn,tiles=mn")));
}

TEST(BlockedSchedules, TakeHalfOrAQuarterOfL2) {
  const Target target = zen4();
  ASSERT_EQ(target.l1, 32 << 10);
  ASSERT_EQ(target.l2, 1 << 20);
  using Sizes = std::map<int64_t, std::set<int64_t>>;
  Sizes rows, columns;
  for (const Schedule &schedule : blockedSchedules(
           scheduleOf("tile=8x48"), problemOf("4096x1024:1024x4096"), target)) {
    rows[schedule.kc].insert(schedule.mc);
    columns[schedule.kc].insert(schedule.nc);
  }
  // Even parts of 512 strips and 86 panels. All of K are 32 KiB a strip, 16 and
  // 8 of which fit, and 192 KiB a panel, 2 and 1 of which do. Where K is cut,
  // the sums of all rows or columns would not fit L2.
  constexpr int64_t kWhole = Schedule::kWhole;
  EXPECT_EQ(rows, (Sizes{{256, {256, 512}},
                         {352, {184, 344}},
                         {512, {128, 256}},
                         {kWhole, {64, 128, 4096}}}));
  EXPECT_EQ(columns, (Sizes{{256, {240, 480}},
                            {352, {144, 336}},
                            {512, {96, 240}},
                            {kWhole, {48, 96, 4128}}}));
}

} // namespace
