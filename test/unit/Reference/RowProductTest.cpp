// Dot products against plain loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/RowProduct.h"

#include <cmath>
#include <gtest/gtest.h>
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
  const Rows rows = {DType::f32, x.data(), w.data(), ldw};
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
  rowProducts({DType::f32, x, w, 2}, 3, 2, products);
  EXPECT_EQ(products[0], INFINITY);
  EXPECT_EQ(products[1], -INFINITY);
  EXPECT_TRUE(std::isnan(products[2]));
}

} // namespace
