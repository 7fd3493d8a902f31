// Sums of a quarter of a million products.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

#include <cmath>
#include <vector>

using namespace lintel;
using namespace lintel::integration;

namespace {

class LongDepthTest : public KernelTest {
protected:
  void check(Fill fill) {
    constexpr int64_t kRows = 3;
    // Deeper sums of int8, less zero points, may not fit in 32 bits.
    const int64_t fullDepth = isFloat(types.weight) ? 262144 : 32768;
    const Problem layer = problem(kRows, 1, fullDepth);
    // The bound is a share of the sum of all magnitudes: of sums that cancel
    // nothing is left to see.
    const Workload workload(layer, kRows, fill, 31, [&](Inputs &inputs) {
      for (std::vector<float> *values : {&inputs.x, &inputs.w})
        if (fill == Fill::gaussian && isFloat(types.weight))
          for (float &value : *values)
            value = std::abs(value);
    });
    GuardedCall call(workload, kRows, {.rows = Layout::Rows::apart});
    for (const Schedule &code : someCodes(layer, target, 2, turn))
      for (int64_t depth : {int64_t(1024), fullDepth - 64, fullDepth}) {
        Schedule schedule = code;
        schedule.mc = code.mr;
        if (!code.takesWholeDepth(types.weight))
          schedule.kc = depth;
        schedule.gridK = 1;
        if (!right(call, schedule))
          return;
      }
    Schedule schedule;
    schedule.mr = kRows;
    schedule.nr = target.lanes();
    schedule.unit =
        target.multipliesTilesOf(types.weight) ? Unit::amx : Unit::vector;
    schedule.group = schedule.onTiles() ? tileInterleaveOf(types.weight)
                                        : depthOfLane(types.weight, target,
                                                      schedule.accumulate);
    schedule.epilogue = EpiloguePlacement::tile;
    schedule.mc = schedule.nc = schedule.kc = Schedule::kWhole;
    for (int64_t slices : {2, 7, 1000}) {
      schedule.gridK = slices;
      if (!right(call, schedule, {.parts = 3}))
        return;
    }
  }
};

TEST_P(LongDepthTest, SumsThatAreExact) { check(Fill::exact); }

TEST_P(LongDepthTest, RandomSumsWithinTheBound) { check(Fill::gaussian); }

LINTEL_ON(allKernels(), LongDepthTest);
LINTEL_ON_NARROW_TYPES(LongDepthTest);
LINTEL_ON_TILE_REGISTERS(LongDepthTest);

} // namespace
