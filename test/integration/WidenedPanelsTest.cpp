// Panels that are widened before the strips pass them: any number of strips, in
// blocks of any depth, on targets that multiply narrow floats in f32.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelTest.h"

using namespace lintel;
using namespace lintel::integration;

namespace {

class WidenedPanelsTest : public KernelTest {
protected:
  /// Narrow and wide tiles, the epilogue in registers and on a tile, panels
  /// that strips ask for and others.
  std::vector<Schedule> codes(const Problem &problem) const {
    std::vector<Schedule> codes;
    for (const char *rest : {"", ",epilogue=tile,share=1,prefetch=256"})
      for (int64_t vectors : {1, 4}) {
        Schedule schedule =
            Schedule::parse("tile=2x16,pack=block,widen=panel,tiles=nm" +
                            std::string(rest))
                .value();
        schedule.nr = vectors * target.lanes();
        schedule.group = interleaveOf(problem.types().weight);
        codes.push_back(schedule);
        schedule.share = linesOfTurn(schedule, problem.types().weight, target);
        codes.push_back(schedule);
      }
    return codes;
  }

  void check(const Problem &problem, int64_t rows) {
    checkInAwkwardBlockings(codes(problem), problem, rows);
  }
};

TEST_P(WidenedPanelsTest, OfSomeStrips) { check(problem(10, 133, 71), 10); }
TEST_P(WidenedPanelsTest, OfShortStrips) { check(problem(11, 133, 71), 11); }
TEST_P(WidenedPanelsTest, OfOneStrip) { check(problem(2, 70, 33), 2); }
TEST_P(WidenedPanelsTest, OfManyStrips) { check(problem(150, 40, 5), 150); }
TEST_P(WidenedPanelsTest, OfAnyNumberOfStrips) {
  for (int64_t rows : {1, 7, 40})
    check(problem(std::nullopt, 37, 66), rows);
}
TEST_P(WidenedPanelsTest, WithoutAnyDepth) { check(problem(5, 33, 0), 5); }

/// Where nothing multiplies pairs of bf16.
std::vector<KernelCase> kernelsThatWiden() {
  std::vector<KernelCase> cases = narrowKernels();
  std::erase_if(cases, [](const KernelCase &one) {
    return one.extensions.contains(Extension::avx512Bf16);
  });
  return cases;
}

LINTEL_ON(kernelsThatWiden(), WidenedPanelsTest);

} // namespace
