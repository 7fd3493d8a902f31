// Strides, offsets, guard pages on either side, operands that are outputs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

using namespace lintel;
using namespace lintel::integration;

namespace {

std::vector<Layout> allLayouts() {
  std::vector<Layout> layouts;
  for (Layout::Rows rows :
       {Layout::Rows::dense, Layout::Rows::apart, Layout::Rows::powerOfTwo})
    for (int64_t offset : {0, 1})
      for (GuardedBuffer::Fit fit :
           {GuardedBuffer::Fit::begin, GuardedBuffer::Fit::end})
        layouts.push_back({rows, offset, fit});
  return layouts;
}

class MemoryLayoutTest : public KernelTest {
protected:
  bool rightWhenBlocked(GuardedCall &call, const std::vector<Schedule> &codes) {
    for (const Schedule &code : codes)
      for (const Schedule &schedule :
           awkwardBlockings(code, call.workload().problem()))
        if (!right(call, schedule, {.parts = 2}))
          return false;
    return true;
  }
};

TEST_P(MemoryLayoutTest, EveryStrideOffsetAndGuard) {
  const int64_t m = 13, n = 5 * target.lanes() - 3;
  const Problem layer = problem(m, n, 37);
  const Workload workload(layer, m, Fill::exact, 51);
  const std::vector<Schedule> codes = someCodes(layer, target, 3, turn);
  for (const Layout &layout : allLayouts()) {
    GuardedCall call(workload, m, layout);
    if (!rightWhenBlocked(call, codes))
      return;
  }
}

TEST_P(MemoryLayoutTest, WideStridesOfAFewElements) {
  // One row, one column and one product: any vector that is read or written
  // whole leaves the buffer.
  const Problem layer = problem(1, 1, 1);
  const Workload workload(layer, 1, Fill::exact, 52);
  const std::vector<Schedule> codes = someCodes(layer, target, 8, turn);
  for (const Layout &layout : allLayouts()) {
    GuardedCall call(workload, 1, layout);
    if (!rightWhenBlocked(call, codes))
      return;
  }
}

LINTEL_ON(allKernels(), MemoryLayoutTest);
LINTEL_ON_TILE_REGISTERS(MemoryLayoutTest);

//===----------------------------------------------------------------------===//
// Operands that are outputs
//===----------------------------------------------------------------------===//

class AliasingTest : public LevelTest {
protected:
  /// Every full operand in the place of every output, in every layout.
  void check(const char *name) {
    epilogue = epilogueNamed(name);
    const int64_t m = 13, n = 5 * target.lanes() - 3;
    const Problem layer = problem(m, n, 37);
    const Workload workload(layer, m, Fill::exact, 53);
    const std::vector<Schedule> codes = someCodes(layer, target, 3, turn);
    for (const Alias &alias : possibleAliases())
      for (const Layout &layout : allLayouts()) {
        GuardedCall call(workload, m, layout, alias);
        for (const Schedule &code : codes)
          for (const Schedule &schedule : awkwardBlockings(code, layer))
            ASSERT_TRUE(right(call, schedule, {.parts = 2}));
      }
  }

private:
  std::vector<Alias> possibleAliases() const {
    std::vector<Alias> aliases;
    for (size_t operand = 0; operand < epilogue.operands().size(); ++operand)
      for (size_t output = 0; output < size_t(epilogue.numResults()); ++output)
        if (epilogue.operands()[operand].broadcast == Broadcast::full)
          aliases.push_back({operand, output});
    EXPECT_FALSE(aliases.empty());
    return aliases;
  }
};

TEST_P(AliasingTest, Residual) { check("residual"); }

TEST_P(AliasingTest, ResidualAfterAFunction) {
  check("bias+gelu_erf+residual");
}

TEST_P(AliasingTest, OneOfTwoFullOperands) { check("mul+residual"); }

TEST_P(AliasingTest, OneOfTwoOutputs) { check(kRegionEpilogue); }

LINTEL_ON(allLevels(), AliasingTest);

} // namespace
