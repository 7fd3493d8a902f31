// f16 as two bf16 each on tile registers: every number, to the bit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelTest.h"

#include "Reference/Element.h"

#include <limits>

using namespace lintel;
using namespace lintel::integration;

namespace {

constexpr int64_t kPatterns = 1 << 16;

/// All of f16: zeros, denormals, infinities and NaN, too.
std::vector<float> allHalves() {
  std::vector<float> values;
  for (int64_t bits = 0; bits < kPatterns; ++bits)
    values.push_back(widen(Float16{static_cast<uint16_t>(bits)}));
  return values;
}

/// What they are multiplied by: numbers of one, eight and eleven significant
/// bits, the largest and the smallest, zero and infinity.
std::vector<float> factors() {
  return {1,
          1 + 0x7fp-7f,
          1 + 0x3ffp-10f,
          -0x5.55p-4f,
          65504,
          0x1p-24f,
          0x3ffp-24f,
          -0x401p-14f,
          0,
          -std::numeric_limits<float>::infinity()};
}

class SplitHalvesTest : public KernelTest {
protected:
  /// An element of a row of so many, which are 0 else.
  struct Place {
    int64_t k, depth;
  };

  static std::vector<float> at(Place place, const std::vector<float> &values) {
    std::vector<float> rows(values.size() * size_t(place.depth));
    for (size_t i = 0; i < values.size(); ++i)
      rows[i * size_t(place.depth) + size_t(place.k)] = values[i];
    return rows;
  }

  /// Products of each of `x` with each of `w`, which f32 holds exactly.
  void check(const std::vector<float> &x, const std::vector<float> &w,
             Place place) {
    const auto rows = int64_t(x.size());
    const Problem layer = problem(rows, int64_t(w.size()), place.depth);
    const Workload workload(layer, rows, Fill::exact, 94, [&](Inputs &inputs) {
      inputs.x = at(place, x);
      inputs.w = at(place, w);
    });
    GuardedCall call(workload, rows, {});
    for (const char *tile : {"32x32", "16x48", "48x16", "16x16"}) {
      const Schedule schedule =
          Schedule::parse(std::string("tile=") + tile +
                          ",unit=amx,pack=block,widen=panel,epilogue=tile,"
                          "tiles=nm,mc=4096,nc=4096")
              .value();
      ASSERT_TRUE(schedule.splitsHalves());
      ASSERT_TRUE(right(call, schedule));
      ASSERT_NO_FATAL_FAILURE(expectBits(call)) << schedule.text();
    }
  }
};

TEST_P(SplitHalvesTest, EveryElementOfX) {
  check(allHalves(), factors(), {.k = 0, .depth = 1});
}
TEST_P(SplitHalvesTest, EveryElementOfW) {
  check(factors(), allHalves(), {.k = 0, .depth = 1});
}

/// The second of a pair, of whole vectors, and of the second step.
TEST_P(SplitHalvesTest, OddElementsOfKInSeveralSteps) {
  for (int64_t k : {1, 31, 33}) {
    check(allHalves(), factors(), {.k = k, .depth = 34});
    check(factors(), allHalves(), {.k = k, .depth = 34});
  }
}

/// Of f16 on tiles of bf16, those whose result is the sum itself.
std::vector<KernelCase> kernelsThatSplit() {
  std::vector<KernelCase> cases = amxKernels();
  std::erase_if(cases, [](const KernelCase &one) {
    return one.types != "f16:f32" ||
           !one.extensions.contains(Extension::amxBf16);
  });
  return cases;
}

LINTEL_ON(kernelsThatSplit(), SplitHalvesTest);

} // namespace
