// Scales and zero points of int8 layers: text, operands, limits of K.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/Problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace lintel;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

DataTypes typesOf(std::string_view text) {
  return DataTypes::parse(text).value();
}

struct Accepted {
  std::string_view types, text, canonical;
};
class AcceptedQuantization : public testing::TestWithParam<Accepted> {};

TEST_P(AcceptedQuantization, LeavesOutTheDefaultAndRoundTrips) {
  const DataTypes types = typesOf(GetParam().types);
  Expected<Epilogue> epilogue = Epilogue::parse(GetParam().text, types);
  ASSERT_TRUE(epilogue) << epilogue.error().message();
  EXPECT_EQ(epilogue->text(), GetParam().canonical);
  Expected<Epilogue> again = Epilogue::parse(epilogue->text(), types);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, *epilogue);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, AcceptedQuantization,
    testing::Values(
        Accepted{"u8s8", "none", "none"}, Accepted{"u8s8", "dequant", "none"},
        Accepted{"u8s8", "dequant(x=tensor,xzero=tensor,w=column,wzero=none)",
                 "none"},
        Accepted{"u8s8", "dequant(wzero=column,x=row)+bias",
                 "dequant(x=row,wzero=column)+bias"},
        Accepted{"u8s8", "dequant(xzero=none)+relu",
                 "dequant(xzero=none)+relu"},
        Accepted{"s8s8", "dequant(xzero=none)+relu", "relu"},
        Accepted{"s8s8", "dequant(xzero=row)", "dequant(xzero=row)"},
        Accepted{"u8s8:u8", "bias+quant", "bias"},
        Accepted{"u8s8:u8", "bias+quant(zero=tensor)", "bias"},
        Accepted{"u8s8:u8", "quant(zero=none)", "quant(zero=none)"},
        Accepted{"s8s8:s8", "dequant(w=tensor)+quant(zero=tensor)",
                 "dequant(w=tensor)+quant(zero=tensor)"},
        Accepted{"s8s8:s8", "clamp(0,1)+quant(zero=none)", "clamp(0,1)"}));

struct Refused {
  std::string_view types, text, message;
};
class RefusedQuantization : public testing::TestWithParam<Refused> {};

