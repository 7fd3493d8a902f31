// Schedules checked against the oracle, without a race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/FewAddresses.h"
#include "unit/Tuning/TunerFixture.h"
#include "unit/Tuning/WrappingLoader.h"

#include "Schedule/Legality.h"
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <optional>

using namespace lintel;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

namespace {

using CheckTest = TunerTest;

TEST_F(CheckTest, TimesNothing) {
  const Problem problem = problemOf("29x64:64x80 bias+gelu_erf");
  const std::vector<Schedule> schedules =
      selectCandidates(problem, hostTarget(), 2, 12, 4);
  Expected<std::vector<Candidate>> checked =
      realTuner()->check(problem, schedules, quick());
  ASSERT_TRUE(checked) << checked.error().message();
  ASSERT_THAT(*checked, SizeIs(schedules.size()));
  for (size_t i = 0; i < schedules.size(); ++i) {
    const Candidate &candidate = (*checked)[i];
    EXPECT_EQ(candidate.schedule, schedules[i]);
    EXPECT_EQ(candidate.status, CandidateStatus::right) << candidate.reason;
    EXPECT_EQ(candidate.medianMicroseconds, 0);
    EXPECT_GT(candidate.maxError, 0);
    EXPECT_LE(candidate.maxError, 1);
  }
}

TEST_F(CheckTest, TakesKernelsOfAShortKThatCopyRegisters) {
  // With avx512-bf16 the loop over pairs of K, which runs once, copies an
  // address.
  const Problem problem =
      Problem::parse("31x3:3x100 residual", *DataTypes::parse("bf16")).value();
  const std::vector<Schedule> schedules =
      enumerateSchedules(problem, hostTarget(), 1);
  Expected<std::vector<Candidate>> checked =
      realTuner()->check(problem, schedules, quick(1));
  ASSERT_TRUE(checked) << checked.error().message();
  EXPECT_THAT(*checked, SizeIs(schedules.size()));
  for (const Candidate &candidate : *checked)
    EXPECT_EQ(candidate.status, CandidateStatus::right)
        << candidate.schedule.text() << ": " << candidate.reason;
}

TEST_F(CheckTest, FindsNoFaultWithWhatItWasStoppedBefore) {
  const Problem problem = problemOf("29x64:64x80");
  TuningOptions stopped = quick();
  stopped.stop = [] { return true; };
  Expected<std::vector<Candidate>> checked = realTuner()->check(
      problem, selectCandidates(problem, hostTarget(), 1, 5, 3), stopped);
  ASSERT_TRUE(checked) << checked.error().message();
  EXPECT_THAT(*checked,
              AllOf(Not(IsEmpty()), Each(Field(&Candidate::status,
                                               CandidateStatus::unchecked))));
}

TEST_F(CheckTest, FindsWrongKernels) {
  auto loader =
      std::make_shared<SabotagingLoader>(Loader::create().value(), 1000);
  const Problem problem = problemOf("29x64:64x80");
  Expected<std::vector<Candidate>> checked = tunerWith(loader)->check(
      problem, selectCandidates(problem, hostTarget(), 1, 5, 2), quick());
  ASSERT_TRUE(checked) << checked.error().message();
  EXPECT_THAT(*checked,
              AllOf(Not(IsEmpty()),
                    Each(Field(&Candidate::status, CandidateStatus::wrong))));
}

/// Multiples of 1/8 and of smaller powers of two are exact data.
bool holdsExactData(const KernelArgs &args) {
  const auto *x = static_cast<const float *>(args.x);
  return std::all_of(x, x + 33, [](float value) {
    return std::rint(0x1p12F * value) == 0x1p12F * value;
  });
}

/// Writes what the original does, but is off on fewer rows than the whole is
/// checked on, and only where sums round.
void offWhereSumsRound(const WrappedCall &call) {
  call.run();
  if (call.args->m < 300 && !holdsExactData(*call.args))
    static_cast<float *>(call.args->outputs[0].data)[0] += 1e6;
}

/// Tiles of 28 rows are judged on 812.
TEST_F(CheckTest, JudgesTallTilesOfADynamicMOnBothKindsOfData) {
  if (hostTarget().isa != IsaLevel::avx512)
    GTEST_SKIP() << "tiles of 28 rows take 32 registers";
  const Problem problem = problemOf("65..?@512x33:33x64");
  const std::vector<Schedule> tall = {*Schedule::parse("tile=28x16")};
  Expected<std::vector<Candidate>> checked =
      tunerWith(std::make_shared<WrappingLoader<offWhereSumsRound>>())
          ->check(problem, tall, quick(1));
  ASSERT_TRUE(checked) << checked.error().message();
  EXPECT_EQ(checked->front().status, CandidateStatus::wrong);
  checked = realTuner()->check(problem, tall, quick(1));
  EXPECT_EQ(checked->front().status, CandidateStatus::right);
}

TEST_F(CheckTest, TakesWhatARaceWouldDrop) {
  // No slice that a race would take is cut into the strips of all of these.
  const Problem problem = problemOf("3603600x64:64x32");
  std::vector<Schedule> schedules;
  for (int64_t mr : {2, 3, 4, 5, 7, 8, 9, 11, 13})
    for (int64_t nr : {4, 8, 16}) { // a vector, on one target or another
      Schedule schedule;
      schedule.mr = mr;
      schedule.nr = nr;
      if (checkSchedule(schedule, problem, hostTarget()))
        schedules.push_back(schedule);
    }
  ASSERT_THAT(schedules, SizeIs(Ge(5u)));
  Expected<std::vector<Candidate>> checked =
      realTuner()->check(problem, schedules, quick());
  ASSERT_TRUE(checked) << checked.error().message();
  EXPECT_THAT(*checked, SizeIs(schedules.size()));
  for (const Candidate &candidate : *checked) {
    EXPECT_EQ(candidate.status, CandidateStatus::right)
        << candidate.schedule.text() << ": " << candidate.reason;
    EXPECT_GT(candidate.maxError, 0) << candidate.schedule.text();
  }
}

TEST_F(CheckTest, SaysWhatItDidNotCheckWhenStopped) {
  const Problem problem = problemOf("29x64:64x80");
  bool verifying = false;
  TuningOptions options = quick();
  options.progress = [&](size_t, size_t, std::string_view what) {
    verifying |= what == "verifying";
  };
  options.stop = [&] { return verifying; };
  Expected<std::vector<Candidate>> checked = realTuner()->check(
      problem, selectCandidates(problem, hostTarget(), 1, 5, 2), options);
  ASSERT_TRUE(checked) << checked.error().message();
  EXPECT_EQ(checked->front().status, CandidateStatus::right);
  EXPECT_EQ(checked->back().status, CandidateStatus::unchecked);
  EXPECT_NE(checked->back().reason, "");
}

/// 64 MiB of weights find room, but not once more, packed.
TEST_F(CheckTest, FindsNoFaultWithWhatItHasNoMemoryFor) {
  std::optional<FewAddresses> few;
  TuningOptions options = quick(1);
  options.progress = [&](size_t, size_t, std::string_view what) {
    if (what == "compiling" && !few)
      few.emplace(rlim_t(100) << 20);
  };
  Expected<std::vector<Candidate>> checked = realTuner()->check(
      problemOf("4x4096:4096x4096"), {*Schedule::parse("tile=1x16")}, options);
  ASSERT_TRUE(few && *few);
  few.reset();
  ASSERT_TRUE(checked) << checked.error().message();
  EXPECT_EQ(checked->front().status, CandidateStatus::unchecked);
  EXPECT_THAT(checked->front().reason, HasSubstr("out of memory"));
}

TEST_F(CheckTest, RefusesIllegalSchedules) {
  EXPECT_TRUE(realTuner()->check(problemOf("4x4:4x4"), {}, quick())->empty());
  EXPECT_FALSE(realTuner()->check(problemOf("4x4:4x4"),
                                  {*Schedule::parse("tile=1x3")}, quick()));
}

TEST_F(CheckTest, RefusesProblemsWithoutOutput) {
  for (const char *problem : {"0x4:4x4", "4x4:4x0"}) {
    Expected<std::vector<Candidate>> checked =
        realTuner()->check(problemOf(problem), {}, quick());
    ASSERT_FALSE(checked) << problem;
    EXPECT_EQ(checked.error().code(), ErrorCode::invalidArgument);
  }
}

} // namespace
