// How a dynamic M is cut into buckets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/Buckets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace lintel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The buckets of a dynamic M, as they stand in problem texts.
std::vector<std::string> bucketsOf(std::vector<int64_t> rows) {
  Expected<std::vector<int64_t>> mix = makeMix(std::move(rows));
  if (!mix)
    return {mix.error().message()};
  Expected<std::vector<Problem>> buckets =
      cutIntoBuckets(*Problem::parse("?x3:3x5 relu"), *mix);
  if (!buckets)
    return {buckets.error().message()};
  std::vector<std::string> texts;
  for (const Problem &bucket : *buckets) {
    EXPECT_EQ(bucket.epilogue().text(), "relu");
    texts.push_back(bucket.rowsText());
  }
  return texts;
}

TEST(Buckets, EndAtTheNamedRows) {
  EXPECT_THAT(bucketsOf({}),
              ElementsAre("1", "2..4", "5..16", "17..64", "65..?"));
  EXPECT_THAT(bucketsOf({1, 16, 512}), ElementsAre("1", "2..16", "17..?"));
  EXPECT_THAT(bucketsOf({4, 1000}), ElementsAre("0..4", "5..?@1000"));
  EXPECT_THAT(bucketsOf({8}), ElementsAre("?@8"));
  EXPECT_THAT(bucketsOf({1}), ElementsAre("?@1"));
  EXPECT_THAT(bucketsOf({2, 3}), ElementsAre("0..2", "3..?@3"));
  EXPECT_THAT(bucketsOf({2, 3, 4}), ElementsAre("0..2", "3", "4..?@4"));
}

TEST(Buckets, AreInOrderWhateverTheOrderOfTheNames) {
  EXPECT_THAT(bucketsOf({64, 1, 64, 8, 1}),
              ElementsAre("1", "2..8", "9..?@64"));
}

/// Every number of rows is served by one bucket, the last of all included.
TEST(Buckets, CoverAllRows) {
  for (const std::vector<int64_t> &mix :
       std::vector<std::vector<int64_t>>{usualMix(),
                                         {1},
                                         {7},
                                         {RowRange::kLargest},
                                         {1, RowRange::kLargest}}) {
    int64_t next = mix.size() > 1 && mix.front() == 1 ? 1 : 0;
    for (const RowRange &range : bucketRanges(mix)) {
      EXPECT_EQ(range.least, next);
      EXPECT_TRUE(range.contains(range.typical));
      next = range.most + 1;
    }
    EXPECT_EQ(next, RowRange::kLargest + 1);
  }
}

TEST(Buckets, RefusesWhatCannotBeTunedFor) {
  EXPECT_THAT(bucketsOf({16, 0}).front(), HasSubstr("0 is no number of rows"));
  EXPECT_THAT(bucketsOf({16, -3}).front(), HasSubstr("-3 is no number"));
  EXPECT_THAT(bucketsOf({RowRange::kLargest + 1, 1}).front(),
              HasSubstr("2147483649 is no number"));
  EXPECT_THAT(bucketsOf({1, 2, 3, 4, 5, 6, 7, 8, 9}).front(),
              HasSubstr("at most 8"));
  EXPECT_EQ(bucketsOf({1, 2, 3, 4, 5, 6, 7, 8}).size(), 8u);
}

TEST(Buckets, RefusesAKnownMThatCannotExist) {
  const int64_t large = RowRange::kLargest;
  Expected<std::vector<Problem>> buckets = cutIntoBuckets(
      *Problem::parse("?x65536:65536x1"), {large - 2, large - 1, large});
  ASSERT_FALSE(buckets);
  EXPECT_THAT(buckets.error().message(), HasSubstr("?x65536:65536x1: x of"));
}

TEST(Buckets, RefusesRowsToTuneForThatCannotExist) {
  Expected<std::vector<Problem>> buckets = cutIntoBuckets(
      *Problem::parse("?x64:64x65536", *DataTypes::parse("bf16")),
      {1, RowRange::kLargest});
  ASSERT_FALSE(buckets);
  EXPECT_EQ(buckets.error().code(), ErrorCode::unsupported);
  EXPECT_THAT(buckets.error().message(),
              HasSubstr("?x64:64x65536: the output of 2147483648 x"));
}

TEST(Buckets, OnlyPlainDynamicRowsHaveThem) {
  EXPECT_TRUE(hasBuckets(*Problem::parse("?x3:3x5")));
  for (const char *text : {"1x3:3x5", "0..4x3:3x5", "5..?x3:3x5", "?@64x3:3x5"})
    EXPECT_FALSE(hasBuckets(*Problem::parse(text))) << text;
}

TEST(Buckets, WithoutAMixThereIsOne) {
  const Problem problem = *Problem::parse("5..9x3:3x5");
  Expected<std::vector<Problem>> buckets = cutIntoBuckets(problem, {});
  ASSERT_TRUE(buckets);
  EXPECT_THAT(*buckets, ElementsAre(problem));
}

} // namespace
} // namespace lintel
