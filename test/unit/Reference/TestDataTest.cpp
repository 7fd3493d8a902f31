// Test data: exact sums really are, and what they look like.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/TestData.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

using namespace lintel;

namespace {

Problem shapeOf(int64_t m, int64_t k, int64_t n, std::string epilogue = "none",
                std::string_view types = "f32") {
  std::string depth = std::to_string(k);
  Expected<Problem> problem =
      Problem::parse(std::to_string(m) + "x" + depth + ":" + depth + "x" +
                         std::to_string(n) + " " + epilogue,
                     DataTypes::parse(types).value());
  EXPECT_TRUE(problem) << problem.error().message();
  return *problem;
}

double deviation(const std::vector<float> &values) {
  double squares = 0;
  for (float v : values)
    squares += double(v) * v;
  return std::sqrt(squares / double(values.size()));
}

/// Sums the products of row m of x and row n of w in f32, in the order of
/// `indices`.
float floatSum(const TestData &data, int64_t m, int64_t n,
               const std::vector<int64_t> &indices) {
  auto depth = int64_t(indices.size());
  float sum = 0;
  for (int64_t k : indices)
    sum += data.x()[size_t(m * depth + k)] * data.w()[size_t(n * depth + k)];
  return sum;
}

double trueSum(const TestData &data, int64_t m, int64_t n, int64_t depth) {
  double sum = 0;
  for (int64_t k = 0; k < depth; ++k)
    sum += double(data.x()[size_t(m * depth + k)]) *
           data.w()[size_t(n * depth + k)];
  return sum;
}

/// The largest power of two that divides `value`.
double unitOf(double value) {
  int exponent = 0;
  auto integer = int64_t(std::ldexp(std::frexp(value, &exponent), 53));
  return std::ldexp(double(integer & -integer), exponent - 53);
}

class ExactDataTest
    : public testing::TestWithParam<std::tuple<int64_t, const char *>> {
protected:
  int64_t depth = std::get<0>(GetParam());
  Problem shape(int64_t m, int64_t n) {
    return shapeOf(m, depth, n, "none", std::get<1>(GetParam()));
  }
};

TEST_P(ExactDataTest, SumsAreTheSameInAnyOrder) {
  // The deepest takes a second for each of its sums.
  const int64_t side = depth > int64_t(1) << 21 ? 1 : 2;
  TestData data(shape(side, side), side, Fill::exact, 1);
  EXPECT_TRUE(data.exactSums());
  std::vector<int64_t> forward(depth), backward(depth), positiveFirst(depth);
  std::iota(forward.begin(), forward.end(), 0);
  std::copy(forward.rbegin(), forward.rend(), backward.begin());
  for (int64_t m = 0; m < side; ++m)
    for (int64_t n = 0; n < side; ++n) {
      double sum = trueSum(data, m, n, depth);
      EXPECT_EQ(floatSum(data, m, n, forward), sum);
      EXPECT_EQ(floatSum(data, m, n, backward), sum);
      // The order with the largest partial sums there can be.
      positiveFirst = forward;
      std::partition(positiveFirst.begin(), positiveFirst.end(),
                     [&](int64_t k) {
                       return data.x()[size_t(m * depth + k)] *
                                  data.w()[size_t(n * depth + k)] >
                              0;
                     });
      EXPECT_EQ(floatSum(data, m, n, positiveFirst), sum);
    }
}

TEST_P(ExactDataTest, NoSetOfTermsCanRound) {
  TestData data(shape(1, 1), 1, Fill::exact, 2);
  double largest = 0, unit = INFINITY;
  for (size_t k = 0; k < size_t(depth); ++k) {
    double product = std::abs(double(data.x()[k]) * data.w()[k]);
    largest += product;
    if (product != 0)
      unit = std::min(unit, unitOf(product));
  }
  EXPECT_LE(largest / unit, 0x1p23);
  int exponent = 0;
  std::frexp(largest, &exponent);
  // 1 is a multiple of eps for the largest sum, so operands of 1/8 add exactly.
  EXPECT_LT(exponent, 24 - 3);
}

/// A kernel may take what is smaller for zero.
TEST_P(ExactDataTest, FactorsAreNormalInTheirType) {
  TestData data(shape(1, 1), 1, Fill::exact, 2);
  for (float v : data.w().floats())
    if (v != 0)
      EXPECT_GE(std::abs(v), 0x1p-14f);
  for (float v : data.x().floats())
    EXPECT_GE(std::abs(v), 0x1p-14f);
}

INSTANTIATE_TEST_SUITE_P(
    Depths, ExactDataTest,
    testing::Combine(
        testing::Values(1, 2, 3, 16, 17, 768, 4096, 262144, (1 << 19),
                        (1 << 19) + 1, 3 * (1 << 19) + 5, (1 << 24) + 3),
        testing::Values("f32", "bf16", "f16:f32", "f16:f32,accumulate=f16")));

/// However x lies: an x of s8 counts as x + 128.
TEST(TestDataTest, NoPairOfProductsLeavesS16WhereSumsMayBeOfIt) {
  for (const char *types : {"u8s8,accumulate=s16", "s8s8,accumulate=s16"}) {
    TestData data(shapeOf(1, 4096, 3, "none", types), 1, Fill::exact, 6);
    const std::vector<float> weights = data.w().floats();
    EXPECT_EQ(*std::ranges::min_element(weights), -64);
    EXPECT_EQ(*std::ranges::max_element(weights), 63);
  }
}

/// Of runs of K, as kernels sum them that may do so.
TEST(TestDataTest, ExactSumsOfF16AreExactInRuns) {
  for (int64_t depth : {64, 768, 4096, 131072, 262144}) {
    TestData data(shapeOf(1, depth, 1, "none", "f16:f32,accumulate=f16"), 1,
                  Fill::exact, 6);
    for (int64_t first = 0; first < depth; first += kHalfRun) {
      double largest = 0, unit = INFINITY;
      for (int64_t k = first; k < first + kHalfRun; ++k) {
        const double product =
            std::abs(double(data.x()[size_t(k)]) * data.w()[size_t(k)]);
        if (product == 0)
          continue;
        largest += product;
        unit = std::min(unit, unitOf(product));
      }
      ASSERT_LE(largest / unit, 0x1p11) << depth;
      ASSERT_GE(unit, 0x1p-24) << "not even denormal in f16";
    }
  }
}

TEST(TestDataTest, ExactSumsAreOfMagnitudeOne) {
  for (const char *types : {"f32", "bf16", "f16"})
    for (int64_t depth : {1, 2, 5, 64, 768, 3072}) {
      TestData data(shapeOf(64, depth, 64, "none", types), 64, Fill::exact, 3);
      std::vector<float> sums;
      for (int64_t m = 0; m < 64; ++m)
        for (int64_t n = 0; n < 64; ++n)
          sums.push_back(float(trueSum(data, m, n, depth)));
      EXPECT_GT(deviation(sums), 0.5) << depth;
      EXPECT_LT(deviation(sums), 2) << depth;
    }
}

/// All bits of a factor are in use but the last that bf16 has.
TEST(TestDataTest, ExactFactorsOfNarrowTypesAreOfSevenBits) {
  const TestData data(shapeOf(8, 64, 8, "none", "bf16"), 8, Fill::exact, 3);
  for (const TypedTensor *tensor : {&data.x(), &data.w()}) {
    double largest = 0;
    for (float v : tensor->floats())
      largest = std::max(largest, std::abs(v) / unitOf(v));
    EXPECT_GE(largest, 64);
    EXPECT_LT(largest, 128);
  }
}

/// Else a kernel that takes one part of a split f16 for the other would pass:
/// equal ones are all that a factor of eight bits has.
TEST(TestDataTest, ExactF16HaveMoreBitsThanBf16OnEitherSide) {
  const auto bitsOf = [](double value) {
    return value == 0 ? 0 : std::ilogb(std::abs(value) / unitOf(value)) + 1;
  };
  for (int64_t depth : {32, 64, 100, 768, 1024, 1025, 4096, 20000}) {
    const TestData data(shapeOf(4, depth, 16, "none", "f16"), 4, Fill::exact,
                        3);
    int longOfX = 0, longOfW = 0;
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t n = 0; n < 16; ++n) {
        const int ofX = bitsOf(data.x()[size_t(k)]);
        const int ofW = bitsOf(data.w()[size_t(n * depth + k)]);
        longOfX += ofX > 8 && ofW > 0;
        longOfW += ofW > 8;
        ASSERT_LE(std::max(ofX, ofW), 11);
      }
    const int64_t products = 16 * std::min<int64_t>(depth, 1024);
    EXPECT_GT(longOfX, products / 8) << depth;
    EXPECT_GT(longOfW, products / 8) << depth;
  }
}

