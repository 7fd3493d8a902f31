// No rows, no columns, no depth.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

using namespace lintel;
using namespace lintel::integration;

namespace {

class ZeroSizesTest : public KernelTest {
protected:
  /// Some objects of a layer's search space, by parts and as an engine calls
  /// them.
  void checkSomeCodes(std::optional<int64_t> m, int64_t n, int64_t k,
                      int64_t rows) {
    const Problem layer = problem(m, n, k);
    const Workload workload(layer, rows, Fill::exact, 41);
    GuardedCall call(workload, rows, {.rows = Layout::Rows::apart});
    const std::shared_ptr<Executor> executor = sequentialExecutor();
    for (const Schedule &code : someCodes(layer, target, 2, turn))
      for (const Schedule &schedule : awkwardBlockings(code, layer))
        if (!right(call, schedule, {.parts = 2}) ||
            !right(call, schedule, *executor, 2))
          return;
  }
};

TEST_P(ZeroSizesTest, NoDepthGivesTheEpilogueOfZero) {
  checkSomeCodes(5, 2 * target.lanes() + 3, 0, 5);
  checkSomeCodes(std::nullopt, 2 * target.lanes() + 3, 0, 19);
  checkSomeCodes(1, 1, 0, 1);
}

TEST_P(ZeroSizesTest, NoRowsTouchNothing) {
  checkSomeCodes(0, 17, 5, 0);
  checkSomeCodes(std::nullopt, 17, 5, 0);
}

TEST_P(ZeroSizesTest, NoColumnsTouchNothing) {
  checkSomeCodes(5, 0, 7, 5);
  checkSomeCodes(std::nullopt, 0, 7, 9);
}

TEST_P(ZeroSizesTest, NothingAtAll) { checkSomeCodes(0, 0, 0, 0); }

LINTEL_ON(allKernels(), ZeroSizesTest);
LINTEL_ON_SOME_NARROW_TYPES(ZeroSizesTest);
LINTEL_ON_TILE_REGISTERS(ZeroSizesTest);
LINTEL_ON_INTEGERS(ZeroSizesTest);

} // namespace
