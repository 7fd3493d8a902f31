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

TEST(OracleSample, OfTheLayersOfBertIsComplete) {
  // 128 rows of the largest layer; the data itself is not needed here.
  EXPECT_TRUE(sampleOf("128x768:768x3072", 128, 2).complete());
}

TEST(OracleSample, OfALargeProblemHasTheEdgesAndOthers) {
  const OracleSample sample = sampleOf("20000x64:64x1000", 20000, 2);
  EXPECT_FALSE(sample.complete());
  std::set<int64_t> rows;
  for (const SampledSegment &segment : sample.segments()) {
    EXPECT_EQ(segment.columns, 1000);
    EXPECT_TRUE(rows.insert(segment.first.row).second) << "twice";
  }
  for (int64_t row = 0; row < 28; ++row)
    EXPECT_TRUE(rows.contains(row));
  EXPECT_TRUE(rows.contains(19999));
  EXPECT_GT(rows.size(), 500u);
}

TEST(OracleSample, OfARowTooLongHasElementsEverywhere) {
  const OracleSample sample = sampleOf("3x20000:20000x25000", 3, 2);
  EXPECT_FALSE(sample.complete());
  std::set<std::pair<int64_t, int64_t>> positions;
  bool middle = false;
  for (const SampledSegment &segment : sample.segments()) {
    ASSERT_EQ(segment.columns, 1);
    ASSERT_EQ(segment.expected.size(), 1u);
    positions.insert({segment.first.row, segment.first.column});
    middle |= segment.first.column > 1000 && segment.first.column < 24000;
  }
  for (int64_t row : {0, 2})
    for (int64_t column : {0, 1, 63, 24999, 24998})
      EXPECT_TRUE(positions.contains({row, column})) << row << " " << column;
  EXPECT_TRUE(middle);
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