/// Parts of f16 are of two bits less than their product.
TEST(TestDataTest, ExactSumsOfF16LeaveTwoBitsToParts) {
  for (int64_t depth : {1, 16, 64, 1024, 1025, 2047, 4096, 131073}) {
    const TestData data(shapeOf(1, depth, 1, "none", "f16"), 1, Fill::exact, 4);
    double largest = 0, unit = INFINITY;
    for (size_t k = 0; k < size_t(depth); ++k) {
      const double product = std::abs(double(data.x()[k]) * data.w()[k]);
      largest += product;
      if (product != 0)
        unit = std::min(unit, unitOf(product));
    }
    EXPECT_LE(largest / unit, 0x1p21) << depth;
  }
}

/// Else a kernel that cuts bits off instead of rounding them would pass.
TEST(TestDataTest, ExactSumsOfNarrowFactorsHaveMoreBitsThanTheirType) {
  for (const char *types : {"bf16", "f16"})
    for (int64_t depth : {64, 768, 3072}) {
      TestData data(shapeOf(8, depth, 8, "none", types), 8, Fill::exact, 3);
      int rounded = 0;
      for (int64_t m = 0; m < 8; ++m)
        for (int64_t n = 0; n < 8; ++n) {
          const auto sum = float(trueSum(data, m, n, depth));
          rounded += withElement(data.x().dtype(), [&](auto element) {
            return widen(narrowTo<decltype(element)>(sum)) != sum;
          });
        }
      EXPECT_GT(rounded, 32) << types << " " << depth;
    }
}

