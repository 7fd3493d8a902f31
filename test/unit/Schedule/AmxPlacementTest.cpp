// Where schedules on tile registers apply the epilogue.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/CacheBlocks.h"
#include "Schedule/SearchSpace.h"
#include "Schedule/Workspace.h"

#include <gmock/gmock.h>

#include <set>

using namespace lintel;
using ::testing::ElementsAre;

namespace {

/// After the tile where there is no next one that it could be hidden behind, or
/// nothing worth hiding next to so many products.
TEST(AmxPlacement, IsTheNextTileWhereThatPays) {
  const auto placements = [](const char *text, Depth depth) {
    std::set<EpiloguePlacement> found;
    const Problem problem = problemOf(text, "bf16");
    for (const Schedule &schedule :
         enumerateSchedules(problem, sapphireRapids(), 16))
      if (schedule.onTiles() && schedule.depth() == depth)
        found.insert(schedule.epilogue);
    return found;
  };
  using enum EpiloguePlacement;
  const char *cheap = "512x4096:4096x4096 bias+relu";
  const char *costly = "512x4096:4096x4096 bias+gelu_erf";
  EXPECT_THAT(placements(cheap, Depth::whole), ElementsAre(next));
  EXPECT_THAT(placements(cheap, Depth::cut), ElementsAre(tile));
  EXPECT_THAT(placements(costly, Depth::whole), ElementsAre(next));
  EXPECT_THAT(placements(costly, Depth::cut), ElementsAre(next));
  // Nine steps of 32, and ten.
  EXPECT_THAT(placements("512x288:288x512 bias+relu", Depth::whole),
              ElementsAre(tile));
  EXPECT_THAT(placements("512x289:289x512 bias+relu", Depth::whole),
              ElementsAre(next));
  EXPECT_THAT(placements("512x13:13x512 bias+gelu_erf", Depth::whole),
              ElementsAre(next));
  EXPECT_THAT(placements("16x4096:4096x64 bias+gelu_erf", Depth::sliced),
              ElementsAre(tile));
  EXPECT_THAT(placements("512x64:64x12 bias+gelu_erf", Depth::whole),
              ElementsAre(tile));
  // Four registers of sums would be four copies of it, two are not too long.
  EXPECT_THAT(placements("512x1024:1024x1024 gelu_erf+silu+sigmoid+tanh+silu",
                         Depth::whole),
              ElementsAre(tile, next));
}

TEST(AmxPlacement, InTheNextTileNeedsASecondTileOfSums) {
  const Problem problem = problemOf("64x96:96x64", "bf16");
  const auto bytes = [&](const char *fields) {
    return workspaceBytesPerThread(
        Schedule::parse(std::string("tile=32x32,unit=amx,group=2,") + fields)
            .value(),
        problem, sapphireRapids(), 64);
  };
  EXPECT_EQ(bytes("epilogue=tile"), 32 * 32 * 4);
  EXPECT_EQ(bytes("epilogue=next"), 2 * 32 * 32 * 4);
  // Those of a block are all there.
  EXPECT_EQ(bytes("epilogue=next,kc=32"), 64 * 64 * 4);
}

} // namespace