TEST_P(RefusedQuantization, SaysWhereAndWhatWouldBeRight) {
  Expected<Epilogue> epilogue =
      Epilogue::parse(GetParam().text, typesOf(GetParam().types));
  ASSERT_FALSE(epilogue) << epilogue->text();
  EXPECT_EQ(epilogue.error().code(), ErrorCode::parse);
  EXPECT_THAT(epilogue.error().message(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, RefusedQuantization,
    testing::Values(
        Refused{"f32", "dequant+bias",
                "column 1: dequant makes numbers of sums of integers; layers "
                "of u8s8 and s8s8 have it, not of f32"},
        Refused{"u8s8", "bias+dequant",
                "column 6: dequant must be the first stage"},
        Refused{"u8s8", "none+dequant",
                "column 6: dequant must be the first stage"},
        Refused{"u8s8:bf16", "bias+quant",
                "column 6: quant makes integers of results; layers with a "
                "result of u8 or s8 have it, not of u8s8:bf16"},
        Refused{"u8s8:u8", "quant+bias",
                "column 7: quant must be the last stage, but \"bias\" follows"},
        Refused{"u8s8", "dequant(x=column)",
                "column 11: expected x=tensor|row, found \"column\""},
        Refused{"u8s8", "dequant(w=)",
                "column 11: expected w=tensor|column, found ')'"},
        Refused{"u8s8", "dequant(scale=row)",
                "column 9: expected one of x=tensor|row, "
                "xzero=none|tensor|row, w=tensor|column, "
                "wzero=none|tensor|column, found \"scale\""},
        Refused{"u8s8", "dequant(x)",
                "column 10: expected '=' after x, found ')'; it takes "
                "x=tensor|row"},
        Refused{"u8s8", "dequant(x=row",
                "column 14: expected ',' or ')', found the end"},
        Refused{"u8s8", "dequant(x=tensor,w=column,x=row)",
                "column 27: 'x' is given twice"},
        Refused{"u8s8", "dequant()", "column 9: expected one of x=tensor|row"},
        Refused{"u8s8:u8", "quant(zero=row)",
                "column 12: expected zero=none|tensor, found \"row\""}));

std::vector<std::string> namesOf(const Problem &problem) {
  std::vector<std::string> names;
  for (const EpilogueOperand &operand : problem.epilogue().operands())
    names.push_back(operand.name + ":" +
                    std::string(toString(operand.broadcast)) + ":" +
                    std::string(toString(operand.dtype)));
  return names;
}

Problem problemOf(std::string_view types, std::string_view text) {
  return Problem::parse(text, typesOf(types)).value();
}

TEST(QuantizationTest, OperandsComeInTheOrderOfTheSteps) {
  EXPECT_THAT(namesOf(problemOf("u8s8", "4x8:8x16 bias")),
              ElementsAre("x_scale:scalar:f32", "x_zero:scalar:s32",
                          "w_scale:column:f32", "bias:column:f32"));
  EXPECT_THAT(namesOf(problemOf("s8s8:s8", "4x8:8x16")),
              ElementsAre("x_scale:scalar:f32", "w_scale:column:f32",
                          "result_scale:scalar:f32"));
  EXPECT_THAT(
      namesOf(problemOf("u8s8:u8", "4x8:8x16 dequant(x=row,xzero=row,w=tensor,"
                                   "wzero=column)+residual+bias")),
      ElementsAre("x_scale:row:f32", "x_zero:row:s32", "w_scale:scalar:f32",
                  "w_zero:column:s32", "residual:full:f32", "bias:column:f32",
                  "result_scale:scalar:f32", "result_zero:scalar:s32"));
}

/// Those of named stages are of the result's type where it is a float.
TEST(QuantizationTest, ScalesStayF32WhateverTheResult) {
  EXPECT_THAT(namesOf(problemOf("s8s8:bf16", "4x8:8x16 bias")),
              ElementsAre("x_scale:scalar:f32", "w_scale:column:f32",
                          "bias:column:bf16"));
}

TEST(QuantizationTest, ZeroPointsAskForTheSumsOfTheOtherFactor) {
  const auto sumsOf = [](std::string_view text) {
    return Epilogue::parse(text, typesOf("s8s8")).value().inputSums();
  };
  EXPECT_EQ(sumsOf("none"), InputSums());
  EXPECT_EQ(sumsOf("dequant(xzero=tensor)"), (InputSums{.ofColumns = true}));
  EXPECT_EQ(sumsOf("dequant(wzero=tensor)"), (InputSums{.ofRows = true}));
}

TEST(QuantizationTest, EpiloguesFollowTheTypesOfTheirProblem) {
  const Epilogue bias = Epilogue::parse("bias").value();
  const Problem asIntegers =
      Problem::create(4, 16, 8, typesOf("u8s8"), bias).value();
  EXPECT_EQ(asIntegers, problemOf("u8s8", "4x8:8x16 bias"));
  const Epilogue scaled =
      Epilogue::parse("dequant(x=row)+bias", typesOf("u8s8")).value();
  Expected<Problem> asFloats = Problem::create(4, 16, 8, DataTypes(), scaled);
  ASSERT_FALSE(asFloats);
  EXPECT_THAT(asFloats.error().message(),
              HasSubstr("'dequant(x=row)+bias' was made for integers; a layer "
                        "of f32 has no scales"));
}

/// From types to others, what the text says of the first is of the second.
struct Moved {
  std::string_view from, text, to, expected;
};
class MovedQuantization : public testing::TestWithParam<Moved> {};

TEST_P(MovedQuantization, KeepsWhatTheTextNamesAndNoOther) {
  const Epilogue epilogue =
      Epilogue::parse(GetParam().text, typesOf(GetParam().from)).value();
  const DataTypes types = typesOf(GetParam().to);
  EXPECT_EQ(epilogue.forTypes(types).value(),
            Epilogue::parse(GetParam().expected, types).value());
}

INSTANTIATE_TEST_SUITE_P(
    Types, MovedQuantization,
    testing::Values(
        Moved{"u8s8", "bias", "s8s8", "bias"},
        Moved{"s8s8", "bias", "u8s8", "bias"},
        Moved{"u8s8:u8", "bias", "u8s8:s8", "bias"},
        Moved{"u8s8:s8", "bias", "u8s8:u8", "bias"},
        Moved{"u8s8:u8", "quant(zero=none)", "u8s8:s8", "none"},
        Moved{"s8s8:s8", "quant(zero=tensor)", "s8s8:u8", "none"},
        Moved{"s8s8:s8", "quant(zero=tensor)", "u8s8:s8", "quant(zero=tensor)"},
        Moved{"s8s8:s8", "relu+quant(zero=tensor)", "s8s8:f32", "relu"},
        Moved{"s8s8", "relu", "s8s8:u8", "relu"},
        Moved{"u8s8", "dequant(x=row,xzero=row,w=tensor)", "s8s8:s8",
              "dequant(x=row,xzero=row,w=tensor)"},
        Moved{"s8s8", "dequant(wzero=column)+bias", "u8s8:bf16",
              "dequant(wzero=column)+bias"}));

TEST(QuantizationTest, TextOfAProblemLeavesOutTheDefault) {
  EXPECT_EQ(problemOf("u8s8", "4x8:8x16").text(), "4x8:8x16");
  EXPECT_EQ(problemOf("u8s8", "4x8:8x16 dequant(x=row)").text(),
            "4x8:8x16 dequant(x=row)");
}

struct Depth {
  std::string_view types, epilogue;
  int64_t most;
};
class MostDepth : public testing::TestWithParam<Depth> {};

/// The largest products, K of them, still fit in 32 bits; one more does not.
TEST_P(MostDepth, IsWhat32BitsHold) {
  const auto parse = [](int64_t k) {
    const std::string depth = std::to_string(k);
    return Problem::parse("1x" + depth + ":" + depth + "x1 " +
                              std::string(GetParam().epilogue),
                          typesOf(GetParam().types));
  };
  EXPECT_TRUE(parse(GetParam().most));
  Expected<Problem> deeper = parse(GetParam().most + 1);
  ASSERT_FALSE(deeper);
  EXPECT_THAT(
      deeper.error().message(),
      HasSubstr("K must be at most " + std::to_string(GetParam().most)));
}

INSTANTIATE_TEST_SUITE_P(
    Types, MostDepth,
    testing::Values(Depth{"u8s8", "none", 65793}, Depth{"s8s8", "none", 131071},
                    Depth{"s8s8", "dequant(xzero=tensor)", 65793},
                    Depth{"s8s8", "dequant(wzero=tensor)", 65793},
                    Depth{"u8s8", "dequant(wzero=column)", 33025}));

} // namespace
