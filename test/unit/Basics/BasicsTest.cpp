// Error codes, element types, broadcasts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/Broadcast.h"
#include "lintel/DType.h"
#include "lintel/Error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>

using namespace lintel;
using testing::HasSubstr;
using testing::StartsWith;

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

TEST(DTypeTest, HaveNamesAndSizes) {
  EXPECT_EQ(toString(DType::f32), "f32");
  EXPECT_EQ(byteSize(DType::f32), 4u);
  EXPECT_EQ(byteSize(DType::bf16), 2u);
  EXPECT_EQ(byteSize(DType::f16), 2u);
  EXPECT_EQ(byteSize(DType::s8), 1u);
  EXPECT_EQ(-bytesOf(DType::bf16), -2);
}

TEST(DTypeTest, HasWhatBytesAreWidenedTo) {
  EXPECT_EQ(toString(DType::s16), "s16");
  EXPECT_EQ(byteSize(DType::s16), 2u);
}

TEST(DataTypesTest, TextRoundTripsAndLeavesTheDefaultResultOut) {
  for (const char *text : {"f32", "bf16", "bf16:f32", "f16", "f16:f32", "u8s8",
                           "u8s8:u8", "u8s8:bf16", "s8s8", "s8s8:s8"}) {
    Expected<DataTypes> types = DataTypes::parse(text);
    ASSERT_TRUE(types) << text;
    EXPECT_EQ(types->text(), text);
  }
  EXPECT_EQ(DataTypes::parse("bf16:bf16")->text(), "bf16");
  EXPECT_EQ(DataTypes::parse("u8s8:f32")->text(), "u8s8");
}

TEST(DataTypesTest, SaysWhatSumsAndOperandsAre) {
  EXPECT_EQ(DataTypes::parse("bf16")->accumulator(), DType::f32);
  EXPECT_EQ(DataTypes::parse("u8s8")->accumulator(), DType::s32);
  EXPECT_EQ(DataTypes::parse("bf16")->operand(), DType::bf16);
  EXPECT_EQ(DataTypes::parse("bf16:f32")->operand(), DType::f32);
  EXPECT_EQ(DataTypes::parse("u8s8:u8")->operand(), DType::f32);
  EXPECT_EQ(interleaveOf(DType::f32), 1);
  EXPECT_EQ(interleaveOf(DType::bf16), 2);
  EXPECT_EQ(interleaveOf(DType::f16), 1);
  EXPECT_EQ(interleaveOf(DType::s8), 4);
  EXPECT_EQ(tileInterleaveOf(DType::f32), 1);
  EXPECT_EQ(tileInterleaveOf(DType::bf16), 2);
  EXPECT_EQ(tileInterleaveOf(DType::f16), 2);
  EXPECT_EQ(tileInterleaveOf(DType::s8), 4);
  EXPECT_EQ(depthUnitOf(DType::f32), 1);
  EXPECT_EQ(depthUnitOf(DType::f16), 32);
  EXPECT_EQ(depthUnitOf(DType::bf16), 32);
  EXPECT_EQ(depthUnitOf(DType::u8), 64);
}

TEST(DataTypesTest, PackedWeightsArePaddedToUnitsAndGroups) {
  EXPECT_EQ(paddedDepthOf(DType::f32, 7, 1), 7);
  EXPECT_EQ(paddedDepthOf(DType::f32, 7, 16), 16);
  EXPECT_EQ(paddedDepthOf(DType::bf16, 33, 2), 64);
  EXPECT_EQ(paddedDepthOf(DType::s8, 1, 4), 64);
  EXPECT_EQ(paddedDepthOf(DType::s8, 65, 96), 192);
  EXPECT_EQ(paddedDepthOf(DType::s8, 1, 48), 96); // first to 64
  EXPECT_EQ(paddedDepthOf(DType::bf16, 0, 2), 0);
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(paddedDepthOf(DType::f32, kMost, 1), kMost);
  EXPECT_EQ(paddedDepthOf(DType::f32, kMost, 7), kMost); // a multiple of 7
  EXPECT_EQ(paddedDepthOf(DType::s8, kMost, 1), std::nullopt);
  EXPECT_EQ(paddedDepthOf(DType::f32, kMost, 16), std::nullopt);
}

TEST(DataTypesTest, KnowsWhatOthersCallThem) {
  EXPECT_THAT(DataTypes::parse("fp32").error().message(),
              StartsWith("unknown element types \"fp32\", which is f32 here; "
                         "supported are f32"));
  EXPECT_THAT(DataTypes::parse("Float16").error().message(),
              HasSubstr("which is f16 here"));
  EXPECT_THAT(DataTypes::parse("int8").error().message(),
              HasSubstr("which is u8s8 or s8s8 here"));
}

TEST(DataTypesTest, RefusesWithWhatIsLegal) {
  Expected<DataTypes> inputs = DataTypes::parse("s8u8");
  ASSERT_FALSE(inputs);
  EXPECT_EQ(inputs.error().message(),
            "unknown element types \"s8u8\"; supported are f32, bf16, "
            "bf16:f32, f16, f16:f32, u8s8, u8s8:bf16, u8s8:f16, u8s8:u8, "
            "u8s8:s8, s8s8, s8s8:bf16, s8s8:f16, s8s8:u8, s8s8:s8");
  Expected<DataTypes> result = DataTypes::parse("bf16:s8");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(),
            "a layer of bf16 cannot have results of \"s8\"; legal: bf16, f32");
  EXPECT_FALSE(DataTypes::parse("bf16:"));
  EXPECT_FALSE(DataTypes::parse(""));
}

