// What is known of the schedules of a tuning.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Contenders.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

Schedule tile(int64_t mr) {
  Schedule schedule;
  schedule.mr = mr;
  return schedule;
}

/// Four, of which the third was never timed.
Contenders fourTimed() {
  Contenders field({tile(1), tile(2), tile(3), tile(4)}, "a layer");
  const double times[] = {30, 10, 0, 20};
  for (size_t i = 0; i < field.size(); ++i) {
    Candidate &report = field[i].report;
    report.medianMicroseconds = times[i];
    report.minMicroseconds = times[i] / 2;
  }
  return field;
}

TEST(Contenders, AreFoundByTheirSchedules) {
  Contenders field = fourTimed();
  EXPECT_EQ(field.find(tile(3)), 2U);
  EXPECT_FALSE(field.find(tile(5)));
  EXPECT_EQ(field.add(tile(5)), 4U);
  EXPECT_EQ(field.find(tile(5)), 4U);
  EXPECT_EQ(field.schedules().back(), tile(5));
}

TEST(Contenders, ComeFastestFirstAndUntimedLast) {
  Contenders field = fourTimed();
  EXPECT_THAT(field.fastestFirst(), ElementsAre(1, 3, 0, 2));
  field.exclude(1, CandidateStatus::dropped, "for once");
  EXPECT_THAT(field.fastestFirst(), ElementsAre(3, 0, 2));
  EXPECT_THAT(field.alive(), ElementsAre(0, 2, 3));
}

TEST(Contenders, KeepTimesOnlyOfThoseThatCount) {
  Contenders field = fourTimed();
  field.exclude(0, CandidateStatus::wrong, "3 of 4 are wrong");
  field.exclude(1, CandidateStatus::dropped, "gave way");
  EXPECT_EQ(field.timeOf(0), 0);
  EXPECT_EQ(field[0].report.minMicroseconds, 0);
  EXPECT_EQ(field.timeOf(1), 10);
}

TEST(Contenders, ThatCouldNotRunAreNotWrong) {
  Contenders field = fourTimed();
  const Candidate before = field[0].report;
  EXPECT_FALSE(field.couldNotRun(0));
  field.exclude(0, CandidateStatus::failed, "no memory");
  field.exclude(1, CandidateStatus::wrong, "3 of 4 are wrong");
  EXPECT_TRUE(field.couldNotRun(0));
  EXPECT_FALSE(field.couldNotRun(1));
  field.putBack(0, before);
  EXPECT_TRUE(field[0].alive);
  EXPECT_EQ(field.timeOf(0), 30);
  EXPECT_EQ(field[0].report.reason, "");
}

TEST(Contenders, OfAnotherWindowAreRescaled) {
  Contenders field = fourTimed();
  // The second and the fourth ran again, in a window twice as slow.
  field[1].report.medianMicroseconds = 20;
  field[3].report.medianMicroseconds = 41;
  field.rescaleOthers({1, 3}, 2, 20);
  EXPECT_EQ(field.timeOf(0), 60);
  EXPECT_EQ(field[0].report.minMicroseconds, 30);
  EXPECT_EQ(field.timeOf(1), 20);
  EXPECT_EQ(field.timeOf(2), 0) << "never timed";
  EXPECT_EQ(field.timeOf(3), 41);
}

TEST(Contenders, AreNeverFasterThanTheFastest) {
  Contenders field = fourTimed();
  field.rescaleOthers({3}, 0.1, 20);
  EXPECT_EQ(field.timeOf(0), 20);
  EXPECT_EQ(field[0].report.minMicroseconds, 1.5);
  EXPECT_EQ(field.timeOf(1), 20);
}

/// Lack of memory is nothing that another panel would mend.
TEST(Contenders, FailWithTheErrorThatTheyMet) {
  Contenders field = fourTimed();
  field.exclude(0, CandidateStatus::dropped, "spills");
  field.exclude(1, CandidateStatus::failed,
                Error(ErrorCode::io, "no memory for its workspace"));
  EXPECT_EQ(field.nothingRight().code(), ErrorCode::io);
  EXPECT_THAT(field.nothingRight().message(),
              HasSubstr("no memory for its workspace"));
  // Where others failed otherwise, another panel may do.
  field.exclude(2, CandidateStatus::failed, "it does not compile");
  EXPECT_EQ(field.nothingRight().code(), ErrorCode::compile);
}

TEST(Contenders, OnesThatAreBackHaveNoError) {
  Contenders field = fourTimed();
  const Candidate before = field[1].report;
  field.exclude(1, CandidateStatus::failed, Error(ErrorCode::io, "no memory"));
  field.putBack(1, before);
  field.exclude(1, CandidateStatus::failed, "it does not compile");
  EXPECT_EQ(field.nothingRight().code(), ErrorCode::compile);
}

TEST(Contenders, TellWhoIsWrong) {
  Contenders field = fourTimed();
  field.exclude(0, CandidateStatus::failed, "spills");
  EXPECT_EQ(field.firstWrong(), "");
  field.exclude(2, CandidateStatus::wrong, "3 of 4 are wrong");
  EXPECT_EQ(field.firstWrong(), "; " + tile(3).text() + ": 3 of 4 are wrong");
}

TEST(Contenders, BlameTheWrongOneFirst) {
  Contenders field = fourTimed();
  field.exclude(0, CandidateStatus::dropped, "no memory for it");
  EXPECT_THAT(field.nothingRight().message(), HasSubstr("no memory for it"));
  field.exclude(1, CandidateStatus::failed, "spills");
  EXPECT_THAT(field.nothingRight().message(), HasSubstr("spills"));
  EXPECT_EQ(field.nothingRight().code(), ErrorCode::compile);
  field.exclude(3, CandidateStatus::wrong, "3 of 4 are wrong");
  const Error error = field.nothingRight();
  EXPECT_EQ(error.code(), ErrorCode::wrongResult);
  EXPECT_EQ(error.message(),
            "a layer: none of 4 schedules gave a kernel that is right and "
            "fast; " +
                tile(4).text() + ": 3 of 4 are wrong");
}

} // namespace
