// Dot products against plain loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/RowProduct.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

using namespace lintel;

namespace {

/// (columns, depth): around the four rows that share a pass and the vector
/// lengths.
class RowProductTest : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(RowProductTest, AgreesWithPlainLoops) {
  auto [columns, depth] = GetParam();
  const int64_t ldw = depth + 3;
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> x(depth), w(columns * ldw);
  for (float &v : x)
    v = normal(random);
  for (float &v : w)
    v = normal(random);
  // One more, to see that nothing is written beyond the last column.
  std::vector<double> products(columns + 1, -1), magnitudes(columns + 1, -1);
  const Rows rows = {DType::f32, DType::f32, x.data(), w.data(), ldw};
  rowProducts(rows, columns, depth, products.data());
  rowMagnitudes(rows, columns, depth, magnitudes.data());
  for (int n = 0; n < columns; ++n) {
    double product = 0, magnitude = 0;
    for (int k = 0; k < depth; ++k) {
      product += double(x[k]) * w[n * ldw + k];
      magnitude += std::abs(double(x[k]) * w[n * ldw + k]);
    }
    EXPECT_NEAR(products[n], product, 1e-14 * magnitude) << n;
    EXPECT_NEAR(magnitudes[n], magnitude, 1e-14 * magnitude) << n;
  }
  EXPECT_EQ(products[columns], -1);
  EXPECT_EQ(magnitudes[columns], -1);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RowProductTest,
                         testing::Combine(testing::Values(0, 1, 3, 4, 5, 8, 13),
                                          testing::Values(0, 1, 2, 7, 8, 9, 31,
                                                          32, 33, 257)));

TEST(RowProductTest, InfinityAndNaNPassThrough) {
  float x[] = {1, INFINITY}, w[] = {1, 1, 1, -1, 1, 0};
  double products[3];
  rowProducts({DType::f32, DType::f32, x, w, 2}, 3, 2, products);
  EXPECT_EQ(products[0], INFINITY);
  EXPECT_EQ(products[1], -INFINITY);
  EXPECT_TRUE(std::isnan(products[2]));
}

/// Of x of `X` and w of s8, both at the ends of their ranges too.
template <class X> void checkIntegers(DType activation) {
  std::mt19937 random(9);
  std::uniform_int_distribution<int> any(-128, 127);
  for (int columns : {1, 4, 7})
    for (int depth : {0, 1, 31, 67}) {
      const int64_t ldw = depth + 3;
      std::vector<X> x(depth);
      std::vector<int8_t> w(columns * ldw);
      for (X &v : x)
        v = static_cast<X>(any(random));
      for (int8_t &v : w)
        v = static_cast<int8_t>(any(random));
      if (depth > 0)
        x[0] = std::numeric_limits<X>::max(), w[0] = -128;
      const Rows rows = {activation, DType::s8, x.data(), w.data(), ldw};
      std::vector<double> products(columns), sums(columns);
      rowProducts(rows, columns, depth, products.data());
      columnSums(rows, columns, depth, sums.data());
      int64_t ofX = 0;
      for (int k = 0; k < depth; ++k)
        ofX += x[k];
      EXPECT_EQ(rowSum(rows, depth), ofX);
      for (int n = 0; n < columns; ++n) {
        int64_t product = 0, sum = 0;
        for (int k = 0; k < depth; ++k) {
          product += int64_t(x[k]) * w[n * ldw + k];
          sum += w[n * ldw + k];
        }
        EXPECT_EQ(products[n], double(product));
        EXPECT_EQ(sums[n], double(sum));
      }
    }
}

TEST(RowProductTest, IntegersAreExact) {
  checkIntegers<uint8_t>(DType::u8);
  checkIntegers<int8_t>(DType::s8);
}

TEST(RowProductTest, TheLargestSumsOfIntegersFit) {
  const std::vector<int8_t> least(131071, -128);
  double product = 0;
  rowProducts({DType::s8, DType::s8, least.data(), least.data(), 0}, 1, 131071,
              &product);
  EXPECT_EQ(product, 131071.0 * 16384);
}

} // namespace
