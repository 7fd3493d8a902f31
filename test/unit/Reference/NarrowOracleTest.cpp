// The oracle of layers whose tensors are narrower than f32.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit/Reference/PlainSums.h"

#include "Reference/Element.h"
#include "Reference/Number.h"

#include <bit>
#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

using namespace lintel;

namespace {

struct Narrow {
  const char *types;
  float (*round)(float);
  /// What a kernel would give that cuts bits off.
  float (*cut)(float);
};
float roundToBf16(float v) { return widen(narrowTo<BFloat16>(v)); }
float cutToBf16(float v) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(v) & 0xffff0000);
}
float roundToF16(float v) { return widen(narrowTo<Float16>(v)); }
float cutToF16(float v) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(v) & 0xffffe000);
}
constexpr Narrow kNarrow[] = {{"bf16", roundToBf16, cutToBf16},
                              {"f16", roundToF16, cutToF16}};

Problem narrowProblem(const std::string &text, const char *types) {
  Expected<Problem> problem =
      Problem::parse(text, DataTypes::parse(types).value());
  EXPECT_TRUE(problem) << problem.error().message();
  return *problem;
}

TEST(NarrowOracleTest, ReadsNarrowTensors) {
  for (const char *types : {"bf16:f32", "f16:f32"}) {
    const Problem problem =
        narrowProblem("3x257:257x130 bias+relu+residual", types);
    auto oracle = oracleOf(problem);
    for (Fill fill : {Fill::exact, Fill::gaussian}) {
      TestData data(problem, 3, fill, 5);
      ASSERT_EQ(data.x().dtype(), problem.types().activation);
      ASSERT_EQ(data.operands()[0].dtype(), DType::f32);
      std::vector<ReferenceElement> row;
      for (int64_t m = 0; m < 3; ++m) {
        oracle->evaluateRow(data.inputs(), m, fill == Fill::exact, row);
        for (int64_t c = 0; c < 130; ++c) {
          const float product = float(plainSum(data, 257, m, c));
          const double sum = double(product) + data.operands()[0][size_t(c)];
          EXPECT_NEAR(row[size_t(c)].value,
                      std::max(sum, 0.0) +
                          data.operands()[1][size_t(m * 130 + c)],
                      1e-12);
        }
      }
    }
  }
}

TEST(NarrowOracleTest, ExactNarrowResultsAreRoundedOnceAndMustBeMetBitByBit) {
  for (const Narrow &narrow : kNarrow)
    for (const char *epilogue : {"none", "bias", "bias+relu+residual"}) {
      const Problem problem =
          narrowProblem("4x768:768x200 " + std::string(epilogue), narrow.types);
      auto oracle = oracleOf(problem);
      TestData data(problem, 4, Fill::exact, 9);
      std::vector<ReferenceElement> row;
      oracle->evaluateRow(data.inputs(), 2, true, row);
      int cutShows = 0;
      for (int64_t c = 0; c < 200; ++c) {
        float value = floatSum(data, 768, 2, c);
        if (epilogue != std::string("none"))
          value += data.operands()[0][size_t(c)];
        if (data.operands().size() > 1)
          value =
              std::max(value, 0.0f) + data.operands()[1][size_t(2 * 200 + c)];
        const ReferenceElement &element = row[size_t(c)];
        EXPECT_EQ(element.value, narrow.round(value)) << epilogue << c;
        EXPECT_EQ(element.bound, FLT_MIN) << epilogue;
        cutShows += normalizedError(element, narrow.cut(value)) > 1;
      }
      // Half of the roundings go up; relu and residual leave few.
      EXPECT_GT(cutShows, 24) << narrow.types << " " << epilogue;
    }
}

