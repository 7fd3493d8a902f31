// What `lintel check` prints: which candidates are not right, as text and JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckReport.h"

#include <gmock/gmock.h>
#include <llvm/Support/JSON.h>

using namespace lintel;
using namespace lintel::tool;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

CheckReport reportOn(std::vector<Candidate> candidates) {
  TuningReport subject;
  subject.problem = "1x2:2x3";
  subject.isa = "avx2";
  return {Problem::parse("1x2:2x3").value(), subject, std::move(candidates)};
}

Candidate candidate(const char *schedule, CandidateStatus status,
                    double maxError, std::string reason) {
  return {Schedule::parse(schedule).value(),
          status,
          0,
          0,
          maxError,
          std::move(reason)};
}

TEST(CheckReportTest, NamesWhatIsNotRight) {
  const CheckReport report = reportOn(
      {candidate("tile=1x16", CandidateStatus::right, 0.25, ""),
       candidate("tile=2x16", CandidateStatus::wrong, 7, "result at (0, 1)"),
       candidate("tile=3x16", CandidateStatus::failed, 0, "does not compile")});
  EXPECT_FALSE(report.isRight());
  const std::string text = checkText(report);
  EXPECT_THAT(text, HasSubstr("CHECK linear(1x2, 2x3) f32 none"));
  EXPECT_THAT(text, HasSubstr(report.candidates[1].schedule.text() +
                              "  wrong: result at (0, 1)\n"));
  EXPECT_THAT(text, HasSubstr(report.candidates[2].schedule.text() +
                              "  failed: does not compile\n"));
  EXPECT_THAT(text, Not(HasSubstr("tile=1x16")));
  EXPECT_THAT(text, HasSubstr("1 right, 1 wrong, 1 failed; largest error "
                              "7.0000 of what is allowed\n"));
  auto json = llvm::json::parse(checkJson(report));
  ASSERT_TRUE(bool(json));
  EXPECT_EQ(json->getAsObject()->getInteger("wrong"), 1);
  EXPECT_EQ(json->getAsObject()->getArray("candidates")->size(), 3u);
}

TEST(CheckReportTest, CountsThoseThatAnInterruptLeft) {
  constexpr const char *kLeft = "interrupted before it was compiled";
  std::vector<Candidate> candidates(
      200, candidate("tile=1x16", CandidateStatus::unchecked, 0, kLeft));
  candidates.push_back(candidate("tile=2x16", CandidateStatus::unchecked, 0,
                                 "takes too much memory"));
  const std::string text = checkText(reportOn(std::move(candidates)));
  EXPECT_THAT(text, HasSubstr("  200 schedules"));
  EXPECT_THAT(text, HasSubstr(std::string("not checked: ") + kLeft + "\n"));
  EXPECT_THAT(text, HasSubstr("not checked: takes too much memory\n"));
  EXPECT_THAT(text, Not(HasSubstr("tile=1x16")));
  EXPECT_THAT(text, HasSubstr(", 201 not checked"));
}

TEST(CheckReportTest, SaysWhereThereIsNothingToCheck) {
  EXPECT_THAT(checkText(reportOn({})), HasSubstr("\n  nothing to compute\n"));
  EXPECT_THAT(checkText(reportOn({})), Not(HasSubstr("right")));
}

TEST(CheckReportTest, HasNoErrorOfWhatWasNotCompared) {
  const CheckReport report =
      reportOn({candidate("tile=1x16", CandidateStatus::failed, 0, "why")});
  EXPECT_THAT(checkText(report), HasSubstr("0 right, 0 wrong, 1 failed\n"));
}

TEST(CheckReportTest, SaysThatRoundingIsPartOfTheError) {
  CheckReport report =
      reportOn({candidate("tile=1x16", CandidateStatus::right, 0.9998, "")});
  report.problem = Problem::parse("1x2:2x3", DataTypes{DType::bf16, DType::bf16,
                                                       DType::bf16})
                       .value();
  EXPECT_THAT(checkText(report),
              HasSubstr("largest error 0.9998 of what is allowed (rounding to "
                        "bf16 alone may take nearly all of it)\n"));
}

TEST(CheckReportTest, RightIfAllAreOrThereIsNothing) {
  EXPECT_TRUE(reportOn({}).isRight());
  EXPECT_TRUE(
      reportOn({candidate("tile=1x16", CandidateStatus::right, 0.5, "")})
          .isRight());
}

TEST(CheckReportTest, CountsWhatWasNotCheckedWithoutFailing) {
  const CheckReport report = reportOn(
      {candidate("tile=1x16", CandidateStatus::right, 0.25, ""),
       candidate("tile=2x16", CandidateStatus::unchecked, 0, "no memory")});
  EXPECT_TRUE(report.isRight());
  EXPECT_THAT(checkText(report),
              AllOf(HasSubstr(report.candidates[1].schedule.text() +
                              "  not checked: no memory\n"),
                    HasSubstr("1 right, 0 wrong, 0 failed, 1 not checked; "
                              "largest error 0.2500")));
  auto json = llvm::json::parse(checkJson(report));
  ASSERT_TRUE(bool(json));
  const llvm::json::Object &object = *json->getAsObject();
  EXPECT_EQ(object.getInteger("right"), 1);
  EXPECT_EQ(object.getInteger("not_checked"), 1);
  const auto &candidates = *object.getArray("candidates");
  EXPECT_EQ(candidates[0].getAsObject()->getString("status"), "right");
  EXPECT_EQ(candidates[1].getAsObject()->getString("status"), "not checked");
  EXPECT_EQ(candidates[1].getAsObject()->getString("reason"), "no memory");
}

} // namespace
