// Every 16-bit float widened, and f32 around every one of them rounded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelTest.h"

#include "Reference/Element.h"
#include "Schedule/Ranking.h"

#include <cmath>
#include <limits>

using namespace lintel;
using namespace lintel::integration;

namespace {

constexpr int64_t kPatterns = 1 << 16;

/// Of all NaN one, since another means that nothing was written.
float patternOf(DType dtype, int64_t bits) {
  const auto narrow = static_cast<uint16_t>(bits);
  const float value =
      dtype == DType::bf16 ? widen(BFloat16{narrow}) : widen(Float16{narrow});
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value;
}

/// Each 16-bit float, what lies halfway to the next, and the neighbours of
/// that.
std::vector<float> valuesAround(DType dtype) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> values;
  for (int64_t bits = 0; bits < kPatterns; ++bits) {
    const float value = patternOf(dtype, bits);
    const float next = patternOf(dtype, (bits + 1) % kPatterns);
    // The average of two halves cannot overflow.
    const float halfway = value / 2 + next / 2;
    values.insert(values.end(),
                  {value, halfway, std::nextafter(halfway, infinity),
                   std::nextafter(halfway, -infinity)});
  }
  return values;
}

class NarrowConversionsTest : public KernelTest {
protected:
  void checkBest(const Workload &workload) {
    const Problem &layer = workload.problem();
    GuardedCall call(workload, workload.rows(), {});
    for (EpiloguePlacement placement :
         {EpiloguePlacement::registers, EpiloguePlacement::tile}) {
      Schedule schedule = *bestPredictedSchedule(layer, target, 1);
      schedule.epilogue = placement;
      if (!right(call, schedule))
        return;
    }
  }
};

TEST_P(NarrowConversionsTest, EveryElementOfX) {
  epilogue = epilogueNamed("none");
  const Problem layer = problem(kPatterns, 1, 1);
  const Workload workload(
      layer, kPatterns, Fill::exact, 91, [&](Inputs &inputs) {
        for (int64_t bits = 0; bits < kPatterns; ++bits)
          inputs.x[size_t(bits)] = patternOf(types.activation, bits);
        inputs.w = {1};
      });
  checkBest(workload);
}

class NarrowResultsTest : public NarrowConversionsTest {};

/// Ragged rows: the last vector of each is cut by a mask, or goes one by one.
TEST_P(NarrowResultsTest, RoundingToNearestAndEven) {
  constexpr int64_t kColumns = 1023;
  epilogue = regionEpilogue("%y = arith.truncf %g : f32 to " +
                                std::string(toString(types.result)),
                            types);
  std::vector<float> values = valuesAround(types.result);
  const auto rows = int64_t(values.size()) / kColumns + 1;
  values.resize(size_t(rows * kColumns));
  const Problem layer = problem(rows, kColumns, 1);
  const Workload workload(layer, rows, Fill::exact, 92,
                          [&](Inputs &inputs) { inputs.operands[0] = values; });
  checkBest(workload);
}

/// An instruction of AVX512-BF16 flushes them; what is multiplied by much then
/// shows it.
TEST_P(NarrowResultsTest, DenormalsOfBf16BeforeTheResult) {
  epilogue = regionEpilogue("%large = arith.constant 1.0e38 : f32\n"
                            "%t = arith.truncf %g : f32 to bf16\n"
                            "%e = arith.extf %t : bf16 to f32\n"
                            "%p = arith.mulf %e, %large : f32\n"
                            "%y = arith.truncf %p : f32 to " +
                                std::string(toString(types.result)),
                            types);
  std::vector<float> values;
  for (int exponent = -149; exponent < -120; ++exponent)
    for (float factor : {1.0f, 1.3f, -1.7f})
      values.push_back(std::ldexp(factor, exponent));
  const Problem layer = problem(1, int64_t(values.size()), 1);
  const Workload workload(layer, 1, Fill::exact, 93,
                          [&](Inputs &inputs) { inputs.operands[0] = values; });
  checkBest(workload);
}

std::vector<KernelCase> kernelsOfNarrowResults() {
  std::vector<KernelCase> cases = narrowKernels();
  std::erase_if(cases, [](const KernelCase &instance) {
    return DataTypes::parse(instance.types)->result == DType::f32;
  });
  return cases;
}

LINTEL_ON_NARROW_TYPES(NarrowConversionsTest);
LINTEL_ON(kernelsOfNarrowResults(), NarrowResultsTest);

} // namespace
