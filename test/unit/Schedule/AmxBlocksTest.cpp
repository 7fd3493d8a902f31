// The blocks that caches suggest for tiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/CacheBlocks.h"
#include "Schedule/Partition.h"
#include "Schedule/SearchSpace.h"

#include <gmock/gmock.h>

#include <set>

using namespace lintel;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::Ne;
using ::testing::Not;

namespace {

TEST(AmxBlocks, RowsPackedForAllOfKNeedNotFitL2) {
  // 512 rows of 4096 are twice the 2 MiB; 512 elements of K are in use.
  const Problem problem = problemOf("512x4096:4096x4096", "bf16");
  EXPECT_THAT(
      enumerateSchedules(problem, sapphireRapids(), 1),
      Contains(AllOf(Field(&Schedule::pack, PackA::whole),
                     Field(&Schedule::kc, 512), Field(&Schedule::mc, 512))));
}

/// On vectors a strip that is alone would widen as it multiplies; tiles find
/// nothing else.
TEST(AmxBlocks, SplitF16ForALoneStrip) {
  const Problem problem = problemOf("3x1024:1024x1024", "f16");
  int ofTiles = 0;
  for (const Schedule &schedule :
       enumerateSchedules(problem, emeraldRapids(), 1))
    if (schedule.onTiles())
      ofTiles += schedule.splitsHalves();
    else if (schedule.widensPanels())
      EXPECT_LT(schedule.mr, 3) << schedule.text();
  EXPECT_GT(ofTiles, 0);
}

TEST(AmxBlocks, SumsOfOnePanelStayInL1) {
  const auto onePanelOf = [](int64_t rows) {
    return Contains(AllOf(Field(&Schedule::pack, PackA::whole),
                          Field(&Schedule::mr, 32), Field(&Schedule::nr, 32),
                          Field(&Schedule::mc, rows), Field(&Schedule::nc, 32),
                          Field(&Schedule::kc, 512),
                          Field(&Schedule::tiles, LoopOrder::nm),
                          Field(&Schedule::hint, StreamHint::a)));
  };
  for (const char *shape : {"512x4096:4096x4096", "1024x1024:1024x1024"})
    EXPECT_THAT(
        enumerateSchedules(problemOf(shape, "bf16"), emeraldRapids(), 16),
        onePanelOf(128))
        << shape;
  // All blocks of one panel of a grid whose chunks have several panels: which
  // of them are offered, and from which grids, is up to the model.
  const Schedule base =
      Schedule::parse("tile=32x32,unit=amx,hint=a,group=2,pack=whole,"
                      "epilogue=tile,grid=1x16")
          .value();
  const auto rowsOfOnePanel = [&](const char *shape, const Target &target) {
    std::set<int64_t> rows;
    for (const Schedule &schedule :
         blockedSchedules(base, problemOf(shape, "bf16"), target))
      if (schedule.nc == schedule.nr)
        rows.insert(schedule.mc);
    return rows;
  };
  // 128 rows of all 4096 take half of the 2 MiB; strips pass the panel.
  EXPECT_THAT(rowsOfOnePanel("512x4096:4096x4096", emeraldRapids()),
              ElementsAre(128));
  // Of 1024 there would be room for 512, but sums of 192 take half of the
  // 48 KiB.
  Target target = emeraldRapids();
  ASSERT_EQ(target.l1, 48 << 10);
  EXPECT_THAT(rowsOfOnePanel("1024x1024:1024x1024", target), ElementsAre(192));
  target.l1 /= 2;
  EXPECT_THAT(rowsOfOnePanel("1024x1024:1024x1024", target), ElementsAre(96));
}

TEST(AmxBlocks, BlocksTakeDownToASixteenthOfL2) {
  const Schedule base =
      Schedule::parse("tile=32x32,unit=amx,hint=a,group=2,pack=block,"
                      "epilogue=tile,grid=1x1")
          .value();
  std::set<int64_t> rows;
  for (const Schedule &schedule : blockedSchedules(
           base, problemOf("1024x512:512x1024", "bf16"), emeraldRapids()))
    rows.insert(schedule.mc);
  // A strip of 32 rows takes 32 KiB of 2 MiB.
  EXPECT_THAT(rows, ElementsAre(128, 256, 512, 1024));
}

TEST(AmxBlocks, BlocksOfAShortDepthHoldAnEighthOfL2OfOutputs) {
  const Schedule base =
      Schedule::parse("tile=16x64,unit=amx,group=2,pack=block,epilogue=tile")
          .value();
  const auto rowsOfBlocks = [&](const char *problem, int outputs = 1) {
    std::set<int64_t> rows;
    for (const Schedule &schedule :
         blockedSchedules(base, problemWithOutputs(outputs, problem, "bf16"),
                          emeraldRapids()))
      rows.insert(schedule.mc);
    return rows;
  };
  // 256 rows of 512 outputs are 256 KiB of 2 MiB.
  EXPECT_THAT(rowsOfBlocks("2048x13:13x512"), ElementsAre(256, 2048));
  // With two outputs half as many are.
  EXPECT_THAT(rowsOfBlocks("2048x13:13x512", 2), ElementsAre(128, 2048));
  EXPECT_THAT(rowsOfBlocks("256x13:13x512"), ElementsAre(256));
  EXPECT_THAT(rowsOfBlocks("2048x100:100x512"), Contains(256));
  // A strip is all that there may be of very wide ones.
  EXPECT_THAT(rowsOfBlocks("2048x13:13x20000"), ElementsAre(16, 2048));
  // Rows of a deep K may all fit, too.
  EXPECT_THAT(rowsOfBlocks("32x2048:2048x12288"), Not(Contains(16)));
}

TEST(AmxBlocks, SumsMayLeaveL2WhereStripsPassAPanel) {
  const Schedule base =
      Schedule::parse("tile=32x32,unit=amx,group=2,pack=block,epilogue=tile")
          .value();
  const auto widthsOf = [&](int64_t columns, const Target &target,
                            LoopOrder tiles) {
    const std::string shape = "512x4096:4096x" + std::to_string(columns);
    std::set<int64_t> widths;
    for (const Schedule &schedule :
         blockedSchedules(base, problemOf(shape.c_str(), "bf16"), target))
      if (schedule.tiles == tiles && schedule.kc == 512 && schedule.mc == 512)
        widths.insert(schedule.nc);
    return widths;
  };
  // Sums of 512 x 8192 take 16 MiB; L2 has 2.
  EXPECT_THAT(widthsOf(8192, emeraldRapids(), LoopOrder::nm), Contains(8192));
  EXPECT_THAT(widthsOf(8192, emeraldRapids(), LoopOrder::mn),
              AllOf(Contains(512), Not(Contains(8192))));
  // Without an L3 cache that could hold them they have to do with four L2.
  EXPECT_THAT(widthsOf(8192, sapphireRapids(), LoopOrder::nm),
              AllOf(Contains(512), Not(Contains(8192))));
  // 64 MiB are less than a quarter of L3, but more than a thread may keep.
  EXPECT_THAT(widthsOf(32768, emeraldRapids(), LoopOrder::nm),
              AllOf(Contains(512), Not(Contains(32768))));
}

TEST(AmxBlocks, PackForAllOfKWhatIsFoundPacked) {
  const Problem problem = problemOf("512x4096:4096x4096", "bf16");
  size_t fixed = 0, dealt = 0;
  for (int threads : {1, 16})
    for (const Schedule &schedule :
         enumerateSchedules(problem, emeraldRapids(), threads)) {
      if (schedule.pack != PackA::whole)
        continue;
      const int64_t columns = ceilDiv(problem.n(), schedule.gridN);
      const bool nextBlock =
          schedule.nc < columns && schedule.blocks == LoopOrder::mn;
      const bool nextChunk =
          schedule.deal == Dealing::dynamic && schedule.gridN > 1;
      EXPECT_TRUE(nextBlock || nextChunk) << schedule.text();
      fixed += schedule.deal == Dealing::fixed;
      dealt += nextChunk && !nextBlock;
    }
  EXPECT_GT(fixed, 0u);
  EXPECT_GT(dealt, 0u);
}

TEST(AmxBlocks, CutKWhereAPanelLeavesL1) {
  const Problem problem = problemOf("1024x1024:1024x1024", "bf16");
  const auto cutsK = [&](int64_t nr) {
    return Contains(AllOf(Field(&Schedule::unit, Unit::amx),
                          Field(&Schedule::nr, nr),
                          Field(&Schedule::kc, Ne(Schedule::kWhole))));
  };
  const std::vector<Schedule> all =
      enumerateSchedules(problem, sapphireRapids(), 1);
  EXPECT_THAT(all, cutsK(32));
  // 16 columns of 1024 take 32 KiB of the 48.
  EXPECT_THAT(all, Not(cutsK(16)));
}

} // namespace
