// Problem text and limits, and lists of problems.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/Problem.h"
#include "Problem/ProblemTitle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace lintel;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

struct Accepted {
  std::string_view text, canonical;
};
class AcceptedProblem : public testing::TestWithParam<Accepted> {};

TEST_P(AcceptedProblem, HasCanonicalTextThatRoundTrips) {
  Expected<Problem> problem = Problem::parse(GetParam().text);
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_EQ(problem->text(), GetParam().canonical);
  Expected<Problem> again = Problem::parse(problem->text());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, *problem);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, AcceptedProblem,
    testing::Values(
        Accepted{"128x768:768x3072 bias+gelu_erf",
                 "128x768:768x3072 bias+gelu_erf"},
        Accepted{"128x768:768x3072", "128x768:768x3072"},
        Accepted{"128x768:768x3072 none", "128x768:768x3072"},
        Accepted{" \t128x768:768x3072  \t bias \r", "128x768:768x3072 bias"},
        Accepted{"?x768:768x3072 relu", "?x768:768x3072 relu"},
        Accepted{"0x0:0x0", "0x0:0x0"}, Accepted{"0x5:5x7", "0x5:5x7"},
        Accepted{"3x0:0x7 bias", "3x0:0x7 bias"},
        Accepted{"3x5:5x0", "3x5:5x0"}, Accepted{"007x05:5x010", "7x5:5x10"},
        Accepted{"2147483648x1:1x1", "2147483648x1:1x1"},
        Accepted{"1x2147483648:2147483648x1", "1x2147483648:2147483648x1"},
        Accepted{"4x4:4x4 clamp(-1,1)", "4x4:4x4 clamp(-1,1)"}));

struct Refused {
  std::string_view text, message;
  ErrorCode code = ErrorCode::parse;
};
class RefusedProblem : public testing::TestWithParam<Refused> {};

