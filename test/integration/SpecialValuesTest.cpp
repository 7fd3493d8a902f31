// NaN, infinities, denormals and the sign of zero.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

#include <cmath>
#include <limits>

using namespace lintel;
using namespace lintel::integration;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr int64_t kRows = 9, kDepth = 11;

//===----------------------------------------------------------------------===//
// NaN and infinities
//===----------------------------------------------------------------------===//

class NonFiniteTest : public KernelTest {
protected:
  int64_t columns() const { return 3 * target.lanes() + 2; }

  void check(const Workload::Edit &edit) {
    const Problem layer = problem(kRows, columns(), kDepth);
    const Workload workload(layer, kRows, Fill::exact, 71, edit);
    GuardedCall call(workload, kRows, {.rows = Layout::Rows::apart});
    for (const Schedule &code : someCodes(layer, target, 6, turn))
      for (const Schedule &schedule : awkwardBlockings(code, layer))
        if (!right(call, schedule, {.parts = 2}))
          return;
  }
};

TEST_P(NonFiniteTest, InputsReachTheirOwnRowAlone) {
  check([](Inputs &inputs) {
    auto x = [&](int64_t row, int64_t k) -> float & {
      return inputs.x[size_t(row * kDepth + k)];
    };
    x(1, 3) = kNaN;
    x(3, 0) = kInfinity;
    x(5, kDepth - 1) = -kInfinity;
    x(7, 2) = kInfinity; // with the next: NaN or infinity, as the weight has it
    x(7, 9) = -kInfinity;
  });
}

TEST_P(NonFiniteTest, WeightsReachTheirOwnColumnAlone) {
  check([this](Inputs &inputs) {
    auto w = [&](int64_t column, int64_t k) -> float & {
      return inputs.w[size_t(column * kDepth + k)];
    };
    w(0, 4) = kNaN;
    w(2, kDepth - 1) = kInfinity;
    w(target.lanes(), 0) = -kInfinity;
    w(columns() - 1, 5) = kNaN;
  });
}

TEST_P(NonFiniteTest, OperandsOfTheEpilogue) {
  check([](Inputs &inputs) {
    const float values[] = {kNaN, kInfinity, -kInfinity};
    for (std::vector<float> &operand : inputs.operands)
      for (size_t i = 1, next = 0; i < operand.size(); i += 7)
        operand[i] = values[next++ % 3];
  });
}

TEST_P(NonFiniteTest, SumsThatOverflow) {
  check([](Inputs &inputs) {
    for (float &value : inputs.w)
      value = std::abs(value) * 1e30f;
    // Positive and negative infinity in turn, and a row that stays finite.
    for (size_t i = 0; i < inputs.x.size(); ++i) {
      const size_t row = i / kDepth;
      inputs.x[i] =
          row == 4 ? 0 : std::abs(inputs.x[i]) * (row % 2 ? -1e30f : 1e30f);
    }
  });
}

LINTEL_ON(allKernels(), NonFiniteTest);
LINTEL_ON_NARROW_TYPES(NonFiniteTest);
LINTEL_ON_TILE_REGISTERS(NonFiniteTest);

//===----------------------------------------------------------------------===//
// Denormals and zeros, to the bit
//===----------------------------------------------------------------------===//

class ExactBitsTest : public LevelTest {
protected:
  /// The oracle's values are exact here and must be met to the last bit, which
  /// its bound, made for normal numbers, would not ask for.
  void check(const char *name, const Workload::Edit &edit) {
    epilogue = epilogueNamed(name);
    const Problem layer = problem(kRows, 3 * target.lanes() + 2, kDepth);
    const Workload workload(layer, kRows, Fill::exact, 72, edit);
    GuardedCall call(workload, kRows, {.rows = Layout::Rows::apart});
    for (const Schedule &code : someCodes(layer, target, 6, turn))
      for (const Schedule &schedule : awkwardBlockings(code, layer)) {
        ASSERT_TRUE(right(call, schedule));
        ASSERT_NO_FATAL_FAILURE(expectBits(call))
            << name << " " << schedule.text();
      }
  }
};

TEST_P(ExactBitsTest, Denormals) {
  auto shrink = [](Inputs &inputs) {
    auto scale = [](std::vector<float> &values, float unit) {
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = std::copysign(float(1 + i % 4) * unit, values[i]);
    };
    // Products and their sums are multiples of 2^-145 below 2^-137.
    scale(inputs.x, 0x1p-80f);
    scale(inputs.w, 0x1p-65f);
    for (std::vector<float> &operand : inputs.operands)
      scale(operand, 0x1p-143f);
  };
  for (const char *name : {"none", "bias+relu", "residual+clamp(-1,1)"})
    check(name, shrink);
}

TEST_P(ExactBitsTest, SignsOfZero) {
  auto zeroSums = [](Inputs &inputs) {
    std::fill(inputs.x.begin(), inputs.x.end(), 0.0f);
  };
  for (const char *name : {"none", "mul", "mul+relu", "mul+clamp(-1,1)"})
    check(name, zeroSums);
}

LINTEL_ON(allLevels(), ExactBitsTest);

} // namespace
