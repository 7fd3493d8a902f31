// Error codes, element types, broadcasts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/Broadcast.h"
#include "lintel/DType.h"
#include "lintel/Error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

using namespace lintel;
using testing::HasSubstr;

TEST(ErrorTest, CodesHaveDistinctNames) {
  std::set<std::string_view> names;
  for (int code = int(ErrorCode::invalidArgument);
       code <= int(ErrorCode::internal); ++code)
    names.insert(toString(ErrorCode(code)));
  EXPECT_EQ(names.size(), 9u);
  EXPECT_FALSE(names.contains("unknown"));
  EXPECT_EQ(toString(ErrorCode::corrupt), "corrupt");
}

TEST(ErrorTest, InPutsThePlaceFirst) {
  Error error = Error(ErrorCode::io, "no space left").in("cache");
  EXPECT_EQ(error.message(), "cache: no space left");
  EXPECT_EQ(error.code(), ErrorCode::io);
}

TEST(DTypeTest, NamesRoundTrip) {
  EXPECT_EQ(toString(DType::f32), "f32");
  EXPECT_EQ(byteSize(DType::f32), 4u);
  Expected<DType> parsed = parseDType("f32");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*parsed, DType::f32);
}

TEST(DTypeTest, UnknownNameIsRefusedWithTheKnownOnes) {
  Expected<DType> parsed = parseDType("f64");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code(), ErrorCode::invalidArgument);
  EXPECT_EQ(parsed.error().message(),
            "unknown element type \"f64\"; known: f32");
}

TEST(BroadcastTest, NamesRoundTrip) {
  for (Broadcast broadcast : {Broadcast::scalar, Broadcast::column,
                              Broadcast::row, Broadcast::full}) {
    Expected<Broadcast> parsed = parseBroadcast(toString(broadcast));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, broadcast);
  }
}

TEST(BroadcastTest, UnknownNameIsRefusedWithTheKnownOnes) {
  Expected<Broadcast> parsed = parseBroadcast("col");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code(), ErrorCode::invalidArgument);
  EXPECT_THAT(parsed.error().message(), HasSubstr("scalar, column, row, full"));
}