TEST_P(RefusedProblem, SaysWhereAndWhatWouldBeRight) {
  Expected<Problem> problem = Problem::parse(GetParam().text);
  ASSERT_FALSE(problem) << problem->text();
  EXPECT_EQ(problem.error().code(), GetParam().code);
  EXPECT_THAT(problem.error().message(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, RefusedProblem,
    testing::Values(
        Refused{
            "",
            "column 1: expected M, a number, '?' or a range, found the end; a "
            "problem is "
            "\"MxK:KxN EPILOGUE\", for example \"128x768:768x3072 "
            "bias+gelu_erf\""},
        Refused{"  ", "column 3: expected M"},
        Refused{"x5:5x7",
                "column 1: expected M, a number, '?' or a range, found 'x'"},
        Refused{"bias",
                "column 1: expected M, a number, '?' or a range, found 'b'"},
        Refused{"12", "column 3: expected 'x' after M, found the end"},
        Refused{"12*5:5x7", "column 3: expected 'x' after M, found '*'"},
        Refused{"1 x5:5x7", "column 2: expected 'x' after M, found ' '"},
        Refused{"?7x5:5x7", "column 2: expected 'x' after M, found '7'"},
        Refused{"1x:5x7", "column 3: expected K, a number, found ':'"},
        Refused{"1x5", "column 4: expected ':' after MxK, found the end"},
        Refused{"1x5x7", "column 4: expected ':' after MxK, found 'x'"},
        Refused{"1x5:5", "column 6: expected 'x' after K, found the end"},
        Refused{"1x5:5x", "column 7: expected N, a number, found the end"},
        Refused{"1x?:5x7", "column 3: K must be a number; only M can be '?'"},
        Refused{"1x5:?x7", "column 5: K must be a number; only M can be '?'"},
        Refused{"1x5:5x?", "column 7: N must be a number; only M can be '?'"},
        Refused{"-1x5:5x7", "column 1: M is negative; sizes start at 0"},
        Refused{"1x-5:5x7", "column 3: K is negative; sizes start at 0"},
        Refused{"1x5:5x-7", "column 7: N is negative; sizes start at 0"},
        Refused{"-",
                "column 1: expected M, a number, '?' or a range, found '-'; "
                "a problem is"},
        Refused{"1x-:5x7", "column 3: expected K, a number, found '-'"},
        Refused{"+1x5:5x7",
                "column 1: expected M, a number, '?' or a range, found '+'"},
        Refused{"1.5x5:5x7", "column 2: expected 'x' after M, found '.'"},
        Refused{"1x0x5:5x7", "column 4: expected ':' after MxK, found 'x'"},
        Refused{"2147483649x1:1x1", "column 1: M = 2147483649 is larger than "
                                    "2147483648, the largest size"},
        Refused{"1x99999999999999999999:1x1",
                "column 3: K = 99999999999999999999 is larger than 2147483648"},
        Refused{"1x1:1x99999999999999999999",
                "column 7: N = 99999999999999999999 is larger"},
        Refused{"128x768:700x3072",
                "column 9: K is 700 here, but 768 in column 5; both must be "
                "the same, for example 128x768:768x3072"},
        Refused{"?x8:7x3", "for example ?x8:8x3"},
        Refused{"1x5:5x7bias",
                "column 8: expected a blank or the end after N, found 'b'"},
        Refused{"1x5:5x7x9",
                "column 8: expected a blank or the end after N, found 'x'"},
        Refused{
            "1x5:5x7 bias+gelu",
            "column 14: unknown epilogue stage \"gelu\", which is gelu_erf"},
        Refused{"  1x5:5x7   bias relu", "column 17: expected '+' or the end"},
        Refused{"1x5:5x7 clamp(2,1)",
                "column 14: clamp(2,1) has its bounds the wrong way round"},
        Refused{
            "1x5:5x7\nrelu",
            "column 8: expected a blank or the end after N, found byte 0x0A"},
        Refused{"2147483648x2147483648:2147483648x1",
                "x of 2147483648 x 2147483648 elements takes more than the "
                "2^47 bytes",
                ErrorCode::unsupported},
        Refused{"1x2147483648:2147483648x2147483648",
                "w of 2147483648 x 2147483648 elements",
                ErrorCode::unsupported},
        Refused{"2147483648x0:0x2147483648",
                "the output of 2147483648 x 2147483648 elements",
                ErrorCode::unsupported},
        Refused{"?@2147483648x64:64x32768",
                "the output of 2147483648 x 32768 elements takes more than the "
                "2^47 bytes that a process can address; make one of its sizes, "
                "or the rows to tune for, smaller",
                ErrorCode::unsupported},
        Refused{"1..2000000000x32768:32768x64",
                "x of 2000000000 x 32768 elements", ErrorCode::unsupported}));

TEST(ProblemTest, ParseKeepsEveryPart) {
  Expected<Problem> problem = Problem::parse("128x768:768x3072 bias+relu");
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->m(), 128);
  EXPECT_EQ(problem->k(), 768);
  EXPECT_EQ(problem->n(), 3072);
  EXPECT_EQ(problem->types(), DataTypes());
  EXPECT_EQ(problem->epilogue().text(), "bias+relu");
}

TEST(ProblemTest, KeepsItsTypes) {
  const DataTypes bf16 = DataTypes::parse("bf16").value();
  const DataTypes wide = DataTypes::parse("bf16:f32").value();
  const Problem problem = Problem::parse("?x5:5x7 bias+mul", bf16).value();
  EXPECT_EQ(problem.types(), bf16);
  EXPECT_EQ(problem.withRows(3)->types(), bf16);
  EXPECT_EQ(problem.withRowRange(RowRange::between(1, 4))->types(), bf16);
  EXPECT_EQ(parseProblemList("1x2:2x3\n", "list", bf16)->front().types(), bf16);
  // The text says nothing of types.
  EXPECT_EQ(problem.text(), Problem::parse("?x5:5x7 bias+mul")->text());
  EXPECT_NE(problem, Problem::parse("?x5:5x7 bias+mul").value());
  EXPECT_NE(problem, Problem::parse("?x5:5x7 bias+mul", wide).value());
}

TEST(ProblemTest, OperandsOfStagesHaveTheTypeOfTheResult) {
  const auto operandType = [](const char *types) {
    return Problem::parse("4x5:5x7 bias+mul", DataTypes::parse(types).value())
        ->epilogue()
        .operands()[1]
        .dtype;
  };
  EXPECT_EQ(operandType("f32"), DType::f32);
  EXPECT_EQ(operandType("bf16"), DType::bf16);
  EXPECT_EQ(operandType("bf16:f32"), DType::f32);
  EXPECT_EQ(operandType("f16"), DType::f16);
  // A region says itself what it reads.
  const Epilogue region =
      Epilogue::fromRegion("r", {{"a", Broadcast::row, DType::f32}}, 1);
  EXPECT_EQ(Problem::create(4, 5, 7, DataTypes::parse("bf16").value(), region)
                ->epilogue(),
            region);
}

TEST(ProblemTest, RefusesTypesThatNoLayerHas) {
  EXPECT_FALSE(Problem::create(4, 5, 7, {DType::f32, DType::f32, DType::bf16},
                               Epilogue()));
  Expected<Problem> operand = Problem::create(
      4, 5, 7, DataTypes(),
      Epilogue::fromRegion("r", {{"scale", Broadcast::column, DType::s8}}, 1));
  ASSERT_FALSE(operand);
  EXPECT_EQ(operand.error().message(),
            "the epilogue's operand 'scale' holds s8; supported are f32, "
            "bf16, f16 and s32");
}

TEST(ProblemTest, AnOperandMayBeTooLargeForANarrowOutput) {
  // 2^47 elements: bytes of u8, but 2^49 of the f32 that is added.
  const DataTypes types = DataTypes::parse("u8s8:u8").value();
  const char *bare = "65536x1:1x2147483648",
             *added = "65536x1:1x2147483648 residual";
  EXPECT_TRUE(Problem::parse(bare, types));
  const Expected<Problem> problem = Problem::parse(added, types);
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.error().code(), ErrorCode::unsupported);
  EXPECT_EQ(problem.error().message(),
            "the operand 'residual' of 65536 x 2147483648 elements takes more "
            "than the 2^47 bytes that a process can address; make one of its "
            "sizes smaller");
}

