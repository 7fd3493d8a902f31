// How a kernel may ask for the weight before it reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Prefetching.h"
#include "unit/Schedule/TestTargets.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::ElementsAre;
using ::testing::Matcher;

namespace {

Matcher<Prefetching> way(int64_t toL1, int64_t toL2, int64_t streams = 1) {
  return ::testing::FieldsAre(toL1, toL2, streams, NextPanel::unasked);
}

Matcher<Prefetching> sharing(int64_t toL1) {
  return ::testing::FieldsAre(toL1, 0, 1, NextPanel::shared);
}

std::vector<Prefetching> ways(const char *problem, const Target &target,
                              Unit unit = Unit::vector) {
  return waysToPrefetch(problemOf(problem), target, unit);
}

TEST(Prefetching, IsLeftToTheHardwareForAWeightInL1) {
  EXPECT_THAT(ways("1x64:64x64", zen4()), ElementsAre(way(0, 0)));
  EXPECT_THAT(ways("512x64:64x64", cascadeLake()), ElementsAre(way(0, 0)));
}

TEST(Prefetching, BringsAWeightThatPassesOnceToL2) {
  EXPECT_THAT(ways("64x1024:1024x1024", zen4()),
              ElementsAre(way(0, 0), way(0, 8192), sharing(0)));
  EXPECT_THAT(ways("65x1024:1024x1024", zen4()),
              ElementsAre(way(0, 0), sharing(0)));
}

TEST(Prefetching, LeavesFewRowsToTheHardwareOfZen) {
  const auto unasked = ElementsAre(way(0, 0));
  const auto raced = ElementsAre(way(0, 0), way(0, 8192));
  EXPECT_THAT(ways("1x1024:1024x1024", zen5()), unasked);
  EXPECT_THAT(ways("2x1024:1024x1024", zen5()), raced);
  // More rows on Zen 4.
  EXPECT_THAT(ways("5x1024:1024x1024", zen4()), unasked);
  EXPECT_THAT(ways("6x1024:1024x1024", zen4()), raced);
}

TEST(Prefetching, BringsWhatVectorsOutrunToL1) {
  EXPECT_THAT(ways("512x1024:1024x1024", cascadeLake()),
              ElementsAre(way(0, 0), way(8192, 0), sharing(8192)));
  EXPECT_THAT(ways("17x1024:1024x1024", cascadeLake()),
              ElementsAre(way(0, 0), way(8192, 0), sharing(8192)));
  EXPECT_THAT(ways("17x1024:1024x1024", cascadeLake(), Unit::amx),
              ElementsAre(way(0, 0), way(0, 8192)));
  // 64 bytes of columns a cycle, as on Zen 4.
  Target half = cascadeLake();
  half.isa = IsaLevel::avx2;
  EXPECT_THAT(ways("512x1024:1024x1024", half),
              ElementsAre(way(0, 0), sharing(0)));
}

TEST(Prefetching, SharesPanelsThatComeFromAfar) {
  // With a strip of few rows there is nobody to share with, and in 1 MiB of L2
  // nothing to wait for.
  EXPECT_THAT(ways("8x1024:1024x1024", zen4()),
              ElementsAre(way(0, 0), way(0, 8192)));
  EXPECT_THAT(ways("9x1024:1024x1024", zen4()),
              ElementsAre(way(0, 0), way(0, 8192), sharing(0)));
  EXPECT_THAT(ways("9x512:512x512", zen4()),
              ElementsAre(way(0, 0), way(0, 8192)));
  EXPECT_THAT(ways("9x512:512x513", zen4()),
              ElementsAre(way(0, 0), way(0, 8192), sharing(0)));
}

TEST(Prefetching, ShareOfAStripIsInWholeLines) {
  const auto linesFor = [](const char *tile, int64_t strips, DType weight,
                           const char *target = "isa=avx512") {
    Schedule schedule = *Schedule::parse(tile);
    shareNextPanel(schedule, strips, weight, *Target::parse(target));
    return schedule.share;
  };
  EXPECT_EQ(linesFor("tile=8x48", 1, DType::f32), 0); // nobody to share with
  EXPECT_EQ(linesFor("tile=8x48", 2, DType::f32), 2);
  EXPECT_EQ(linesFor("tile=8x48", 3, DType::f32), 1);
  EXPECT_EQ(linesFor("tile=8x48", 100, DType::f32), 1);
  EXPECT_EQ(linesFor("tile=8x64,group=2", 2, DType::bf16), 2);
  EXPECT_EQ(linesFor("tile=8x64", 2, DType::f16), 1);
  EXPECT_EQ(linesFor("tile=8x64,group=4", 2, DType::s8), 2);
  EXPECT_EQ(linesFor("tile=2x8", 2, DType::f32, "isa=avx2"), 1);
  // A turn of two steps reads twice as many.
  EXPECT_EQ(linesFor("tile=4x24", 2, DType::f32, "isa=avx2"), 2);
  EXPECT_EQ(linesFor("tile=4x24", 3, DType::f32, "isa=avx2"), 1);
  EXPECT_EQ(linesFor("tile=2x40", 2, DType::f32, "isa=avx2"), 3);
  EXPECT_EQ(linesFor("tile=6x16", 2, DType::f32, "isa=avx2"), 1);
}

TEST(Prefetching, SharesOfThePanelThatComesNext) {
  const auto suits = [](const char *loops, const BlockTiles &block) {
    return sharingSuits(
        *Schedule::parse(std::string("tile=8x48,share=1,") + loops), block);
  };
  EXPECT_TRUE(suits("tiles=nm", {2, 2}));
  EXPECT_TRUE(suits("tiles=mn", {2, 1}));
  EXPECT_FALSE(suits("tiles=mn", {2, 2}));
  EXPECT_FALSE(suits("tiles=nm", {1, 2}));
  EXPECT_FALSE(suits("tiles=nm,blocks=nm", {2, 2}));
  EXPECT_TRUE(sharingSuits(*Schedule::parse("tile=8x48"), {1, 1}));
}

TEST(Prefetching, ReadsInStreamsWhereThatIsFaster) {
  EXPECT_THAT(ways("1x1024:1024x1024", cascadeLake()),
              ElementsAre(way(0, 0), way(0, 8192), way(0, 0, 8),
                          way(2048, 0, 8), way(4096, 0, 8)));
  EXPECT_THAT(
      ways("8x1024:1024x1024", cascadeLake()),
      ElementsAre(way(0, 0), way(0, 8192), way(0, 2048, 8), way(2048, 0, 8)));
  // Streams of less than a page, more rows, and tile registers, which gained
  // nothing.
  const auto oneStream = ElementsAre(way(0, 0), way(0, 8192));
  EXPECT_THAT(ways("1x511:511x1024", cascadeLake()), oneStream);
  EXPECT_THAT(ways("16x1024:1024x1024", cascadeLake()),
              ElementsAre(way(0, 0), way(0, 8192), sharing(0), way(0, 2048, 8),
                          way(2048, 0, 8)));
  EXPECT_THAT(ways("17x1024:1024x1024", cascadeLake()),
              ElementsAre(way(0, 0), way(8192, 0), sharing(8192)));
  EXPECT_THAT(ways("8x1024:1024x1024", cascadeLake(), Unit::amx), oneStream);
  EXPECT_THAT(ways("2x1024:1024x1024", zen5()), oneStream);
}

TEST(Prefetching, LeavesStreamsToTheHardwareOfZen3) {
  EXPECT_THAT(ways("1x1024:1024x1024", zen3()),
              ElementsAre(way(0, 0), way(0, 0, 4)));
  EXPECT_THAT(ways("5x1024:1024x1024", zen3()),
              ElementsAre(way(0, 0), way(0, 8192), way(0, 0, 4)));
  // Beside more products they want to be told.
  EXPECT_THAT(
      ways("6x1024:1024x1024", zen3()),
      ElementsAre(way(0, 0), way(0, 8192), way(0, 0, 4), way(0, 2048, 4)));
  EXPECT_THAT(
      ways("8x1024:1024x1024", zen3()),
      ElementsAre(way(0, 0), way(0, 8192), way(0, 0, 4), way(0, 2048, 4)));
  // In fewer where as many would be no page deep each.
  EXPECT_THAT(ways("1x511:511x1024", zen3()),
              ElementsAre(way(0, 0), way(0, 0, 2)));
  EXPECT_THAT(ways("1x256:256x128", zen3()),
              ElementsAre(way(0, 0), way(0, 0, 2)));
  EXPECT_THAT(ways("1x255:255x256", zen3()), ElementsAre(way(0, 0)));
  // Zen 1 and 2 are taken for the same; their older instructions are not.
  for (const char *cpu : {"znver1", "znver2"}) {
    Target target = zen3();
    target.cpu = cpu;
    EXPECT_THAT(ways("1x1024:1024x1024", target),
                ElementsAre(way(0, 0), way(0, 0, 4)));
    target.isa = IsaLevel::x86_64;
    EXPECT_THAT(ways("1x1024:1024x1024", target), ElementsAre(way(0, 0)));
  }
}

} // namespace
