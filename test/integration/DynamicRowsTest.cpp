// One object, every number of rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

using namespace lintel;
using namespace lintel::integration;

namespace {

class DynamicRowsTest : public KernelTest {};

TEST_P(DynamicRowsTest, NoneToThirtyThree) {
  constexpr int64_t kMostRows = 33;
  const Problem layer = problem(std::nullopt, 3 * target.lanes() + 1, 65);
  const Workload workload(layer, kMostRows, Fill::exact, 21);
  const std::vector<Schedule> codes = someCodes(layer, target, 3, turn);
  for (int64_t m = 0; m <= kMostRows; ++m) {
    GuardedCall call(workload, m, {.rows = Layout::Rows::apart});
    for (const Schedule &code : codes)
      for (const Schedule &schedule : awkwardBlockings(code, layer))
        if (!right(call, schedule, {.parts = 2}))
          return;
  }
}

TEST_P(DynamicRowsTest, EveryNumberOfARange) {
  for (const RowRange &rows :
       {RowRange::between(2, 4), RowRange::between(5, 16),
        RowRange{17, Problem::kMaxDim, 40}}) {
    const Problem layer =
        *problem(std::nullopt, 2 * target.lanes() + 1, 33).withRowRange(rows);
    const int64_t most = std::min<int64_t>(rows.most, 40);
    const Workload workload(layer, most, Fill::exact, 22);
    const std::vector<Schedule> codes = someCodes(layer, target, 3, turn);
    for (int64_t m = rows.least; m <= most; ++m) {
      GuardedCall call(workload, m, {.rows = Layout::Rows::apart});
      for (const Schedule &code : codes)
        for (const Schedule &schedule : awkwardBlockings(code, layer))
          if (!right(call, schedule, {.parts = 2}))
            return;
    }
  }
}

LINTEL_ON(allKernels(), DynamicRowsTest);
LINTEL_ON_TILE_REGISTERS(DynamicRowsTest);

} // namespace