TEST(ProblemTest, NarrowTensorsMayHaveMoreElements) {
  // 2^46 elements: 2^48 bytes of f32, but 2^47 of bf16.
  const char *large = "1x16777216:16777216x4194304";
  EXPECT_FALSE(Problem::parse(large));
  EXPECT_TRUE(Problem::parse(large, DataTypes::parse("bf16").value()));
}

TEST(ProblemTest, RowsOfADynamicProblemCanBeSet) {
  Expected<Problem> problem = Problem::parse("?x5:5x7 relu");
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->m(), std::nullopt);
  EXPECT_EQ(problem->withRows(9)->text(), "9x5:5x7 relu");
  for (int64_t rows : {int64_t(-1), Problem::kMaxDim + 1})
    EXPECT_EQ(problem->withRows(rows).error().code(),
              ErrorCode::invalidArgument);
  EXPECT_EQ(problem->text(), "?x5:5x7 relu");
}

TEST(ProblemTest, RowsMayLieInARange) {
  Expected<Problem> problem = Problem::parse("5..16x5:5x7 relu");
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->m(), std::nullopt);
  EXPECT_EQ(problem->rows(), (RowRange{5, 16, 16}));
  EXPECT_EQ(Problem::parse("?x5:5x7")->rows(),
            (RowRange{0, Problem::kMaxDim, 512}));
  EXPECT_EQ(Problem::parse("65..?@128x5:5x7")->rows(),
            (RowRange{65, Problem::kMaxDim, 128}));
  EXPECT_EQ(Problem::parse("600..?x5:5x7")->rows().typical, 600);
  EXPECT_EQ(Problem::parse("7x5:5x7")->rows().typical, 7);
  EXPECT_EQ(Problem::parse("0x5:5x7")->rows().typical, 0);
  EXPECT_EQ(Problem::parse("?x5:5x7")->rows().typical, 512);
  EXPECT_EQ(Problem::parse("7..7x5:5x7")->m(), 7);
}

TEST(ProblemTest, RangesHaveOneText) {
  for (const char *text : {"?x5:5x7", "?@64x5:5x7", "5..16x5:5x7",
                           "5..16@8x5:5x7", "65..?x5:5x7", "65..?@128x5:5x7"})
    EXPECT_EQ(Problem::parse(text)->text(), text);
  EXPECT_EQ(Problem::parse("0..?@512x5:5x7")->text(), "?x5:5x7");
  EXPECT_EQ(Problem::parse("5..16@16x5:5x7")->text(), "5..16x5:5x7");
  EXPECT_EQ(Problem::parse("7..7x5:5x7")->text(), "7x5:5x7");
}

