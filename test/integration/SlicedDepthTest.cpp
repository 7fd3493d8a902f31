// Slices of K of every size, empty ones included, on short and tall strips.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelTest.h"

#include "Schedule/RegisterTiles.h"

#include <algorithm>

using namespace lintel;
using namespace lintel::integration;

namespace {

class SlicedDepthTest : public KernelTest {
protected:
  Schedule sliced(int64_t slices) const {
    Schedule schedule;
    schedule.mr = std::min<int64_t>(
        4, maxTileRows(types.weight, target, 2, accumulate()));
    schedule.nr = 2 * target.lanes();
    schedule.unit =
        target.multipliesTilesOf(types.weight) ? Unit::amx : Unit::vector;
    schedule.group = schedule.onTiles()
                         ? tileInterleaveOf(types.weight)
                         : depthOfLane(types.weight, target, accumulate());
    schedule.epilogue = EpiloguePlacement::tile;
    schedule.accumulate = accumulate();
    schedule.mc = schedule.nc = schedule.kc = Schedule::kWhole;
    schedule.gridM = schedule.gridN = 2;
    schedule.gridK = slices;
    return schedule;
  }

  bool rightInSlices(GuardedCall &call) {
    for (int64_t slices : {2, 3, 5, 8})
      // Fewer parts than slices, as many as chunks of some, and more.
      for (int32_t parts : {1, 3, 8, 40})
        if (!right(call, sliced(slices), {.parts = parts}))
          return false;
    return true;
  }
};

TEST_P(SlicedDepthTest, DepthsAroundCacheLines) {
  // Strips of 3, 3 and 3 rows, of 2, 3 and 3, and one of a single row.
  for (int64_t m : {9, 8, 1})
    for (int64_t k : {0, 1, 15, 16, 17, 31, 32, 33, 48, 100}) {
      const Problem layer = problem(m, 3 * target.lanes() + 1, k);
      const Workload workload(layer, m, Fill::exact, uint64_t(k));
      GuardedCall call(workload, m, {.rows = Layout::Rows::apart});
      if (!rightInSlices(call))
        return;
    }
}

TEST_P(SlicedDepthTest, EveryNumberOfRowsOfARange) {
  constexpr int64_t kMostRows = 13;
  const Problem layer = *problem(std::nullopt, 2 * target.lanes() + 3, 50)
                             .withRowRange(RowRange::between(0, kMostRows));
  const Workload workload(layer, kMostRows, Fill::exact, 71);
  for (int64_t m = 0; m <= kMostRows; ++m) {
    GuardedCall call(workload, m, {.offset = 1});
    if (!rightInSlices(call))
      return;
  }
}

/// Tile registers read whole cache lines of rows that are there.
class SlicedTilesTest : public SlicedDepthTest {};

TEST_P(SlicedTilesTest, DepthsOfWholeLines) {
  for (int64_t m : {9, 8, 1})
    for (int64_t lines : {0, 1, 2, 3, 7}) {
      const int64_t k = lines * depthUnitOf(types.weight);
      const Problem layer = problem(m, 3 * target.lanes() + 1, k);
      const Workload workload(layer, m, Fill::exact, uint64_t(k));
      GuardedCall call(workload, m, {.rows = Layout::Rows::apart});
      if (!rightInSlices(call))
        return;
    }
}

LINTEL_ON_TILE_REGISTERS(SlicedTilesTest);
LINTEL_ON(allKernels(), SlicedDepthTest);
LINTEL_ON_NARROW_TYPES(SlicedDepthTest);
LINTEL_ON_INTEGERS(SlicedDepthTest);

} // namespace
