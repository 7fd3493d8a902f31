// Epilogue text: what parses, what is refused and why.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/Problem.h"

#include <clocale>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <locale>

using namespace lintel;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Accepted {
  std::string_view text, canonical;
};
class AcceptedEpilogue : public testing::TestWithParam<Accepted> {};

TEST_P(AcceptedEpilogue, HasCanonicalTextThatRoundTrips) {
  Expected<Epilogue> epilogue = Epilogue::parse(GetParam().text);
  ASSERT_TRUE(epilogue) << epilogue.error().message();
  EXPECT_EQ(epilogue->text(), GetParam().canonical);
  EXPECT_FALSE(epilogue->isRegion());
  EXPECT_EQ(epilogue->numResults(), 1);
  Expected<Epilogue> again = Epilogue::parse(epilogue->text());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, *epilogue);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, AcceptedEpilogue,
    testing::Values(
        Accepted{"none", "none"}, Accepted{"none+none", "none"},
        Accepted{"none+relu", "relu"}, Accepted{"bias+none", "bias"},
        Accepted{"  bias+gelu_erf\t", "bias+gelu_erf"},
        Accepted{
            "bias+relu+gelu_erf+gelu_tanh+silu+sigmoid+tanh+clamp+residual+mul",
            "bias+relu+gelu_erf+gelu_tanh+silu+sigmoid+tanh+clamp(0,6)+"
            "residual+mul"},
        Accepted{"clamp", "clamp(0,6)"}, Accepted{"clamp(0,6)", "clamp(0,6)"},
        Accepted{"clamp(-1,1)", "clamp(-1,1)"},
        Accepted{"clamp( 0 , 6 )", "clamp(0,6)"},
        Accepted{"clamp(-0.0,2.50)", "clamp(0,2.5)"},
        Accepted{"clamp(1e1,1e20)+relu", "clamp(10,1e+20)+relu"},
        Accepted{"clamp(-inf,6)", "clamp(-inf,6)"},
        Accepted{"clamp(3,3)", "clamp(3,3)"},
        Accepted{"clamp(0.1,0.100000001490116)", "clamp(0.1,0.1)"},
        Accepted{"clamp(1e-45,3.4028235e38)", "clamp(1e-45,3.4028235e+38)"}));

struct Refused {
  std::string_view text, message;
};
class RefusedEpilogue : public testing::TestWithParam<Refused> {};

