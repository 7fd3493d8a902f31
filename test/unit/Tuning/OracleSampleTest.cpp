// Which elements the oracle is asked about.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"

#include "Tuning/OracleSample.h"

#include <gmock/gmock.h>
#include <set>

using namespace lintel;

namespace {

OracleSample sampleOf(std::string_view text, int64_t rows, size_t workers) {
  const Problem problem = problemOf(text);
  const TestData data(problem, rows, Fill::exact, 1);
  return OracleSample::evaluate(*Oracle::create(problem).value(), data, problem,
                                rows, workers);
}

TEST(OracleSample, OfASmallProblemIsComplete) {
  const OracleSample sample = sampleOf("20x30:30x40 bias+relu", 20, 3);
  EXPECT_TRUE(sample.complete());
  ASSERT_EQ(sample.segments().size(), 20u);
  for (int64_t row = 0; row < 20; ++row) {
    EXPECT_EQ(sample.segments()[row].first.row, row);
    EXPECT_EQ(sample.segments()[row].columns, 40);
    EXPECT_EQ(sample.segments()[row].expected.size(), 40u);
  }
  EXPECT_GT(sample.largestValue(), 0);
  EXPECT_GT(sample.largestBound(), 0);
}

TEST(OracleSample, OfALargeProblemHasTheEdgesAndOthers) {
  const OracleSample sample = sampleOf("20000x64:64x1000", 20000, 2);
  EXPECT_FALSE(sample.complete());
  std::set<int64_t> rows, touched;
  for (const SampledSegment &segment : sample.segments()) {
    touched.insert(segment.first.row);
    if (segment.columns == 1000)
      EXPECT_TRUE(rows.insert(segment.first.row).second) << "twice";
    else
      EXPECT_EQ(segment.columns, 16);
  }
  for (int64_t row = 0; row < 28; ++row)
    EXPECT_TRUE(rows.contains(row));
  EXPECT_TRUE(rows.contains(19999));
  EXPECT_GT(rows.size(), 200u);
  EXPECT_GT(touched.size(), 5000u);
}

/// Those of silu are relative to its values.
TEST(OracleSample, KnowsTheBoundsOfSmallValues) {
  const OracleSample sample = sampleOf("500x8:8x1000 silu", 500, 2);
  const double all = sample.largestBound();
  EXPECT_EQ(sample.largestBoundUpTo(sample.largestValue()), all);
  EXPECT_EQ(sample.largestBoundUpTo(1e300), all);
  EXPECT_LT(sample.largestBoundUpTo(1e-3), all / 100);
  EXPECT_GE(sample.largestBoundUpTo(1e-3), sample.largestBoundUpTo(0));
  double largest = 0;
  for (const SampledSegment &segment : sample.segments())
    for (const ReferenceElement &element : segment.expected)
      if (std::abs(element.value) < 2)
        largest = std::max(largest, element.bound);
  EXPECT_EQ(sample.largestBoundUpTo(1), largest);
  EXPECT_EQ(sample.largestBoundUpTo(1.999), largest);
}

/// True if some element of the rectangle is sampled.
bool meets(const OracleSample &sample, int64_t row, int64_t rows,
           int64_t column, int64_t columns) {
  return std::any_of(sample.segments().begin(), sample.segments().end(),
                     [&](const SampledSegment &segment) {
                       return segment.first.row >= row &&
                              segment.first.row < row + rows &&
                              segment.first.column < column + columns &&
                              segment.first.column + segment.columns > column;
                     });
}

TEST(OracleSample, MeetsEveryTileOfAMiddlingProblem) {
  const OracleSample sample = sampleOf("128x768:768x3072", 128, 2);
  EXPECT_FALSE(sample.complete());
  for (int64_t row = 0; row < 128; row += 8)
    for (int64_t column = 0; column < 3072; column += 48)
      EXPECT_TRUE(meets(sample, row, 8, column, 48)) << row << " " << column;
}

/// The first tile may have 48 rows.
TEST(OracleSample, HasBothEndsOfEachRowOfTheFirstTile) {
  const OracleSample sample = sampleOf("200x4096:4096x4096", 200, 2);
  EXPECT_FALSE(sample.complete());
  for (int64_t row = 0; row < 48; ++row)
    for (int64_t column : {0, 4095})
      EXPECT_TRUE(meets(sample, row, 1, column, 1)) << row << " " << column;
}

TEST(OracleSample, OfARowTooLongHasSegmentsEverywhere) {
  const OracleSample sample = sampleOf("3x20000:20000x25000", 3, 2);
  EXPECT_FALSE(sample.complete());
  for (const SampledSegment &segment : sample.segments()) {
    ASSERT_EQ(segment.columns, 16);
    ASSERT_EQ(segment.expected.size(), 16u);
  }
  for (int64_t row : {0, 1, 2})
    for (int64_t column : {0, 15, 24999, 24984})
      EXPECT_TRUE(meets(sample, row, 1, column, 1)) << row << " " << column;
  EXPECT_TRUE(meets(sample, 0, 3, 1000, 23000));
}

TEST(OracleSample, HasTheCornersWhateverItCosts) {
  const OracleSample sample = sampleOf("5x4000000:4000000x9", 5, 2);
  EXPECT_FALSE(sample.complete());
  for (int64_t row : {0, 4})
    for (int64_t column : {0, 8})
      EXPECT_TRUE(meets(sample, row, 1, column, 1));
  EXPECT_LE(sample.segments().size(), 8u);
}

TEST(OracleSample, DoesNotDependOnTheWorkers) {
  const OracleSample one = sampleOf("50x30:30x40 gelu_erf", 50, 1);
  const OracleSample four = sampleOf("50x30:30x40 gelu_erf", 50, 4);
  ASSERT_EQ(one.segments().size(), four.segments().size());
  for (size_t i = 0; i < one.segments().size(); ++i)
    for (size_t j = 0; j < one.segments()[i].expected.size(); ++j) {
      EXPECT_EQ(one.segments()[i].expected[j].value,
                four.segments()[i].expected[j].value);
      EXPECT_EQ(one.segments()[i].expected[j].bound,
                four.segments()[i].expected[j].bound);
    }
}

} // namespace
