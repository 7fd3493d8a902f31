// The largest sums of integers, and scales and zero points at their extremes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

#include <algorithm>
#include <limits>

using namespace lintel;
using namespace lintel::integration;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

class IntegerExtremesTest : public KernelTest {
protected:
  Problem layerOf(const char *typesText, const char *epilogueText, int64_t m,
                  int64_t n, int64_t k) {
    types = *DataTypes::parse(typesText);
    epilogue = epilogueNamed(epilogueText, types);
    return problem(m, n, k);
  }

  static std::vector<float> &operand(Inputs &inputs, const Problem &layer,
                                     std::string_view name) {
    const auto &operands = layer.epilogue().operands();
    const auto found =
        std::ranges::find(operands, name, &EpilogueOperand::name);
    return inputs.operands[size_t(found - operands.begin())];
  }

  void check(const Problem &layer, const Workload::Edit &edit) {
    const int64_t m = *layer.m();
    const Workload workload(layer, m, Fill::exact, 81, edit);
    GuardedCall call(workload, m, {.rows = Layout::Rows::apart});
    for (const Schedule &code : someCodes(layer, target, 3, turn))
      for (const Schedule &schedule : awkwardBlockings(code, layer))
        if (!right(call, schedule, {.parts = 2}))
          return;
  }

  /// x and w of one value each, which is as large as sums get.
  void checkSums(const char *typesText, const char *epilogueText, int64_t depth,
                 float x, float w) {
    const Problem layer = layerOf(typesText, epilogueText, 3, 2, depth);
    check(layer, [&](Inputs &inputs) {
      std::ranges::fill(inputs.x, x);
      std::ranges::fill(inputs.w, w);
      for (std::vector<float> &operand : inputs.operands)
        std::ranges::fill(operand, 1);
    });
  }
};

TEST_P(IntegerExtremesTest, LargestSums) {
  checkSums("s8s8", "none", 131071, -128, -128);
  checkSums("s8s8", "none", 131071, -128, 127);
  checkSums("u8s8", "dequant(xzero=none)", 65793, 255, -128);
}

/// Products of pairs of 8 bits saturate at 16 in some instructions.
TEST_P(IntegerExtremesTest, PairsBeyondSixteenBits) {
  for (float w : {-128.0f, 127.0f})
    checkSums("u8s8", "dequant(xzero=none)", 7, 255, w);
}

TEST_P(IntegerExtremesTest, ZeroPointsAtTheEndsOfTheirRange) {
  for (float xZero : {0.0f, 255.0f})
    for (float wZero : {-128.0f, 127.0f}) {
      const Problem layer =
          layerOf("u8s8", "dequant(xzero=row,wzero=column)", 5, 33, 33025);
      check(layer, [&](Inputs &inputs) {
        std::ranges::fill(inputs.x, 255 - xZero);
        std::ranges::fill(inputs.w, -1 - wZero);
        std::ranges::fill(operand(inputs, layer, "x_zero"), xZero);
        std::ranges::fill(operand(inputs, layer, "w_zero"), wZero);
      });
    }
}

TEST_P(IntegerExtremesTest, ScalesOfEveryMagnitude) {
  constexpr float scales[] = {0,     -0.0f,      kInfinity, kNaN, 1e-42f,
                              1e38f, -kInfinity, -1e-20f,   1};
  for (const char *types : {"u8s8", "u8s8:u8", "s8s8:s8", "s8s8:bf16"}) {
    const Problem layer =
        layerOf(types, "dequant(x=row)+bias", 9, 2 * 9 + 1, 13);
    check(layer, [&](Inputs &inputs) {
      std::vector<float> &rows = operand(inputs, layer, "x_scale");
      std::vector<float> &columns = operand(inputs, layer, "w_scale");
      for (size_t i = 0; i < rows.size(); ++i)
        rows[i] = scales[i % std::size(scales)];
      for (size_t i = 0; i < columns.size(); ++i)
        columns[i] = scales[i % std::size(scales)];
    });
  }
}

