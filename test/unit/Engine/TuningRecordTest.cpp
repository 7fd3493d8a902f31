// The report as JSON, and the record as the cache keeps it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/TuningRecord.h"
#include "support/DecimalComma.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace lintel {
namespace {

using testing::HasSubstr;

TuningRecord sample() {
  TuningRecord record;
  record.peakGflops = 181.5;
  TuningReport &report = record.report;
  report.problem = "128x768:768x3072 bias+gelu_erf";
  report.threads = 2;
  report.isa = "avx512";
  report.cpu = "A \"quoted\" CPU";
  report.source = KernelSource::pinned;
  report.key = "0123456789abcdef0123456789abcdef";
  report.schedule = "tile=8x48,mc=128";
  report.medianMicroseconds = 1234.5;
  report.minMicroseconds = 1200.25;
  report.gflops = 170.125;
  report.gbps = 12.5;
  report.peakFraction = 0.9375;
  report.peakSource = PeakSource::stored;
  report.candidates = {{"tile=8x48,mc=128", "winner", 1234.5, ""},
                       {"tile=6x64", "timed", 1300.5, "", true},
                       {"tile=1x16", "wrong", 0, "output [3, 4] is 1, not 2"}};
  report.objectsCompiled = 7;
  report.maxError = 0.0625;
  report.noisy = true;
  report.interrupted = true;
  report.compileMilliseconds = 80.5;
  report.verifyMilliseconds = 20.25;
  report.timeMilliseconds = 900.75;
  report.totalMilliseconds = 1001.5;
  return record;
}

/// A layer with two kernels.
TuningReport sampleOfBuckets() {
  TuningReport last;
  last.rows = {2, RowRange::kLargest, 16};
  last.key = "ef";
  last.schedule = "tile=8x48";
  last.medianMicroseconds = 7;
  last.minMicroseconds = 6;
  last.candidates = {{"tile=8x48", "winner", 7, ""}};
  last.panels = {{48, 1, 1.0625}, {2, 16, 1.5}};
  TuningReport report = last, first;
  first.rows = RowRange::known(1);
  first.key = "cd";
  first.schedule = "tile=1x48";
  first.medianMicroseconds = 2;
  first.minMicroseconds = 1;
  report.problem = "?x8:8x48";
  report.rows = RowRange::any();
  report.buckets = {first, last};
  return report;
}

TEST(TuningReport, PrintsEachBucket) {
  const std::string rates =
      R"("gflops":0,"gbps":0,"peak_fraction":0,"peak_source":"run"},)";
  EXPECT_EQ(
      sampleOfBuckets().json(),
      R"({"problem":"?x8:8x48","dtype":"f32","threads":1,)"
      R"("isa":"","cpu":"","source":"tuned","key":"ef",)"
      R"("winner":{"schedule":"tile=8x48","median_us":7,"min_us":6,)" +
          rates +
          R"("candidates":[{"schedule":"tile=8x48","status":"winner","median_us":7}],)"
          R"("buckets":[)"
          R"({"rows":[1,1],"tuned_rows":1,"key":"cd",)"
          R"("winner":{"schedule":"tile=1x48","median_us":2,"min_us":1,)" +
          rates + R"("candidates":[]},)" +
          R"({"rows":[2,2147483648],"tuned_rows":16,"key":"ef",)"
          R"("winner":{"schedule":"tile=8x48","median_us":7,"min_us":6,)" +
          rates +
          R"("candidates":[{"schedule":"tile=8x48","status":"winner","median_us":7}]}],)"
          R"("panels":[{"columns":48,"group":1,"slowdown":1.0625},{"columns":2,"group":16,"slowdown":1.5}],)"
          R"("objects_compiled":0,"max_error":0,"noisy":false,"interrupted":false,)"
          R"("ms":{"compile":0,"verify":0,"time":0,"total":0}})");
}

TEST(TuningRecord, KeepsThePanelsOfABucket) {
  TuningRecord record{sampleOfBuckets().buckets.back(), 0};
  Expected<TuningRecord> read = TuningRecord::decode(record.encode());
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->report.panels.size(), 2u);
  EXPECT_EQ(read->report.panels[0].columns, 48);
  EXPECT_EQ(read->report.panels[1].group, 16);
  EXPECT_EQ(read->report.panels[1].slowdown, 1.5);
  std::string text = record.encode();
  text.replace(text.find(R"("columns":48)"), 12, R"("columns":"x")");
  read = TuningRecord::decode(text);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message(), HasSubstr("report.panels.columns"));
}

TEST(TuningReport, PrintsTheDocumentedKeysOnOneLine) {
  EXPECT_EQ(
      sample().report.json(),
      R"({"problem":"128x768:768x3072 bias+gelu_erf","dtype":"f32","threads":2,)"
      R"("isa":"avx512","cpu":"A \"quoted\" CPU","source":"pinned",)"
      R"("key":"0123456789abcdef0123456789abcdef",)"
      R"("winner":{"schedule":"tile=8x48,mc=128","median_us":1234.5,"min_us":1200.25,)"
      R"("gflops":170.125,"gbps":12.5,"peak_fraction":0.9375,)"
      R"("peak_source":"stored"},)"
      R"("candidates":[{"schedule":"tile=8x48,mc=128","status":"winner","median_us":1234.5},)"
      R"({"schedule":"tile=6x64","status":"timed","median_us":1300.5,"promised":true},)"
      R"({"schedule":"tile=1x16","status":"wrong","median_us":0,)"
      R"("reason":"output [3, 4] is 1, not 2"}],)"
      R"("objects_compiled":7,"max_error":0.0625,"noisy":true,"interrupted":true,)"
      R"("ms":{"compile":80.5,"verify":20.25,"time":900.75,"total":1001.5}})");
}