TEST(TestDataTest, TensorsHaveTheTypesOfTheProblem) {
  const Problem problem = shapeOf(7, 33, 17, "bias+residual", "bf16");
  for (Fill fill : {Fill::exact, Fill::gaussian}) {
    TestData data(problem, 7, fill, 3);
    EXPECT_EQ(data.x().dtype(), DType::bf16);
    EXPECT_EQ(data.w().dtype(), DType::bf16);
    EXPECT_EQ(data.operands()[1].dtype(), DType::bf16);
    EXPECT_EQ(data.w().size(), 17u * 33u);
  }
}

TEST(TestDataTest, GaussianDataIsRoundedToItsType) {
  TestData wide(shapeOf(64, 512, 64, "none"), 64, Fill::gaussian, 6);
  for (const char *types : {"bf16", "f16"}) {
    TestData data(shapeOf(64, 512, 64, "none", types), 64, Fill::gaussian, 6);
    EXPECT_NEAR(deviation(data.w().floats()), 1 / std::sqrt(512.0), 0.001);
    withElement(data.x().dtype(), [&](auto element) {
      for (size_t i = 0; i < data.x().size(); ++i)
        ASSERT_EQ(data.x()[i], widen(narrowTo<decltype(element)>(wide.x()[i])));
    });
  }
}

TEST(TestDataTest, ExactFactorsAreNeverZeroWhereTheyNeedNotBe) {
  TestData data(shapeOf(8, 1000, 8), 8, Fill::exact, 4);
  const std::vector<float> x = data.x().floats();
  for (float v : x)
    EXPECT_NE(v, 0);
  for (float v : data.w().floats())
    EXPECT_NE(v, 0);
  EXPECT_EQ(std::set<float>(x.begin(), x.end()).size(), 8u);
}

TEST(TestDataTest, ExactOperandsAreEighths) {
  TestData data(shapeOf(8, 4, 64, "bias+residual"), 8, Fill::exact, 5);
  for (const TypedTensor &operand : data.operands())
    for (float v : operand.floats()) {
      EXPECT_EQ(v * 8, std::round(v * 8));
      EXPECT_LE(std::abs(v), 1);
    }
}

