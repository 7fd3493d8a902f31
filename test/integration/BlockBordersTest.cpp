// M, N and K one below, at and one above tiles, blocks and multiples of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelTest.h"

#include <set>

using namespace lintel;
using namespace lintel::integration;

namespace {

/// Sizes around tiles of `tile` and around blocks of two tiles.
std::set<int64_t> borders(int64_t tile) {
  std::set<int64_t> sizes;
  for (int64_t b : {tile, 2 * tile})
    sizes.insert({b - 1, b, b + 1, 2 * b - 1, 2 * b, 3 * b});
  return sizes;
}

class BlockBordersTest : public KernelTest {
protected:
  static constexpr int64_t kTileRows = 3;
  static constexpr int64_t kDepth = 33;

  int64_t panel() const { return 2 * target.lanes(); }

  Schedule code(PackA pack, EpiloguePlacement placement) const {
    Schedule schedule;
    schedule.mr = kTileRows;
    schedule.nr = panel();
    schedule.pack = pack;
    schedule.epilogue = placement;
    return schedule;
  }

  bool rightInEveryOrder(GuardedCall &call, Schedule schedule) {
    for (LoopOrder blocks : {LoopOrder::mn, LoopOrder::nm})
      for (LoopOrder tiles : {LoopOrder::mn, LoopOrder::nm}) {
        schedule.blocks = blocks;
        schedule.tiles = tiles;
        if (!right(call, schedule))
          return false;
      }
    return true;
  }

  /// Every pair of an M and an N block size, every order.
  bool rightForAllBlocks(GuardedCall &call, Schedule schedule) {
    for (int64_t strips : {1, 2, 3})
      for (int64_t panels : {1, 2, 3}) {
        schedule.mc = strips * kTileRows;
        schedule.nc = panels * panel();
        if (!rightInEveryOrder(call, schedule))
          return false;
      }
    return true;
  }

  void checkAllBorders(const Schedule &code) {
    const std::set<int64_t> rows = borders(kTileRows);
    for (int64_t n : borders(panel())) {
      const Problem layer = problem(std::nullopt, n, kDepth);
      const Workload workload(layer, *rows.rbegin(), Fill::exact, uint64_t(n));
      for (int64_t m : rows) {
        GuardedCall call(workload, m, {.rows = Layout::Rows::apart});
        Schedule schedule = code;
        for (int64_t depth : {kDepth / 2 + 1, kDepth}) {
          schedule.kc = depth;
          if (!rightForAllBlocks(call, schedule))
            return;
        }
      }
    }
  }
};

TEST_P(BlockBordersTest, InPlaceInRegisters) {
  checkAllBorders(code(PackA::none, EpiloguePlacement::registers));
}

TEST_P(BlockBordersTest, PackedInRegisters) {
  checkAllBorders(code(PackA::block, EpiloguePlacement::registers));
}

TEST_P(BlockBordersTest, InPlaceOnTheTile) {
  checkAllBorders(code(PackA::none, EpiloguePlacement::tile));
}

TEST_P(BlockBordersTest, PackedOnTheTile) {
  checkAllBorders(code(PackA::block, EpiloguePlacement::tile));
}

TEST_P(BlockBordersTest, EveryDepthOfBlock) {
  const int64_t m = 4 * kTileRows + 1, n = 3 * panel() - 1;
  const Workload workload(problem(m, n, kDepth), m, Fill::exact, 5);
  GuardedCall call(workload, m, {.offset = 1});
  for (PackA pack : {PackA::none, PackA::block})
    for (EpiloguePlacement placement :
         {EpiloguePlacement::registers, EpiloguePlacement::tile})
      for (int64_t depth = 1; depth <= kDepth + 1; ++depth) {
        Schedule schedule = code(pack, placement);
        schedule.mc = 2 * kTileRows;
        schedule.nc = 2 * panel();
        schedule.kc = depth;
        if (!rightInEveryOrder(call, schedule))
          return;
      }
}

LINTEL_ON(allKernels(), BlockBordersTest);

} // namespace
