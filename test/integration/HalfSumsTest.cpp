// Sums of f16 over runs of K, where the CPU has AVX512-FP16.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelTest.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace lintel;
using namespace lintel::integration;

namespace {

class HalfSumsTest : public KernelTest {
protected:
  Schedule schedule(int64_t mr, int64_t nr) const {
    Schedule result;
    result.mr = mr;
    result.nr = nr;
    result.accumulate = Accumulate::f16;
    result.epilogue = EpiloguePlacement::tile;
    result.mc = result.nc = result.kc = Schedule::kWhole;
    return result;
  }

  /// In place and packed, with K whole, cut inside runs and between them, and
  /// shared.
  bool rightHoweverCut(GuardedCall &call, const Schedule &code) {
    std::vector<Schedule> all;
    for (PackA pack : {PackA::none, PackA::block, PackA::whole})
      for (int64_t kc : {Schedule::kWhole, int64_t(1), kHalfRun - 1, kHalfRun,
                         kHalfRun + 1, 2 * kHalfRun}) {
        all.push_back(code);
        all.back().pack = pack;
        all.back().kc = kc;
        all.back().mc = code.mr;
      }
    for (int64_t slices : {2, 5}) {
      all.push_back(code);
      all.back().gridK = slices;
    }
    return std::all_of(all.begin(), all.end(), [&](const Schedule &one) {
      return right(call, one, {.parts = 3});
    });
  }
};

TEST_P(HalfSumsTest, DepthsAroundRuns) {
  for (int64_t k : {0, 1, 2, 63, 64, 65, 127, 128, 129, 200, 640})
    for (Fill fill : {Fill::exact, Fill::gaussian}) {
      constexpr int64_t kRows = 11;
      const Problem layer = problem(kRows, 97, k);
      const Workload workload(layer, kRows, fill, uint64_t(k));
      GuardedCall call(workload, kRows, {.rows = Layout::Rows::apart});
      for (const Schedule &code :
           {schedule(1, 32), schedule(8, 96), schedule(11, 64)})
        if (!rightHoweverCut(call, code))
          return;
    }
}

/// Sums that f16 does not hold: a run alone does.
TEST_P(HalfSumsTest, SumsOfAQuarterOfAMillionProducts) {
  constexpr int64_t kRows = 3;
  const Problem layer = problem(kRows, 33, 262144);
  for (Fill fill : {Fill::exact, Fill::gaussian}) {
    // Sums that cancel would leave nothing to see within the bound.
    const Workload workload(layer, kRows, fill, 41, [&](Inputs &inputs) {
      for (std::vector<float> *values : {&inputs.x, &inputs.w})
        if (fill == Fill::gaussian)
          for (float &value : *values)
            value = std::abs(value);
    });
    GuardedCall call(workload, kRows, {});
    if (!right(call, schedule(3, 32)))
      return;
  }
}

/// 64 products of 31 are 1984; from 2048 on f16 has no odd numbers, and 128 of
/// them come out as 4028.
TEST_P(HalfSumsTest, RunsEndBeforeSumsAreRounded) {
  constexpr int64_t kDepth = 1024;
  const Problem layer = problem(2, 32, kDepth);
  const Workload workload(layer, 2, Fill::exact, 42, [](Inputs &inputs) {
    std::ranges::fill(inputs.x, 1.0f);
    std::ranges::fill(inputs.w, 31.0f);
    inputs.exactSums = true;
  });
  GuardedCall call(workload, 2, {});
  EXPECT_TRUE(right(call, schedule(2, 32)));
}

LINTEL_ON_HALF_SUMS(HalfSumsTest);

} // namespace
