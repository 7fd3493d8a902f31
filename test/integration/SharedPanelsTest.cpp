// Strips that ask for the next panel together: any number of them, in blocks
// that end with any panel, every type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelTest.h"

#include "Schedule/Prefetching.h"

using namespace lintel;
using namespace lintel::integration;

namespace {

class SharedPanelsTest : public KernelTest {
protected:
  /// As many lines a turn as there are, and one; rows in place and packed, the
  /// epilogue in registers and on a tile. In f32 tall enough for turns of two
  /// steps on avx2.
  std::vector<Schedule> codes(const Problem &problem) const {
    const DType weight = problem.types().weight;
    std::vector<Schedule> codes;
    for (const char *rest :
         {"", ",pack=block,prefetch=512", ",epilogue=tile,pack=whole"})
      for (int64_t vectors : {1, 2}) {
        Schedule schedule =
            Schedule::parse(std::string("tile=2x16") + rest).value();
        schedule.mr = weight == DType::f32 ? 4 : 2;
        schedule.nr = vectors * target.lanes();
        schedule.group = depthOfLane(weight, target, accumulate());
        schedule.accumulate = accumulate();
        schedule.share = 1;
        codes.push_back(schedule);
        schedule.share = linesOfTurn(schedule, weight, target);
        if (schedule.share > 1)
          codes.push_back(schedule);
      }
    return codes;
  }

  void check(const Problem &problem, int64_t rows) {
    checkInAwkwardBlockings(codes(problem), problem, rows);
  }
};

TEST_P(SharedPanelsTest, AmongSomeStrips) { check(problem(9, 133, 70), 9); }
TEST_P(SharedPanelsTest, WithOneStrip) { check(problem(1, 70, 33), 1); }
TEST_P(SharedPanelsTest, AmongManyStrips) { check(problem(150, 40, 5), 150); }
TEST_P(SharedPanelsTest, WithoutAnyDepth) { check(problem(5, 33, 0), 5); }

LINTEL_ON(allKernels(), SharedPanelsTest);
LINTEL_ON_NARROW_TYPES(SharedPanelsTest);
LINTEL_ON_INTEGERS(SharedPanelsTest);

} // namespace
