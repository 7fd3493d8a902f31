// The ways to read rows and weights that the search space holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/Partition.h"
#include "Schedule/SearchSpace.h"
#include "Schedule/VectorSchedules.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <set>
#include <string>
#include <vector>

using namespace lintel;
using ::testing::_;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

namespace {

TEST(SearchSpaceReading, PacksAndPrefetchesTogetherForFewRows) {
  struct Choice {
    const char *shape;
    bool packs, prefetches;
  };
  for (const Choice &choice : {// Rows 40 KiB apart share one set of L1 cache.
                               Choice{"13x10240:10240x2560", true, true},
                               Choice{"64x4096:4096x4096", true, true},
                               Choice{"13x10250:10250x2560", false, true},
                               Choice{"6x4096:4096x4096", true, true},
                               Choice{"5x4096:4096x4096", true, false},
                               Choice{"1x4096:4096x4096", false, false},
                               Choice{"65x4096:4096x4096", true, false},
                               Choice{"13x512:512x16", true, false}}) {
    const auto space =
        enumerateSchedules(problemOf(choice.shape), zen4(), /*threads=*/1);
    const auto offers = [&](PackA pack, int64_t ahead) {
      return std::ranges::any_of(space, [&](const Schedule &schedule) {
        return schedule.pack == pack && schedule.ahead == ahead;
      });
    };
    EXPECT_TRUE(offers(PackA::none, 0)) << choice.shape;
    EXPECT_EQ(offers(PackA::block, 0), choice.packs) << choice.shape;
    EXPECT_EQ(offers(PackA::none, 8192), choice.prefetches) << choice.shape;
    EXPECT_EQ(offers(PackA::block, 8192), choice.packs && choice.prefetches)
        << choice.shape;
  }
}

TEST(SearchSpaceReading, EmbedsPackedRowsWhereFewInstructionsPay) {
  const auto embedded = [](const char *types, const Target &target) {
    std::set<std::pair<std::string, int64_t>> found;
    for (const Schedule &schedule : enumerateSchedules(
             problemOf("512x2048:2048x2048", types), target, /*threads=*/1)) {
      EXPECT_EQ(schedule.embed,
                rowsToEmbed(schedule, *DataTypes::parse(types), target));
      if (schedule.pack != PackA::block)
        EXPECT_EQ(schedule.embed, 0) << schedule.text();
      else
        found.emplace(std::to_string(schedule.mr) + "x" +
                          std::to_string(schedule.nr),
                      schedule.embed);
    }
    return found;
  };
  // What two ports load beside three or four lines that are asked for.
  const auto onIntel = embedded("f32", cascadeLake());
  EXPECT_THAT(onIntel, Contains(std::pair(std::string("14x32"), int64_t(6))));
  EXPECT_THAT(onIntel, Contains(std::pair(std::string("8x48"), int64_t(3))));
  const auto none = AllOf(Not(IsEmpty()), Each(Pair(_, 0)));
  EXPECT_THAT(embedded("f32", zen4()), none);
  EXPECT_THAT(embedded("bf16", cascadeLake()), none);
}

TEST(SearchSpaceReading, AsksForWidenedPanelsInOneWayThatSuitsThem) {
  const auto panels = [](const char *shape, const char *types) {
    std::vector<Schedule> found;
    for (const Schedule &schedule : enumerateSchedules(
             problemOf(shape, types), cascadeLake(), /*threads=*/1))
      if (schedule.widensPanels()) {
        EXPECT_EQ(schedule.ahead, 0) << schedule.text();
        EXPECT_EQ(schedule.streams, 1) << schedule.text();
        EXPECT_GT(schedule.mc, schedule.mr) << schedule.text();
        // Whose tiles spilled with an epilogue in registers.
        if (schedule.share > 0 && schedule.depth() == Depth::cut)
          EXPECT_EQ(schedule.epilogue, EpiloguePlacement::tile)
              << schedule.text();
        found.push_back(schedule);
      }
    return found;
  };
  const auto asks = [](int64_t prefetch, int64_t share) {
    return testing::AllOf(testing::Field(&Schedule::prefetch, prefetch),
                          testing::Field(&Schedule::share, share));
  };
  for (const char *types : {"f16", "bf16"}) {
    // w is larger than L2, and panels are than L1.
    const auto large = panels("128x2048:2048x2048", types);
    EXPECT_THAT(large, Contains(asks(0, 0)));
    EXPECT_THAT(large, Contains(asks(8192, 1)));
    EXPECT_THAT(large, testing::Not(Contains(asks(8192, 0))));
    // Panels of 32 columns fit L1, wider ones do not.
    const auto shallow = panels("128x200:200x4096", types);
    const auto tile = [](int64_t nr) {
      return testing::Field(&Schedule::nr, nr);
    };
    EXPECT_THAT(shallow, Contains(testing::AllOf(tile(32), asks(0, 1))));
    EXPECT_THAT(shallow, testing::Not(Contains(
                             testing::AllOf(tile(32), asks(8192, 1)))));
    EXPECT_THAT(shallow, Contains(testing::AllOf(tile(48), asks(8192, 1))));
    // All of w fits L1.
    EXPECT_THAT(panels("128x100:100x48", types), testing::Each(asks(0, 0)));
  }
}

TEST(SearchSpaceReading, ReadsInStreamsWhatStaysInRegisters) {
  const auto inStreams = [](const char *shape, const char *types) {
    std::vector<Schedule> found;
    for (const Schedule &schedule : enumerateSchedules(
             problemOf(shape, types), cascadeLake(), /*threads=*/1))
      if (schedule.streams > 1)
        found.push_back(schedule);
    return found;
  };
  for (int64_t rows : {1, 3, 8}) {
    const std::string shape = std::to_string(rows) + "x4096:4096x4096";
    const std::vector<Schedule> found = inStreams(shape.c_str(), "f32");
    EXPECT_FALSE(found.empty()) << shape;
    for (const Schedule &schedule : found) {
      EXPECT_GE(schedule.mr, rows) << schedule.text();
      EXPECT_LE(schedule.mr, 8) << schedule.text();
      EXPECT_LE(schedule.nr, 64) << schedule.text();
      EXPECT_EQ(schedule.depth(), Depth::whole) << schedule.text();
    }
  }
  // Taller ones one vector wide, whose products take x from memory.
  const std::vector<Schedule> tall = inStreams("16x4096:4096x4096", "f32");
  EXPECT_FALSE(tall.empty());
  for (const Schedule &schedule : tall)
    EXPECT_EQ(schedule.nr, 16) << schedule.text();
  EXPECT_TRUE(inStreams("9x4096:4096x4096", "f16").empty());
  // Without VNNI products stand in registers before they are added.
  EXPECT_FALSE(inStreams("1x4096:4096x4096", "s8s8").empty());
  EXPECT_TRUE(inStreams("2x4096:4096x4096", "s8s8").empty());
}

TEST(SearchSpaceReading, ReadsInStreamsWhereThatMayPay) {
  const auto inStreams = [](const char *shape, const Target &target) {
    const auto space =
        enumerateSchedules(problemOf(shape), target, /*threads=*/1);
    return std::ranges::count(space, 8, &Schedule::streams);
  };
  EXPECT_EQ(inStreams("1x4096:4096x4096", zen4()), 0);
  EXPECT_GT(inStreams("1x4096:4096x4096", cascadeLake()), 0);
  EXPECT_EQ(inStreams("17x4096:4096x4096", cascadeLake()), 0);
}

TEST(SearchSpaceReading, ReadsUpToEightRowsInStreamsOnZen3) {
  const auto inStreams = [](const char *shape) {
    const auto space =
        enumerateSchedules(problemOf(shape), zen3(), /*threads=*/1);
    return std::ranges::count(space, 4, &Schedule::streams);
  };
  EXPECT_GT(inStreams("1x4096:4096x4096"), 0);
  EXPECT_GT(inStreams("8x4096:4096x4096"), 0);
  // Products of AVX2 do not take x from memory.
  EXPECT_EQ(inStreams("9x4096:4096x4096"), 0);
}

TEST(SearchSpaceReading, PacksForStreamsOfMorePlacesThanTheCoreFollows) {
  const auto packed = [](const char *shape, const Target &target) {
    const auto space =
        enumerateSchedules(problemOf(shape), target, /*threads=*/1);
    return std::ranges::count_if(space, [](const Schedule &schedule) {
      return schedule.streams > 1 && schedule.packsA();
    });
  };
  // Rows that do not meet in the sets of L1.
  EXPECT_GT(packed("3x4001:4001x4096", zen3()), 0);
  EXPECT_EQ(packed("2x4001:4001x4096", zen3()), 0);
  EXPECT_EQ(packed("3x4001:4001x4096", cascadeLake()), 0);
}

TEST(SearchSpaceReading, PrefetchesForManyRowsWhereThatMayPay) {
  const auto prefetching = [](const Target &target) {
    const auto space = enumerateSchedules(problemOf("512x1024:1024x1024"),
                                          target, /*threads=*/1);
    return std::ranges::count(space, 8192, &Schedule::prefetch);
  };
  EXPECT_EQ(prefetching(zen4()), 0);
  EXPECT_GT(prefetching(cascadeLake()), 0);
}

TEST(SearchSpaceReading, SharesPanelsAmongStripsThatPassThem) {
  for (const char *types : {"f32", "bf16", "u8s8"}) {
    const Problem problem = problemOf("33x4096:4096x4096", types);
    std::set<int64_t> shares;
    for (const Schedule &schedule :
         enumerateSchedules(problem, zen4WithPairs(), /*threads=*/1)) {
      if (schedule.share == 0)
        continue;
      shares.insert(schedule.share);
      const Partition parts = partition(schedule, 33, problem.n(), problem.k());
      EXPECT_GT(parts.stripsPerBlock, 1) << schedule.text();
      EXPECT_EQ(schedule.blocks, LoopOrder::mn) << schedule.text();
      EXPECT_TRUE(parts.panelsPerBlock == 1 || schedule.tiles == LoopOrder::nm)
          << schedule.text();
      const int64_t lines =
          linesOfTurn(schedule, problem.types().weight, zen4WithPairs());
      EXPECT_EQ(schedule.share, ceilDiv(lines, parts.stripsPerBlock))
          << schedule.text();
    }
    EXPECT_THAT(shares, Contains(1)) << types;
  }
}

} // namespace