TEST(NarrowOracleTest, NarrowResultsOfSumsInF32KeepTheBound) {
  for (const Narrow &narrow : kNarrow)
    for (int64_t k : {1, 2, 33, 768, 5000}) {
      const std::string depth = std::to_string(k);
      const std::string shape = "4x" + depth + ":" + depth + "x200 ";
      for (const char *epilogue : {"bias", "bias+gelu_erf"}) {
        const Problem problem = narrowProblem(shape + epilogue, narrow.types);
        auto oracle = oracleOf(problem);
        TestData data(problem, 4, Fill::gaussian, 10);
        std::vector<ReferenceElement> row;
        for (int64_t m = 0; m < 4; ++m) {
          oracle->evaluateRow(data.inputs(), m, false, row);
          for (int64_t c = 0; c < 200; ++c) {
            float t = floatSum(data, k, m, c) + data.operands()[0][size_t(c)];
            if (epilogue != std::string("bias"))
              t = t * 0.5f * (1 + std::erf(t * float(std::numbers::sqrt2 / 2)));
            EXPECT_LE(normalizedError(row[size_t(c)], narrow.round(t)), 1)
                << narrow.types << " " << epilogue << k << " " << c;
          }
        }
      }
    }
}

/// What a kernel computes whose runs are summed in f16.
float sumInRuns(const TestData &data, int64_t depth, int64_t m, int64_t n,
                int64_t run) {
  float sum = 0;
  for (int64_t first = 0; first < depth; first += run) {
    float half = 0;
    for (int64_t k = first; k < std::min(depth, first + run); ++k)
      half = roundToF16(float(double(data.x()[size_t(m * depth + k)]) *
                                  data.w()[size_t(n * depth + k)] +
                              half));
    sum += half;
  }
  return sum;
}

TEST(NarrowOracleTest, SumsOfF16InRunsKeepTheirBoundAndNoOther) {
  const auto worst = [](const char *types, int64_t k, int64_t run) {
    const std::string depth = std::to_string(k);
    const Problem problem =
        narrowProblem("4x" + depth + ":" + depth + "x200", types);
    auto oracle = oracleOf(problem);
    TestData data(problem, 4, Fill::gaussian, 12);
    std::vector<ReferenceElement> row;
    double error = 0;
    for (int64_t m = 0; m < 4; ++m) {
      oracle->evaluateRow(data.inputs(), m, false, row);
      for (int64_t c = 0; c < 200; ++c)
        error = std::max(error, normalizedError(row[size_t(c)],
                                                sumInRuns(data, k, m, c, run)));
    }
    return error;
  };
  for (int64_t k : {1, 2, 63, 64, 65, 768, 5000})
    EXPECT_LE(worst("f16:f32,accumulate=f16", k, kHalfRun), 1) << k;
  // Who was not asked may not do so.
  EXPECT_GT(worst("f16:f32", 64, kHalfRun), 1);
}

/// A sum of two products in f16: no more roundings than that.
TEST(NarrowOracleTest, BoundsOfSumsOfF16CountTheProductsOfShortRuns) {
  const auto elementOf = [](float x, float w) {
    const Problem problem = narrowProblem("1x2:2x1", "f16:f32,accumulate=f16");
    const std::vector<Float16> row(2, narrowTo<Float16>(x)),
        column(2, narrowTo<Float16>(w));
    std::vector<ReferenceElement> element;
    oracleOf(problem)->evaluateElement(
        {1, {row.data(), 2}, {column.data(), 2}, {}}, 0, 0, false, element);
    return element[0];
  };
  constexpr double kUnit = 0x1p-11, kEps = 0x1p-23;
  const double ofSum = (2 * kUnit / (1 - 2 * kUnit) + 2 * kEps) * 2 * 3 * 5;
  EXPECT_NEAR(elementOf(3, 5).bound, ofSum, 1e-2 * ofSum);
  // Each of 2^-26 is less than half of f16's least number, 2^-24.
  const ReferenceElement tiny = elementOf(0x1p-13f, 0x1p-13f);
  EXPECT_EQ(tiny.value, 0x1p-25);
  EXPECT_LE(normalizedError(tiny, 0), 1);
  EXPECT_NEAR(tiny.bound, 2 * 0x1p-24, 1e-2 * 0x1p-23);
}

