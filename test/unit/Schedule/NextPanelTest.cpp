// How tiles ask for the panel that comes next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/AmxSchedules.h"
#include "Schedule/Legality.h"
#include "Schedule/Partition.h"
#include "Schedule/SearchSpace.h"

#include <gmock/gmock.h>

#include <set>
#include <utility>

using namespace lintel;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

namespace {

constexpr const char *kTile =
    "unit=amx,hint=a,group=2,pack=whole,epilogue=tile,tiles=nm,kc=512,";

Schedule tileOf(const std::string &fields) {
  return scheduleOf(kTile + fields);
}

/// Lines of a step.
int64_t linesOf(const std::string &fields, int64_t strips) {
  return nextPanelPrefetch(tileOf(fields), strips) / Target::kLineBytes;
}

TEST(NextPanel, IsAskedForByAllStripsTogether) {
  // A step reads a line of each column.
  EXPECT_EQ(linesOf("tile=32x32", 1), 32);
  EXPECT_EQ(linesOf("tile=32x32", 8), 4);
  EXPECT_EQ(linesOf("tile=16x48", 5), 10);
  EXPECT_EQ(linesOf("tile=32x32", 100), 1);
}

TEST(NextPanel, IsLeftToTheHardwareInPartWhereStreamsShowItTheWay) {
  EXPECT_EQ(linesOf("tile=32x32,streams=8", 1), 16);
  EXPECT_EQ(linesOf("tile=16x48,streams=8", 1), 24);
  EXPECT_EQ(linesOf("tile=32x16,streams=8", 1), 8);
  EXPECT_EQ(linesOf("tile=32x32,streams=8", 2), 8);
  EXPECT_EQ(linesOf("tile=16x64,streams=8", 3), 8);
}

TEST(NextPanel, HasStreamsThatAreItsEqualParts) {
  for (const char *fields :
       {"tile=32x32,streams=8,prefetch=512",
        "tile=16x48,streams=8,prefetch=1536",
        "tile=16x64,streams=4,prefetch=1024", "tile=32x32,prefetch=704"}) {
    const Schedule schedule = tileOf(fields);
    const AskedLines asked = AskedLines::of(schedule);
    EXPECT_EQ(asked.ofStep * schedule.streams * Target::kLineBytes,
              schedule.prefetch)
        << fields;
    EXPECT_EQ(asked.ofPart * schedule.streams, schedule.nr) << fields;
    EXPECT_LE(asked.ofStep, asked.ofPart) << fields;
  }
}

TEST(NextPanel, RefusesStreamsThatAreNot) {
  const auto refusal = [](const char *fields) {
    return checkSchedule(tileOf(fields),
                         problemOf("512x4096:4096x4096", "bf16"),
                         sapphireRapids());
  };
  EXPECT_TRUE(refusal("tile=32x32,streams=8,prefetch=512"));
  EXPECT_TRUE(refusal("tile=32x32,streams=8,prefetch=2048"));
  for (const char *fields :
       {"tile=32x32,streams=8", "tile=32x32,streams=8,prefetch=576",
        "tile=32x32,streams=6,prefetch=768"}) {
    const Status status = refusal(fields);
    ASSERT_FALSE(status) << fields;
    EXPECT_THAT(status.error().message(), HasSubstr("streams (equal parts"))
        << fields;
  }
}

/// Whether schedules on tiles ask for the next panel, and in how many streams.
std::set<std::pair<bool, int64_t>>
waysToAsk(const char *shape, const Target &target, int threads = 1) {
  std::set<std::pair<bool, int64_t>> ways;
  for (const Schedule &schedule :
       enumerateSchedules(problemOf(shape, "bf16"), target, threads))
    if (schedule.onTiles())
      ways.emplace(schedule.prefetchesNextPanel(), schedule.streams);
  return ways;
}

TEST(NextPanel, IsRacedInOneStreamAndInEight) {
  EXPECT_THAT(
      waysToAsk("512x4096:4096x4096", emeraldRapids()),
      UnorderedElementsAre(Pair(false, 1), Pair(true, 1), Pair(true, 8)));
  // With few rows eight KiB ahead are better than all of it in one place.
  EXPECT_THAT(waysToAsk("16x4096:4096x4096", emeraldRapids()),
              UnorderedElementsAre(Pair(false, 1), Pair(true, 8)));
  // 512 KiB stay in L2.
  EXPECT_THAT(waysToAsk("16x512:512x512", emeraldRapids()),
              UnorderedElementsAre(Pair(false, 1)));
  EXPECT_THAT(waysToAsk("512x512:512x512", emeraldRapids()),
              UnorderedElementsAre(Pair(false, 1), Pair(true, 1)));
  // So many threads draw all that memory has.
  EXPECT_THAT(waysToAsk("512x4096:4096x4096", emeraldRapids(), 16),
              UnorderedElementsAre(Pair(false, 1), Pair(true, 1)));
  EXPECT_THAT(waysToAsk("16x4096:4096x4096", emeraldRapids(), 16),
              UnorderedElementsAre(Pair(false, 1)));
}

TEST(NextPanel, IsAskedForByBlocksAsTheirStripsHaveIt) {
  size_t asking = 0;
  for (const Schedule &schedule : enumerateSchedules(
           problemOf("512x4096:4096x4096", "bf16"), emeraldRapids(), 1)) {
    if (!schedule.onTiles() || !schedule.prefetchesNextPanel())
      continue;
    ++asking;
    const int64_t strips = schedule.mc / schedule.mr;
    EXPECT_EQ(schedule.prefetch, nextPanelPrefetch(schedule, strips))
        << schedule.text();
    EXPECT_TRUE(schedule.streams == 1 || ceilDiv(schedule.nr, strips) >= 6)
        << schedule.text();
  }
  EXPECT_GT(asking, 0u);
}

/// Of several strips, those that pass the panel after the first would ask for
/// what has been read.
TEST(NextPanel, ComesAfterThisOne) {
  for (const char *shape : {"33x4096:4096x4096", "512x4096:4096x4096"}) {
    std::set<LoopOrder> orders;
    for (const Schedule &schedule :
         enumerateSchedules(problemOf(shape, "bf16"), emeraldRapids(), 1))
      if (schedule.onTiles() && schedule.prefetchesNextPanel())
        orders.insert(schedule.tiles);
    EXPECT_THAT(orders, ElementsAre(LoopOrder::nm)) << shape;
  }
}

/// The part of K that a panel has then is eight pages.
TEST(NextPanel, MeetsOneStripPanelByPanel) {
  std::set<std::pair<int64_t, LoopOrder>> blocks;
  for (const Schedule &schedule : enumerateSchedules(
           problemOf("16x4096:4096x4096", "bf16"), emeraldRapids(), 1))
    if (schedule.onTiles() && schedule.streams > 1 && schedule.nr == 32 &&
        schedule.kc == 512 && schedule.pack == PackA::none)
      blocks.emplace(schedule.nc, schedule.tiles);
  EXPECT_THAT(blocks, Contains(Pair(32, LoopOrder::nm)));
  EXPECT_THAT(blocks, Not(Contains(Pair(32, LoopOrder::mn))));
}

} // namespace
