// What `lintel bench` prints: numbers, and why to doubt them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BenchReport.h"

#include <gmock/gmock.h>
#include <llvm/Support/JSON.h>

using namespace lintel;
using namespace lintel::tool;
using testing::HasSubstr;
using testing::Not;

namespace {

Timing timingOf(int64_t rows, std::string doubt) {
  Timing timing;
  timing.rows = rows;
  timing.report.medianMicroseconds = double(rows);
  timing.doubt = std::move(doubt);
  return timing;
}

/// Of a dynamic M that was timed with 1, 4 and 16 rows.
Measurement measured(std::string one, std::string four, std::string sixteen) {
  Measurement measurement;
  measurement.layer.problem = "?x2:2x3";
  measurement.layer.rows = RowRange::any();
  measurement.timings = {timingOf(1, std::move(one)),
                         timingOf(4, std::move(four)),
                         timingOf(16, std::move(sixteen))};
  return measurement;
}

llvm::json::Value jsonOf(const Measurement &measurement) {
  return llvm::cantFail(llvm::json::parse(benchJson(measurement)));
}

std::string doubtIn(const llvm::json::Value &report) {
  return report.getAsObject()->getString("doubt").value_or("none").str();
}

TEST(BenchReportTest, ADoubtIsThatOfItsRowsAndOfTheReport) {
  const llvm::json::Value report = jsonOf(measured("", "slow", ""));
  const llvm::json::Array &rows = *report.getAsObject()->getArray("rows");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(doubtIn(rows[0]), "none");
  EXPECT_EQ(doubtIn(rows[1]), "slow");
  EXPECT_EQ(doubtIn(rows[2]), "none");
  EXPECT_EQ(doubtIn(report), "with 4 rows, slow");
  EXPECT_EQ(report.getAsObject()->getNumber("median_us"), 16);
}

TEST(BenchReportTest, TheReportDoubtsItsOwnNumbersFirst) {
  EXPECT_EQ(doubtIn(jsonOf(measured("slow", "slower", "slowest"))), "slowest");
  EXPECT_EQ(doubtIn(jsonOf(measured("slow", "slower", ""))),
            "with 4 rows, slower");
  EXPECT_EQ(doubtIn(jsonOf(measured("slow", "", ""))), "with 1 row, slow");
  EXPECT_EQ(doubtIn(jsonOf(measured("", "", ""))), "none");
}

/// That of the kernel, which may have been cut short in another run, and this
/// run's timing.
TEST(BenchReportTest, TellsACutTuningFromACutTiming) {
  const auto flags = [](bool tuning, bool timing) {
    Measurement measurement = measured("", "", "");
    measurement.layer.interrupted = tuning;
    measurement.interrupted = timing;
    const llvm::json::Value report = jsonOf(measurement);
    return std::pair(report.getAsObject()->getBoolean("tuning_interrupted"),
                     report.getAsObject()->getBoolean("interrupted"));
  };
  EXPECT_EQ(flags(true, false),
            std::pair(std::optional(true), std::optional(false)));
  EXPECT_EQ(flags(false, true),
            std::pair(std::optional(false), std::optional(true)));
}

TEST(BenchReportTest, TextSaysItBesideTheRows) {
  const Problem problem = Problem::parse("?x2:2x3").value();
  EXPECT_THAT(benchText(problem, measured("", "slow", "")),
              HasSubstr("doubtful: slow\n  rows 16\n"));
  EXPECT_THAT(benchText(problem, measured("", "", "")),
              Not(HasSubstr("doubtful")));
}

} // namespace