TEST(DataTypesTest, NarrowSumsAreAPropertyOfLayers) {
  const struct {
    const char *text;
    DType sums, accumulator;
  } layers[] = {{"f16,accumulate=f16", DType::f16, DType::f32},
                {"f16:f32,accumulate=f16", DType::f16, DType::f32},
                {"u8s8,accumulate=s16", DType::s16, DType::s32},
                {"s8s8:bf16,accumulate=s16", DType::s16, DType::s32}};
  for (const auto &[text, sums, accumulator] : layers) {
    Expected<DataTypes> types = DataTypes::parse(text);
    ASSERT_TRUE(types) << types.error().message();
    EXPECT_EQ(types->accumulate, sums);
    EXPECT_EQ(types->accumulator(), accumulator);
    EXPECT_EQ(types->text(), text);
    EXPECT_TRUE(types->check());
    EXPECT_NE(*types, *DataTypes::parse(
                          std::string(text, std::string(text).find(','))));
  }
  EXPECT_EQ(DataTypes::parse("f16,accumulate=f32")->text(), "f16");
  EXPECT_EQ(DataTypes::parse("u8s8,accumulate=f32")->text(), "u8s8");
  for (const auto &[text, message] :
       {std::pair("bf16,accumulate=f16",
                  "accumulate=f16 takes x and w of f16, not types \"bf16\""),
        std::pair("u8s8:f16,accumulate=f16", "not types \"u8s8:f16\""),
        std::pair("f16,accumulate=s16",
                  "accumulate=s16 takes u8s8 or s8s8, not types \"f16\""),
        std::pair("f16,accumulate=bf16",
                  "accumulate takes f32, f16 or s16, not \"bf16\""),
        std::pair("f16,accumulate=",
                  "accumulate takes f32, f16 or s16, not \"\""),
        std::pair("f16,accumulate=f16,accumulate=f16",
                  "takes f32, f16 or s16, not \"f16,accumulate=f16\""),
        std::pair("f16,sums=f16",
                  "end in \",accumulate=f16\", \",accumulate=s16\" or nothing, "
                  "not \",sums=f16\""),
        std::pair("f16,", "or nothing, not \",\"")}) {
    Expected<DataTypes> refused = DataTypes::parse(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code(), ErrorCode::invalidArgument);
    EXPECT_THAT(refused.error().message(), HasSubstr(message));
  }
  DataTypes wrong;
  wrong.accumulate = DType::f16;
  ASSERT_FALSE(wrong.check());
  EXPECT_THAT(wrong.check().error().message(), HasSubstr("x and w of f16"));
}

/// As of who casts enumerators of his own.
TEST(DataTypesTest, NumbersThatAreNoTypesAreRefused) {
  const auto none = static_cast<DType>(77);
  EXPECT_EQ(toString(none), "?");
  EXPECT_FALSE(isFloat(none));
  DataTypes types;
  types.activation = none;
  EXPECT_THAT(types.check().error().message(),
              HasSubstr("no layer has x of ?, w of f32"));
  types = DataTypes();
  types.result = none;
  EXPECT_THAT(types.check().error().message(), HasSubstr("a result of ?;"));
  types = DataTypes();
  types.accumulate = none;
  EXPECT_THAT(types.check().error().message(),
              HasSubstr("takes f32, f16 or s16, not \"?\""));
}

TEST(DataTypesTest, ParsesWhatSumsMayBeOf) {
  for (DType sums : {DType::f32, DType::f16, DType::s16})
    EXPECT_EQ(*parseAccumulate(toString(sums)), sums);
  for (const char *name : {"s32", "bf16", "", "f16 "}) {
    Expected<DType> refused = parseAccumulate(name);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code(), ErrorCode::invalidArgument);
    EXPECT_THAT(
        refused.error().message(),
        HasSubstr("takes f32, f16 or s16, not \"" + std::string(name) + "\""));
  }
}

TEST(DataTypesTest, ChecksWhatLayersCanHave) {
  for (const char *text : {"f32", "bf16", "bf16:f32", "f16", "f16:f32", "u8s8",
                           "u8s8:u8", "s8s8", "s8s8:bf16"})
    EXPECT_TRUE(DataTypes::parse(text)->check()) << text;
  for (const DataTypes &types :
       {DataTypes{DType::f32, DType::f32, DType::bf16},
        DataTypes{DType::bf16, DType::bf16, DType::f16},
        DataTypes{DType::bf16, DType::f32, DType::f32},
        DataTypes{DType::s32, DType::s32, DType::s32},
        DataTypes{DType::u8, DType::s8, DType::s32}}) {
    const Status status = types.check();
    ASSERT_FALSE(status) << types.text();
    EXPECT_THAT(status.error().message(), HasSubstr("no layer has x of "));
    EXPECT_THAT(status.error().message(), HasSubstr("; supported are f32, "));
  }
}

TEST(DataTypesTest, NamesInputsByTheirWeight) {
  EXPECT_EQ(DataTypes::namesWithWeight(DType::f32), "f32");
  EXPECT_EQ(DataTypes::namesWithWeight(DType::s8), "u8s8 or s8s8");
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