TEST_P(IntegerExtremesTest, ScalesOfTheResult) {
  for (const char *types : {"u8s8:u8", "s8s8:s8"})
    for (float scale : {0.0f, kInfinity, kNaN, 1e-42f, 1e38f, -1.0f}) {
      const Problem layer = layerOf(types, "bias+quant(zero=tensor)", 3, 19, 8);
      check(layer, [&](Inputs &inputs) {
        operand(inputs, layer, "result_scale")[0] = scale;
        operand(inputs, layer, "result_zero")[0] = scale < 0 ? -128 : 255;
      });
    }
}

/// Sums 0, 1, 2, ... of a quarter each: every half, rounded to even, and what
/// lies beyond either end of the type.
TEST_P(IntegerExtremesTest, RoundingAndSaturationOfResults) {
  for (const char *types : {"u8s8:u8", "s8s8:s8"}) {
    constexpr int64_t kColumns = 1801;
    const Problem layer =
        layerOf(types, "bias+quant(zero=tensor)", 2, kColumns, 1);
    check(layer, [&](Inputs &inputs) {
      for (std::vector<float> &operand : inputs.operands)
        std::ranges::fill(operand, 1);
      inputs.x = {2, 2};
      std::ranges::fill(inputs.w, 1);
      std::vector<float> &bias = operand(inputs, layer, "bias");
      for (size_t i = 0; i < bias.size(); ++i)
        bias[i] = 0.25f * (float(i) - kColumns / 2);
      if (types[0] == 'u')
        operand(inputs, layer, "result_zero")[0] = 128;
    });
  }
}

TEST_P(IntegerExtremesTest, NaNBecomesTheLeastInteger) {
  const Problem layer = layerOf("u8s8:u8", "residual", 3, 35, 5);
  check(layer, [&](Inputs &inputs) {
    std::vector<float> &residual = operand(inputs, layer, "residual");
    for (size_t i = 0; i < residual.size(); ++i)
      residual[i] = i % 3 == 0 ? kNaN : i % 3 == 1 ? kInfinity : -kInfinity;
  });
}

/// Every level with and without products of quads: the tests choose their own
/// types.
std::vector<KernelCase> integerLevels() {
  std::vector<KernelCase> cases;
  for (IsaLevel isa : kIsaLevels)
    cases.push_back({isa, "none"});
  cases.push_back({IsaLevel::avx512, "none", "f32", {Extension::avx512Vnni}});
  cases.push_back({IsaLevel::avx2, "none", "f32", {Extension::avxVnni}});
  return cases;
}

LINTEL_ON(integerLevels(), IntegerExtremesTest);

/// Where sums of two products may be of 16 bits.
class SaturatingPairsTest : public IntegerExtremesTest {};

TEST_P(SaturatingPairsTest, AreRightAsLongAsSixteenBitsHoldThem) {
  const struct {
    const char *types;
    float x, w;
  } extremes[] = {
      {"u8s8,accumulate=s16", 255, -64},  {"u8s8,accumulate=s16", 255, 63},
      {"u8s8,accumulate=s16", 127, -128}, {"u8s8,accumulate=s16", 127, 127},
      {"s8s8,accumulate=s16", 127, -64},  {"s8s8,accumulate=s16", -128, 63}};
  for (const auto &[typesText, x, w] : extremes) {
    const Problem layer = layerOf(typesText, "none", 7, 50, 77);
    const Workload workload(layer, 7, Fill::exact, 81, [&](Inputs &inputs) {
      std::ranges::fill(inputs.x, x);
      std::ranges::fill(inputs.w, w);
      for (std::vector<float> &operand : inputs.operands)
        std::ranges::fill(operand, 1);
    });
    GuardedCall call(workload, 7, {.rows = Layout::Rows::apart});
    size_t schedules = 0;
    for (const CodeVariant &code : searchSpaceByCode(layer, target, 3)) {
      if (!code.first().sumsPairsInWords())
        continue;
      ++schedules;
      if (!right(call, code.first(), {.parts = 2}))
        return;
    }
    EXPECT_GT(schedules, 0u) << typesText;
  }
}

std::vector<KernelCase> levelsThatSumPairs() {
  return {{IsaLevel::avx2, "none"}, {IsaLevel::avx512, "none"}};
}

LINTEL_ON(levelsThatSumPairs(), SaturatingPairsTest);

} // namespace