/// An infinity in f16 that f32 has a number for.
TEST(NarrowOracleTest, NothingIsKnownWhereSumsOfF16MayOverflow) {
  const auto boundOf = [](const std::string &text, float x) {
    const Problem problem = narrowProblem(text, "f16:f32,accumulate=f16");
    const std::vector<Float16> row(2, narrowTo<Float16>(x)),
        column = {narrowTo<Float16>(300), narrowTo<Float16>(-300)};
    LinearInputs inputs{1, {row.data(), 2}, {column.data(), 2}, {}};
    std::vector<ReferenceElement> element;
    oracleOf(problem)->evaluateElement(inputs, 0, 0, false, element);
    return element[0].bound;
  };
  EXPECT_EQ(boundOf("1x1:1x1", 300), kInfiniteError);
  // Of partial sums, too, and whatever becomes of the sum.
  for (const char *epilogue : {"clamp(-1,1)", "sigmoid", "tanh"})
    EXPECT_EQ(boundOf(std::string("1x2:2x1 ") + epilogue, 110), kInfiniteError)
        << epilogue;
  EXPECT_TRUE(std::isfinite(boundOf("1x2:2x1", 100)));
  EXPECT_TRUE(std::isfinite(boundOf("1x1:1x1", 200)));
}

/// 2^11 ones and another is 2^11 in f16.
TEST(NarrowOracleTest, LongerRunsOfF16AreRefused) {
  const int64_t k = 1 << 14;
  const Problem problem =
      narrowProblem("1x16384:16384x1", "f16:f32,accumulate=f16");
  std::vector<Float16> ones(size_t(k), narrowTo<Float16>(1));
  LinearInputs inputs{1, {ones.data(), k}, {ones.data(), k}, {}};
  std::vector<ReferenceElement> element;
  oracleOf(problem)->evaluateElement(inputs, 0, 0, false, element);
  EXPECT_EQ(element[0].value, double(k));
  EXPECT_EQ(normalizedError(element[0], double(k)), 0);
  EXPECT_GT(normalizedError(element[0], 0x1p11), 1);
}

TEST(NarrowOracleTest, BoundsOfNarrowResultsAreAboutHalfALastPlace) {
  for (const Narrow &narrow : kNarrow) {
    const Problem problem = narrowProblem("1x64:64x200 bias", narrow.types);
    auto oracle = oracleOf(problem);
    TestData data(problem, 1, Fill::gaussian, 11);
    std::vector<ReferenceElement> row;
    oracle->evaluateRow(data.inputs(), 0, false, row);
    const double epsilon =
        problem.types().result == DType::bf16 ? 0x1p-7 : 0x1p-10;
    for (const ReferenceElement &element : row)
      if (std::abs(element.value) > 0.5)
        EXPECT_LE(element.bound, 0.75 * epsilon * std::abs(element.value));
  }
}

/// The sum is negative, which relu turns into a zero without doubt; a kernel
/// whose sum is positive by its rounding errors gives a number that it rounds.
TEST(NarrowOracleTest, BoundsHoldWhereOnlyTheDoubtIsRounded) {
  constexpr int64_t depth = 257;
  const Problem problem = narrowProblem("1x257:257x1 tanh+relu", "bf16");
  auto oracle = oracleOf(problem);
  for (int step = 1; step < 100; ++step) {
    std::vector<BFloat16> x(depth, narrowTo<BFloat16>(1)), w(depth);
    for (size_t k = 0; k < depth; ++k)
      w[k] = narrowTo<BFloat16>(k % 2 == 0 ? 1.0f : -1.0f);
    x[0] = narrowTo<BFloat16>(float(-step) * 0x1p-14f);
    const double sum = widen(x[0]);
    const double doubt = depth * 0x1p-23 * (256 - sum);
    std::vector<ReferenceElement> row;
    oracle->evaluateRow({1, {x.data(), depth}, {w.data(), depth}, {}}, 0, false,
                        row);
    EXPECT_EQ(row[0].value, 0);
    const float kernel = roundToBf16(float(std::tanh(sum + doubt)));
    EXPECT_GT(kernel, 0);
    EXPECT_LE(normalizedError(row[0], kernel), 1) << step;
  }
}

} // namespace