TEST(ProblemTest, RangesAreChecked) {
  auto refusal = [](const char *text) {
    Expected<Problem> problem = Problem::parse(text);
    return problem ? "accepted" : problem.error().message();
  };
  EXPECT_THAT(refusal("16..5x5:5x7"),
              StartsWith("column 1: the rows begin at 16, but end at 5"));
  EXPECT_THAT(refusal("5..16@17x5:5x7"),
              StartsWith("column 1: the rows to tune for, 17, are not among"));
  EXPECT_THAT(refusal("5..16@4x5:5x7"),
              StartsWith("column 1: the rows to tune for, 4, are not among the "
                         "5 to 16 rows"));
  EXPECT_THAT(refusal("?@0x5:5x7"), StartsWith("column 1: the rows to tune "
                                               "for are 0"));
  EXPECT_EQ(refusal("0..0x5:5x7"), "accepted");
  EXPECT_THAT(refusal("5..x5:5x7"), StartsWith("column 4: expected M"));
  EXPECT_THAT(refusal("5.16x5:5x7"), StartsWith("column 2: expected 'x'"));
  EXPECT_THAT(refusal("5..16@x5:5x7"), StartsWith("column 7: expected M"));
  EXPECT_THAT(refusal("7@7x5:5x7"), StartsWith("column 2: expected 'x'"));
  Expected<Problem> fixed = Problem::parse("4x5:5x7");
  EXPECT_FALSE(fixed->withRowRange({3, 2, 2}));
  EXPECT_EQ(fixed->withRowRange(RowRange::between(2, 9))->text(), "2..9x5:5x7");
}

TEST(ProblemTest, CreateChecksSizes) {
  auto refusal = [](std::optional<int64_t> m, int64_t n, int64_t k) {
    Expected<Problem> problem =
        Problem::create(m, n, k, DataTypes(), Epilogue());
    return problem ? "accepted" : problem.error().message();
  };
  EXPECT_EQ(refusal(2, 3, 4), "accepted");
  EXPECT_EQ(refusal(std::nullopt, 3, 4), "accepted");
  EXPECT_EQ(refusal(-1, 3, 4), "M = -1: M is negative; sizes start at 0");
  EXPECT_EQ(refusal(1, -3, 4), "N = -3: N is negative; sizes start at 0");
  EXPECT_EQ(refusal(1, 3, Problem::kMaxDim + 1),
            "K = 2147483649 is larger than 2147483648, the largest size");
  EXPECT_THAT(refusal(1, Problem::kMaxDim, Problem::kMaxDim),
              StartsWith("w of 2147483648"));
  EXPECT_THAT(refusal(1, std::numeric_limits<int64_t>::min(), 1),
              StartsWith("N = -9223372"));
  const Expected<Problem> rows = Problem::create(
      RowRange{0, Problem::kMaxDim + 1, 512}, 3, 4, DataTypes(), Epilogue());
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().message(),
            "M = 2147483649 is larger than 2147483648, the largest size");
}

TEST(ProblemTest, RegionTextStandsInTheProblemText) {
  Epilogue region = Epilogue::fromRegion("{ region }", {}, 1);
  Expected<Problem> problem = Problem::create(1, 2, 3, DataTypes(), region);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->text(), "1x3:3x2 { region }");
}

TEST(ProblemListTest, SkipsCommentsAndBlankLines) {
  Expected<std::vector<Problem>> list =
      parseProblemList("# models\n"
                       "\n"
                       "128x768:768x3072 bias # first\r\n"
                       "   \t \n"
                       "?x5:5x7#last",
                       "models.txt");
  ASSERT_TRUE(list) << list.error().message();
  ASSERT_EQ(list->size(), 2u);
  EXPECT_EQ((*list)[0].text(), "128x768:768x3072 bias");
  EXPECT_EQ((*list)[1].text(), "?x5:5x7");
}

TEST(ProblemListTest, EmptyContentsAreAnEmptyList) {
  Expected<std::vector<Problem>> list = parseProblemList("", "models.txt");
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->empty());
}

TEST(ProblemListTest, ErrorsBeginWithFileAndLine) {
  Expected<std::vector<Problem>> list = parseProblemList(
      "1x2:2x3\n\n# comment\n1x2:2x3 rellu\n1x\n", "models.txt");
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code(), ErrorCode::parse);
  EXPECT_THAT(
      list.error().message(),
      StartsWith("models.txt:4: column 9: unknown epilogue stage \"rellu\""));
}

TEST(ProblemTitle, NamesARegionInsteadOfPrintingIt) {
  EXPECT_EQ(problemTitle("8x256:256x512 bias+relu"), "8x256:256x512 bias+relu");
  const Problem layer =
      *Problem::create(RowRange::any(), 512, 256, {},
                       Epilogue::fromRegion("{ ^bb0(%a: f32): ... }", {}, 1));
  EXPECT_EQ(problemTitle(layer.text()), "?x256:256x512 region");
}

} // namespace