TEST_P(RefusedEpilogue, SaysWhereAndWhatWouldBeRight) {
  Expected<Epilogue> epilogue = Epilogue::parse(GetParam().text);
  ASSERT_FALSE(epilogue) << epilogue->text();
  EXPECT_EQ(epilogue.error().code(), ErrorCode::parse);
  EXPECT_THAT(epilogue.error().message(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, RefusedEpilogue,
    testing::Values(
        Refused{"", "column 1: expected an epilogue stage, found the end; "
                    "known stages"},
        Refused{"   ", "column 4: expected an epilogue stage, found the end"},
        Refused{"bias+", "column 6: expected an epilogue stage, found the end"},
        Refused{"+bias", "column 1: expected an epilogue stage, found '+'"},
        Refused{"bias++relu",
                "column 6: expected an epilogue stage, found '+'"},
        Refused{"bias+gelu", "column 6: unknown epilogue stage \"gelu\", which "
                             "is gelu_erf or, approximated, gelu_tanh here; "
                             "known stages, joined with '+': none "
                             "bias relu gelu_erf gelu_tanh silu sigmoid tanh "
                             "clamp(lo,hi) residual mul"},
        Refused{"bais+relu", "column 1: unknown epilogue stage \"bais\" (did "
                             "you mean bias?); known stages"},
        Refused{"RELU", "column 1: unknown epilogue stage \"RELU\", which is "
                        "relu here; known"},
        Refused{"relu6", "column 1: unknown epilogue stage \"relu6\", which is "
                         "clamp(0,6) here; known"},
        Refused{"Swish", "which is silu here; known"},
        Refused{"softmax",
                "column 1: unknown epilogue stage \"softmax\"; known"},
        Refused{"softplus",
                "; any other function takes a layer in MLIR, which commands "
                "with a PROBLEM and both APIs read (docs/cli.md)"},
        Refused{"bias relu",
                "column 5: expected '+' or the end after an epilogue stage, "
                "found ' '; stages are joined by '+' without blanks"},
        Refused{"bias + relu",
                "column 5: expected '+' or the end after an epilogue stage, "
                "found ' '; stages are joined by '+' without blanks"},
        Refused{"bias\trelu", "column 5: expected '+' or the end after an "
                              "epilogue stage, found byte 0x09; stages are "
                              "joined by '+' without blanks"},
        Refused{"relu(1)", "column 5: expected '+' or the end after an "
                           "epilogue stage, found '('; relu takes nothing in "
                           "parentheses; only clamp, dequant and quant do"},
        Refused{"bias+none()", "column 10: expected '+' or the end after an "
                               "epilogue stage, found '('; none takes nothing"},
        Refused{"clamp[0,1]", "column 6: expected '+' or the end after an "
                              "epilogue stage, found '['; write clamp(lo,hi)"},
        Refused{"relu[1]", "found '['; relu takes nothing in parentheses"},
        Refused{"clamp(0,1)(2)", "column 11: expected '+' or the end after an "
                                 "epilogue stage, found '('; stages are "
                                 "joined by '+'"},
        Refused{"bias,relu", "column 5: expected '+' or the end after an "
                             "epilogue stage, found ','; stages are joined by "
                             "'+'"},
        Refused{"bias\xc3\xa9", "column 5: expected '+' or the end after an "
                                "epilogue stage, found byte 0xC3"},
        Refused{"clamp(", "column 7: expected a number, the lower bound of "
                          "clamp(lo,hi), found the end"},
        Refused{"clamp()", "column 7: expected a number, the lower bound of "
                           "clamp(lo,hi), found ')'"},
        Refused{"clamp(1)",
                "column 8: expected the ',' of clamp(lo,hi), found ')'"},
        Refused{"clamp(1,", "column 9: expected a number, the upper bound of "
                            "clamp(lo,hi), found the end"},
        Refused{"clamp(1,2",
                "column 10: expected the ')' of clamp(lo,hi), found the end"},
        Refused{"clamp(1,2,3)",
                "column 10: expected the ')' of clamp(lo,hi), found ','"},
        Refused{"clamp (1,2)", "column 6: expected '+' or the end after an "
                               "epilogue stage, found ' '; write clamp(lo,hi)"},
        Refused{"clamp{0,1}", "found '{'; write clamp(lo,hi)"},
        Refused{"relu ()", "found ' '; relu takes nothing in parentheses"},
        Refused{"clamp(1 2)",
                "column 9: expected the ',' of clamp(lo,hi), found '2'"},
        Refused{"clamp(nan,2)",
                "column 7: a bound of clamp(lo,hi) must be a number, not nan"},
        Refused{"clamp(1,nan)",
                "column 9: a bound of clamp(lo,hi) must be a number, not nan"},
        Refused{"clamp(1e50,2)", "column 7: 1e50 is outside the range of f32; "
                                 "for no bound write inf or -inf"},
        Refused{"clamp(1e-50,1)",
                "column 7: 1e-50 is too small for f32; write 0"},
        Refused{"clamp(-1e-400,1)",
                "column 7: -1e-400 is too small for f32; write 0"},
        // Beyond any float.
        Refused{"clamp(1e-5000,1)",
                "column 7: 1e-5000 is too small for f32; write 0"},
        Refused{"clamp(0.001e-99999999999999999999,1)",
                "99 is too small for f32; write 0"},
        Refused{"clamp(0,0.0000000000000000000000000000000000000000000000001)",
                "0001 is too small for f32; write 0"},
        Refused{"clamp(0,100000000000000000000000000000000000000000000000e-2)",
                "e-2 is outside the range of f32"},
        Refused{"clamp(0,1e+99999999999999999999)",
                "99 is outside the range of f32"},
        Refused{"bias+clamp(6,0)", "column 11: clamp(6,0) has its bounds the "
                                   "wrong way round; write clamp(0,6)"}));

/// Only blanks are answered with a sentence about them.
TEST(EpilogueTest, RemediesSpeakOfBlanksAfterABlankAlone) {
  for (const char *text : {"bias,relu", "bias(3)", "clamp[0,1]", "bias;relu"})
    EXPECT_THAT(Epilogue::parse(text).error().message(),
                Not(HasSubstr("blanks")))
        << text;
  EXPECT_THAT(Epilogue::parse("dequant[x=row]", *DataTypes::parse("u8s8"))
                  .error()
                  .message(),
              HasSubstr("found '['; write dequant(...)"));
}

TEST(EpilogueTest, StagesKeepTheirOrderAndBounds) {
  Expected<Epilogue> epilogue = Epilogue::parse("silu+clamp(-0.5,0.25)");
  ASSERT_TRUE(epilogue);
  ASSERT_EQ(epilogue->stages().size(), 2u);
  EXPECT_EQ(epilogue->stages()[0].op, EpilogueOp::silu);
  EXPECT_EQ(epilogue->stages()[1],
            (EpilogueStage{EpilogueOp::clamp, -0.5f, 0.25f}));
}

TEST(EpilogueTest, OperandsFollowTheTextAndHaveUniqueNames) {
  Expected<Epilogue> epilogue =
      Epilogue::parse("residual+bias+mul+relu+residual+bias+residual");
  ASSERT_TRUE(epilogue);
  std::vector<EpilogueOperand> expected = {
      {"residual", Broadcast::full}, {"bias", Broadcast::column},
      {"mul", Broadcast::full},      {"residual2", Broadcast::full},
      {"bias2", Broadcast::column},  {"residual3", Broadcast::full}};
  EXPECT_EQ(epilogue->operands(), expected);
}

TEST(EpilogueTest, IdentityIsTheDefault) {
  EXPECT_EQ(*Epilogue::parse("none"), Epilogue());
  EXPECT_TRUE(Epilogue().operands().empty());
  EXPECT_TRUE(Epilogue().stages().empty());
}

/// Writes 1.5 as 1,5, like the locales of half of Europe.
struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(EpilogueTest, NumbersDoNotDependOnTheLocale) {
  std::string before = std::setlocale(LC_ALL, nullptr);
  std::locale changed = std::locale::global(
      std::locale(std::locale::classic(), new DecimalComma));
  std::setlocale(LC_ALL,
                 "de_DE.UTF-8"); // the C library's, where it is installed
  Expected<Epilogue> epilogue = Epilogue::parse("clamp(0.5,1.5)");
  std::locale::global(changed);
  std::setlocale(LC_ALL, before.c_str());
  ASSERT_TRUE(epilogue) << epilogue.error().message();
  EXPECT_EQ(epilogue->stages()[0].hi, 1.5f);
  EXPECT_EQ(epilogue->text(), "clamp(0.5,1.5)");
}

TEST(EpilogueTest, RegionKeepsItsTextOperandsAndResults) {
  std::vector<EpilogueOperand> operands = {{"operand0", Broadcast::row}};
  Epilogue epilogue = Epilogue::fromRegion("{ region }", operands, 2);
  EXPECT_TRUE(epilogue.isRegion());
  EXPECT_EQ(epilogue.text(), "{ region }");
  EXPECT_EQ(epilogue.operands(), operands);
  EXPECT_EQ(epilogue.numResults(), 2);
  EXPECT_TRUE(epilogue.stages().empty());
}

} // namespace