TEST(TestDataTest, GaussianSumsAreOfMagnitudeOne) {
  TestData data(shapeOf(512, 512, 256, "residual"), 512, Fill::gaussian, 6);
  EXPECT_FALSE(data.exactSums());
  const std::vector<float> x = data.x().floats();
  EXPECT_NEAR(deviation(x), 1, 0.01);
  EXPECT_NEAR(deviation(data.w().floats()), 1 / std::sqrt(512.0), 0.001);
  EXPECT_NEAR(deviation(data.operands()[0].floats()), 1, 0.02);
  double mean = std::accumulate(x.begin(), x.end(), 0.0) / double(x.size());
  EXPECT_NEAR(mean, 0, 0.01);
  // A share of 31.7 % lies beyond one deviation, if the distribution is normal.
  double beyond = double(std::count_if(
      x.begin(), x.end(), [](float v) { return std::abs(v) > 1; }));
  EXPECT_NEAR(beyond / double(x.size()), 0.3173, 0.01);
}

TEST(TestDataTest, TheSeedDecides) {
  for (Fill fill : {Fill::exact, Fill::gaussian}) {
    Problem problem = shapeOf(7, 33, 17, "bias+residual");
    TestData one(problem, 7, fill, 11), same(problem, 7, fill, 11),
        other(problem, 7, fill, 12);
    EXPECT_EQ(one.x(), same.x());
    EXPECT_EQ(one.w(), same.w());
    EXPECT_EQ(one.operands(), same.operands());
    EXPECT_NE(one.x(), other.x());
    EXPECT_NE(one.w(), other.w());
    EXPECT_NE(one.operands(), other.operands());
    EXPECT_NE(one.operands()[0][0], one.operands()[1][0]);
  }
}

TEST(TestDataTest, OperandsHaveTheSizesAndStridesOfTheirBroadcasts) {
  Epilogue epilogue = Epilogue::fromRegion("",
                                           {{"a", Broadcast::scalar},
                                            {"b", Broadcast::column},
                                            {"c", Broadcast::row},
                                            {"d", Broadcast::full}},
                                           1);
  Expected<Problem> problem =
      Problem::create(std::nullopt, 5, 3, DataTypes(), epilogue);
  ASSERT_TRUE(problem);
  TestData data(*problem, 4, Fill::exact, 13);
  ASSERT_EQ(data.operands().size(), 4u);
  EXPECT_EQ(data.operands()[0].size(), 1u);
  EXPECT_EQ(data.operands()[1].size(), 5u);
  EXPECT_EQ(data.operands()[2].size(), 4u);
  EXPECT_EQ(data.operands()[3].size(), 20u);
  LinearInputs inputs = data.inputs();
  EXPECT_EQ(inputs.m, 4);
  EXPECT_EQ(inputs.x.data, data.x().data());
  EXPECT_EQ(inputs.x.stride, 3);
  EXPECT_EQ(inputs.w.stride, 3);
  EXPECT_EQ(inputs.operands[2].stride, 1);
  EXPECT_EQ(inputs.operands[3].stride, 5);
  EXPECT_EQ(inputs.operands[3].data, data.operands()[3].data());
}

TEST(TestDataTest, IntegersTakeEveryValue) {
  for (const char *types : {"u8s8", "s8s8"})
    for (Fill fill : {Fill::exact, Fill::gaussian}) {
      const Problem problem = shapeOf(64, 256, 64, "none", types);
      const TestData data(problem, 64, fill, 3);
      EXPECT_EQ(data.x().dtype(), problem.types().activation);
      const std::vector<float> x = data.x().floats(), w = data.w().floats();
      EXPECT_EQ(std::set<float>(x.begin(), x.end()).size(), 256u);
      EXPECT_EQ(std::set<float>(w.begin(), w.end()).size(), 256u);
    }
}

/// So that results are about 1, in numbers, and neither all at the ends of an
/// integer's range nor all near its middle.
TEST(TestDataTest, ScalesAndZeroPointsSuitTheIntegers) {
  const Problem problem =
      shapeOf(4, 768, 64, "dequant(wzero=column)+bias", "u8s8:u8");
  const TestData data(problem, 4, Fill::exact, 3);
  const auto of = [&](std::string_view name) {
    const auto &operands = problem.epilogue().operands();
    const auto found =
        std::ranges::find(operands, name, &EpilogueOperand::name);
    return data.operands()[size_t(found - operands.begin())].floats();
  };
  for (float v : of("x_zero"))
    EXPECT_NEAR(v, 128, 8);
  for (float v : of("w_zero"))
    EXPECT_NEAR(v, 0, 8);
  for (float v : of("w_scale"))
    EXPECT_NEAR(v * of("x_scale")[0] * 74 * 74 * std::sqrt(768.0f), 1, 1.1);
  EXPECT_NEAR(of("result_scale")[0] * 64, 1, 0.5);
  EXPECT_NEAR(of("result_zero")[0], 128, 8);
  EXPECT_EQ(of("bias").size(), 64u);
}

