// How far a result is from what is right, in units of what is allowed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reference/Oracle.h"

#include <cfloat>
#include <gtest/gtest.h>
#include <limits>

using namespace lintel;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(NormalizedErrorTest, IsTheDistanceOverTheBound) {
  EXPECT_EQ(normalizedError({1, 0.5}, 1.25), 0.5);
  EXPECT_EQ(normalizedError({1, 0.5}, 0), 2);
  EXPECT_EQ(normalizedError({1, 0}, 1), 0);
  EXPECT_EQ(normalizedError({1, 0}, 2), kInf);
  EXPECT_EQ(normalizedError({1, kInf}, 2), 0);
}

TEST(NormalizedErrorTest, InfinitiesAndNaNMustMatch) {
  EXPECT_EQ(normalizedError({kInf, 1}, kInf), 0);
  EXPECT_EQ(normalizedError({-kInf, 1}, -kInf), 0);
  EXPECT_EQ(normalizedError({kInf, 1}, -kInf), kInf);
  EXPECT_EQ(normalizedError({kInf, 1}, FLT_MAX), kInf);
  EXPECT_EQ(normalizedError({1, 1}, kInf), kInf);
  EXPECT_EQ(normalizedError({kNaN, 1}, kNaN), 0);
  EXPECT_EQ(normalizedError({kNaN, 1}, 1), kInf);
  EXPECT_EQ(normalizedError({1, 1}, kNaN), kInf);
}

TEST(NormalizedErrorTest, AnInfiniteBoundLetsAnythingPass) {
  for (double actual : {0.0, kInf, -kInf, kNaN}) {
    EXPECT_EQ(normalizedError({1, kInf}, actual), 0);
    EXPECT_EQ(normalizedError({kNaN, kInf}, actual), 0);
    EXPECT_EQ(normalizedError({kInf, kInf}, actual), 0);
  }
}

} // namespace