TEST(TuningReport, EscapesWhatJsonCannotHold) {
  TuningReport report;
  report.problem = "line\nbreak \x01 and \xff";
  const std::string json = report.json();
  EXPECT_EQ(json.find('\n'), std::string::npos);
  EXPECT_EQ(json.find('\xff'), std::string::npos);
}

TEST(TuningReport, NeverPrintsNumbersThatJsonLacks) {
  TuningReport report;
  report.maxError = std::numeric_limits<double>::infinity();
  report.gflops = std::numeric_limits<double>::quiet_NaN();
  const std::string json = report.json();
  EXPECT_THAT(json, HasSubstr(R"("max_error":null)"));
  EXPECT_THAT(json, HasSubstr(R"("gflops":null)"));
}

TEST(TuningRecord, RoundTrips) {
  const std::string text = sample().encode();
  Expected<TuningRecord> read = TuningRecord::decode(text);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->encode(), text);
  EXPECT_EQ(read->peakGflops, 181.5);
  EXPECT_TRUE(read->report.interrupted);
  EXPECT_EQ(read->report.source, KernelSource::pinned);
  EXPECT_EQ(read->report.candidates.size(), 3u);
  EXPECT_FALSE(read->report.candidates[0].promised);
  EXPECT_TRUE(read->report.candidates[1].promised);
  EXPECT_FALSE(read->report.promised);
  EXPECT_EQ(read->report.candidates[2].reason, "output [3, 4] is 1, not 2");
}

TEST(TuningRecord, KeepsWhetherTheTimesAreOfAPart) {
  TuningRecord record = sample();
  record.report.promised = true;
  EXPECT_THAT(record.report.json(),
              HasSubstr(R"("min_us":1200.25,"promised":true,)"));
  Expected<TuningRecord> read = TuningRecord::decode(record.encode());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_TRUE(read->report.promised);
}

TEST(TuningRecord, KeepsTheTypes) {
  TuningRecord record = sample();
  record.report.types = *DataTypes::parse("bf16:f32");
  EXPECT_THAT(record.report.json(), HasSubstr(R"("dtype":"bf16:f32")"));
  Expected<TuningRecord> read = TuningRecord::decode(record.encode());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->report.types, record.report.types);
}

TEST(TuningRecord, IsTheSameInEveryLocale) {
  const std::string expected = sample().encode();
  const DecimalComma locale;
  EXPECT_EQ(sample().encode(), expected);
  Expected<TuningRecord> read = TuningRecord::decode(expected);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->report.medianMicroseconds, 1234.5);
  if (!locale.isInstalled())
    GTEST_SKIP() << "no locale with a decimal comma is installed";
}

std::string with(std::string text, std::string_view from, std::string_view to) {
  const size_t position = text.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  return text.replace(position, from.size(), to);
}

TEST(TuningRecord, RefusesWhatIsNotOne) {
  const std::string good = sample().encode();
  struct Case {
    std::string text;
    const char *message;
  };
  for (const Case &bad : {
           Case{"", "tuning record: "},
           Case{"{", "tuning record: "},
           Case{"[]", "tuning record: record must be an integer"},
           Case{with(good, R"("peak_source":"stored")", R"("peak_source":"")"),
                "report.winner.peak_source must be stored or run"},
           Case{with(good, R"("record":1)", R"("record":2)"),
                "record must be 1"},
           Case{with(good, R"(,"peak_source":"stored")", ""),
                "report.winner.peak_source must be"},
           Case{with(good, R"("noisy":true,)", ""),
                "report.noisy must be true or false"},
           Case{with(good, R"("interrupted":true)", R"("interrupted":1)"),
                "report.interrupted must be true or false"},
           Case{with(good,
                     R"("schedule":"tile=8x48,mc=128","median_us":1234.5,"min)",
                     R"("schedule":8,"median_us":1234.5,"min)"),
                "report.winner.schedule must be text"},
           Case{with(good, R"("dtype":"f32")", R"("dtype":"f31")"),
                "report.dtype must be"},
           Case{with(good, R"("source":"pinned")", R"("source":"moon")"),
                "report.source must be"},
           Case{with(good, R"("threads":2)", R"("threads":-2)"),
                "report.threads must be"},
           Case{with(good, R"("candidates":[{)", R"("candidates":[7,{)"),
                "report.candidates.schedule must be text"},
           Case{with(good, R"("total":1001.5)", R"("sum":1001.5)"),
                "report.ms.total must be a number"},
           Case{std::string(1 << 20, '['), "nested too deep"},
       }) {
    Expected<TuningRecord> read = TuningRecord::decode(bad.text);
    ASSERT_FALSE(read) << bad.message;
    EXPECT_EQ(read.error().code(), ErrorCode::corrupt);
    EXPECT_THAT(read.error().message(), HasSubstr(bad.message));
  }
}

TEST(TuningRecord, EveryPrefixIsRefused) {
  const std::string good = sample().encode();
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(TuningRecord::decode(good.substr(0, length))) << length;
}

TEST(KernelSource, HasNames) {
  EXPECT_EQ(toString(KernelSource::tuned), "tuned");
  EXPECT_EQ(toString(KernelSource::cache), "cache");
  EXPECT_EQ(toString(KernelSource::pinned), "pinned");
}

} // namespace
} // namespace lintel