/// Else a kernel that loses a zero point's sign would pass.
TEST(TestDataTest, ZeroPointsOfSignedIntegersHaveBothSigns) {
  const char *epilogue = "dequant(xzero=row,wzero=column)";
  const TestData data(shapeOf(64, 256, 64, epilogue, "s8s8"), 64, Fill::exact,
                      3);
  for (size_t zeroPoint : {1, 3}) { // each after its scale
    const std::vector<float> zeros = data.operands()[zeroPoint].floats();
    EXPECT_LT(std::ranges::min(zeros), 0);
    EXPECT_GT(std::ranges::max(zeros), 0);
  }
}

/// 4096 columns of f32 lie 16 KiB apart, and meet in four sets of L1; those of
/// a slice of 1000, densely packed, would meet in none.
TEST(TestDataTest, RowsOfASliceShareSetsAsOnTheWhole) {
  EXPECT_EQ(strideOfSlice(1000, 4096, DType::f32), 1024);
  EXPECT_EQ(strideOfSlice(1000, 4096, DType::bf16), 2048);
  EXPECT_EQ(strideOfSlice(1000, 4096, DType::u8), 4096);
  EXPECT_EQ(strideOfSlice(1000, 1000, DType::f32), 1000);
  EXPECT_EQ(strideOfSlice(1000, 0, DType::f32), 1000);
  const TestData data(shapeOf(3, 2, 1000, "bias+residual"), 3, Fill::exact, 1,
                      /*wholeColumns=*/4096);
  const LinearInputs inputs = data.inputs();
  EXPECT_EQ(inputs.operands[0].stride, 0);
  EXPECT_EQ(inputs.operands[1].stride, 1024);
  EXPECT_EQ(data.operands()[1].floats().size(), 3u * 1024);
}

/// More elements of w than a part has; the last part is no whole one. One w is
/// large enough for memory of its own from the system.
TEST(TestDataTest, IsTheSameHoweverItsPartsAreRun) {
  const RunParts atOnce = [](size_t parts, const auto &work) {
    std::vector<std::jthread> threads;
    while (parts > 0)
      threads.emplace_back([&work, part = --parts] { work(part); });
  };
  const auto expectSame = [&](const Problem &problem, Fill fill) {
    const TestData one(problem, 2, fill, 9), other(problem, 2, fill, 9,
                                                   /*wholeColumns=*/0, atOnce);
    EXPECT_EQ(one.x(), other.x());
    EXPECT_EQ(one.w(), other.w());
    EXPECT_EQ(one.operands(), other.operands());
    std::vector<float> drawn = one.w().floats();
    std::ranges::sort(drawn);
    EXPECT_GT(std::ranges::unique(drawn).begin() - drawn.begin(), 1);
    // What is 2^20 elements further is not the same over again.
    const std::vector<float> all = one.w().floats();
    EXPECT_FALSE(std::equal(all.begin() + (1 << 20), all.end(), all.begin()));
  };
  for (Fill fill : {Fill::exact, Fill::gaussian})
    expectSame(shapeOf(2, 1460, 1460, "bias"), fill);
  for (const char *types : {"u8s8", "u8s8,accumulate=s16"})
    expectSame(*Problem::parse("2x1031:1031x1031", *DataTypes::parse(types)),
               Fill::exact);
}

TEST(TestDataTest, SizesOfZeroAreFine) {
  for (Fill fill : {Fill::exact, Fill::gaussian}) {
    EXPECT_TRUE(TestData(shapeOf(0, 3, 4), 0, fill, 1).x().empty());
    EXPECT_TRUE(
        TestData(shapeOf(2, 3, 0, "bias"), 2, fill, 1).operands()[0].empty());
    TestData noDepth(shapeOf(2, 0, 4), 2, fill, 1);
    EXPECT_TRUE(noDepth.x().empty());
    EXPECT_TRUE(noDepth.w().empty());
  }
}

} // namespace
