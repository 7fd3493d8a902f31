// Robust statistics of a few noisy samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Statistics.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace lintel;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Statistics, MedianIsTheMiddleOrBetweenTheTwoMiddleOnes) {
  EXPECT_EQ(medianOf({}), 0);
  EXPECT_EQ(medianOf({7}), 7);
  EXPECT_EQ(medianOf({9, 1, 5}), 5);
  EXPECT_EQ(medianOf({9, 1, 5, 2}), 3.5);
  EXPECT_EQ(medianOf({1, 2, kInfinity}), 2);
  EXPECT_EQ(medianOf({1, kInfinity, kInfinity}), kInfinity);
}

TEST(Statistics, AThirdIsBelowTheLowerThird) {
  EXPECT_EQ(lowerThirdOf({}), kInfinity);
  EXPECT_EQ(lowerThirdOf({4}), 4);
  EXPECT_EQ(lowerThirdOf({4, 3}), 3);
  EXPECT_EQ(lowerThirdOf({5, 4, 3}), 3);
  EXPECT_EQ(lowerThirdOf({5, 2, 4, 3}), 3);
  EXPECT_EQ(lowerThirdOf({7, 6, 5, 4, 3, 2, 1}), 3);
}

TEST(Statistics, TheLowerMedianIsTheMiddleOrTheOneBelow) {
  EXPECT_EQ(lowerMedianOf({}), kInfinity);
  EXPECT_EQ(lowerMedianOf({4}), 4);
  EXPECT_EQ(lowerMedianOf({4, 3}), 3);
  EXPECT_EQ(lowerMedianOf({5, 4, 3}), 4);
  EXPECT_EQ(lowerMedianOf({5, 2, 4, 3}), 3);
}

TEST(Statistics, RelativeDeviationIgnoresAnOutlier) {
  EXPECT_EQ(relativeDeviationOf({}), 0);
  EXPECT_EQ(relativeDeviationOf({1, 100}), 0) << "too few samples";
  EXPECT_EQ(relativeDeviationOf({5, 5, 5}), 0);
  // Deviations of 1, 0, 1 and 90 from 10: their median is 1.
  EXPECT_DOUBLE_EQ(relativeDeviationOf({9, 10, 11, 10, 100}),
                   kDeviationsPerMad * 1 / 10);
}

TEST(Statistics, RelativeDeviationIsNoneOfTimesThatAreNone) {
  EXPECT_EQ(relativeDeviationOf({0, 0, 0}), 0);
  EXPECT_EQ(relativeDeviationOf({-1, -2, -3}), 0);
  EXPECT_EQ(relativeDeviationOf({1, kInfinity, kInfinity}), 0);
}

} // namespace
