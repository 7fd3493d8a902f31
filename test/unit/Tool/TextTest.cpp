// What the tool prints: tables, numbers, reports, JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Assembly.h"
#include "ByteSize.h"
#include "JsonLine.h"
#include "PeakText.h"
#include "Progress.h"
#include "Table.h"
#include "TuningText.h"

#include <gmock/gmock.h>

#include <cstring>
#include <limits>

using namespace lintel;
using namespace lintel::tool;
using testing::HasSubstr;
using testing::Not;

namespace {

TEST(TableTest, AlignsColumns) {
  using enum Table::Align;
  Table table("  ", {left, right});
  table.addRow({"a", "1.0 ms", "x"});
  table.addRow({"long", "10.0 ms", "remark that is long"});
  table.addRow({"b"});
  EXPECT_EQ(table.text(), "  a      1.0 ms  x\n"
                          "  long  10.0 ms  remark that is long\n"
                          "  b\n");
}

TEST(TableTest, SpellsOutControls) {
  Table table("", {});
  table.addRow({"\x1b[31mred", "two\nlines"});
  EXPECT_EQ(table.text(), "\\x1b[31mred  two\\x0alines\n");
}

TEST(TableTest, Numbers) {
  EXPECT_EQ(fixed(0.61234, 4, " ms"), "0.6123 ms");
  EXPECT_EQ(fixed(1e300, 0).size(), 301u);
  EXPECT_EQ(counted(0, "entry", "entries"), "0 entries");
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counted(2, "entry", "entries"), "2 entries");
  EXPECT_EQ(bytesText(0), "0 B");
  EXPECT_EQ(bytesText(32768), "32 KiB");
  EXPECT_EQ(bytesText(1.5 * 1024 * 1024), "1.5 MiB");
}

TEST(TableTest, MillisecondsHaveThreeDigitsOrMore) {
  EXPECT_EQ(millisecondsText(2681.23), "2.6812 ms");
  EXPECT_EQ(millisecondsText(10.06), "0.0101 ms");
  EXPECT_EQ(millisecondsText(2.3), "0.00230 ms");
  EXPECT_EQ(millisecondsText(0.0431), "0.0000431 ms");
  EXPECT_EQ(millisecondsText(0), "0.0000 ms");
  EXPECT_EQ(millisecondsText(1e-300), "0.000000000 ms");
  EXPECT_EQ(millisecondsText(-1), "-0.0010 ms");
  EXPECT_EQ(millisecondsText(std::numeric_limits<double>::quiet_NaN()),
            "nan ms");
}

TEST(ByteSizeTest, SuffixesArePowersOf1024) {
  EXPECT_EQ(parseByteSize("0").value(), 0u);
  EXPECT_EQ(parseByteSize("10").value(), 10u);
  EXPECT_EQ(parseByteSize("2K").value(), 2048u);
  EXPECT_EQ(parseByteSize("3M").value(), 3u << 20);
  EXPECT_EQ(parseByteSize("1G").value(), 1u << 30);
  for (const char *text : {"", "K", "-1", "1KB", "1T", "1 K", "1.5M",
                           "18446744073709551616", "18446744073709551615K"})
    EXPECT_FALSE(parseByteSize(text)) << text;
}

TEST(TuningTotalTest, AddsUp) {
  TuningReport tuned, found;
  tuned.schedule = "tile=4x16";
  tuned.compileMilliseconds = 100;
  tuned.verifyMilliseconds = 200;
  tuned.timeMilliseconds = 300;
  tuned.totalMilliseconds = 1000;
  found.schedule = "tile=4x16";
  found.source = KernelSource::cache;
  found.totalMilliseconds = 100;
  TuningTotal total;
  EXPECT_EQ(total.problems(), 0u);
  total.add(tuned);
  total.add(found);
  total.add(tuned);
  EXPECT_EQ(total.problems(), 3u);
  EXPECT_EQ(total.text(),
            "3 problems: 2 tuned, 1 already there; compile 0.2 s, "
            "verify 0.4 s, time 0.6 s, total 2.1 s");
}

TEST(TuningTotalTest, CountsWhatWasNotTunedApart) {
  TuningReport tuned, empty, pinned, emptyBesideASchedule;
  tuned.schedule = pinned.schedule = "tile=4x16";
  pinned.source = emptyBesideASchedule.source = KernelSource::pinned;
  TuningTotal total;
  for (const TuningReport &report :
       {tuned, empty, pinned, pinned, emptyBesideASchedule})
    total.add(report);
  total.addFailure();
  EXPECT_EQ(total.problems(), 6u);
  EXPECT_THAT(
      total.text(),
      HasSubstr("6 problems: 1 tuned, 0 already there, 2 pinned, 2 with "
                "nothing to compute, 1 failed; compile"));
}

TEST(ProgressTest, LinesFitTheTerminal) {
  EXPECT_EQ(progressLine("t", 3, 48, "timing", 80), "[3/48] t: timing");
  EXPECT_EQ(progressLine("t", 3, 48, "timing", 8), "[3/48] t");
}

TEST(AssemblyTest, CountsTheBusiestFunction) {
  EXPECT_EQ(countVectorRegisters(""), 0);
  EXPECT_EQ(countVectorRegisters("f:\n vaddps %zmm31, %xmm0, %ymm0\n"
                                 "g:\n vaddps %zmm1, %zmm2, %zmm3\n.L1:\n"
                                 " vmovups %zmm4, (%rax)"),
            4);
  EXPECT_EQ(countVectorRegisters("f:\n imul %rax\n emms # comment xmm\n"), 0);
  const char *const tiles = "f:\n tilezero %tmm0\n tdpbf16ps %tmm6, %tmm4, "
                            "%tmm0\n vmovups %zmm9, (%rax)\n";
  EXPECT_EQ(countTileRegisters(tiles), 3);
  EXPECT_EQ(countVectorRegisters(tiles), 1);
}

TEST(PeakTextTest, SaysWhatWasNotMeasured) {
  ThreadPeaks peaks = {2,           {{{236.44, 230}}}, {440, 1},
                       {235.96, 1}, {200, 1},          {}};
  EXPECT_EQ(peaksText(peaks),
            "FMA 236.4 GFLOP/s; reads L1 440.0, L2 236.0, L3 200.0, memory ? "
            "GB/s");
  peaks.gflops(ProductInstruction::vpdpbusd) = {945, 1};
  EXPECT_EQ(peaksText(peaks),
            "FMA 236.4, vpdpbusd 945.0 GFLOP/s; reads L1 440.0, L2 236.0, L3 "
            "200.0, memory ? GB/s");
}

TEST(PeakTextTest, JsonHasEveryRow) {
  MachinePeaks peaks;
  peaks.machine = "isa=avx2";
  peaks.measuredUnixSeconds = 7;
  peaks.put({1, {{{9, 8}, {}, {18, 17}}}, {7, 6}, {5, 4}, {3, 2}, {}});
  const auto json = [](const std::optional<MachinePeaks> &peaks) {
    return jsonLine(
        [&](llvm::json::OStream &out) { writePeaks(out, "peaks", peaks); });
  };
  EXPECT_EQ(json(std::nullopt), "{\"peaks\":null}\n");
  EXPECT_EQ(json(peaks),
            R"({"peaks":{"machine":"isa=avx2","measured":7,"rows":[)"
            R"({"threads":1,"fma_gflops":{"best":9.000,"median":8.000},)"
            R"("vdpbf16ps_gflops":{"best":18.000,"median":17.000},)"
            R"("l1_gbps":{"best":7.000,"median":6.000},)"
            R"("l2_gbps":{"best":5.000,"median":4.000},)"
            R"("l3_gbps":{"best":3.000,"median":2.000},)"
            R"("memory_gbps":{"best":0.000,"median":0.000}}]}})"
            "\n");
}

TEST(TableTest, TimesAreShort) {
  EXPECT_EQ(timeText(1764000000).size(), std::strlen("2025-11-24 16:00"));
  EXPECT_TRUE(timeText(1764000000).starts_with("2025-11-2"));
  EXPECT_EQ(timeText(std::numeric_limits<int64_t>::max()), "?");
}

TuningReport report() {
  TuningReport report;
  report.problem = "128x768:768x3072 bias";
  report.threads = 2;
  report.isa = "avx512";
  report.schedule = "tile=8x48";
  report.medianMicroseconds = 500;
  report.gflops = 1200;
  report.peakFraction = 0.8;
  report.candidates = {{"tile=8x48", "winner", 500, ""},
                       {"tile=4x64", "timed", 1000, ""},
                       {"tile=2x16", "dropped", 0, ""},
                       {"tile=8x64", "dropped", 0, "out of memory"},
                       {"tile=6x64", "wrong", 0, "element (3, 5) is off"}};
  report.objectsCompiled = 3;
  report.compileMilliseconds = 30;
  return report;
}

TEST(TuningTextTest, HasTheShapeOfTheContract) {
  const Problem problem = Problem::parse("128x768:768x3072 bias").value();
  EXPECT_EQ(
      tuningText(problem, report()),
      "AUTOTUNE linear(128x768, 768x3072) f32 bias threads=2 isa=avx512\n"
      "  tile=8x48  0.5000 ms  100.0%  1200.0 GFLOP/s  80.0% of peak\n"
      "  tile=4x64  1.0000 ms   50.0%   600.0 GFLOP/s  40.0% of peak\n"
      "  tile=2x16  dropped: not timed\n"
      "  tile=8x64  dropped: out of memory\n"
      "  tile=6x64  wrong: element (3, 5) is off\n"
      "works on 1 of 2 threads\n"
      "5 candidates, 3 objects; compile 30.0 ms, verify 0.0 ms, time 0.0 ms, "
      "total 0.0 ms\n");
}

TEST(TuningTextTest, SaysThatATuningWasNoisy) {
  const Problem problem = Problem::parse("128x768:768x3072 bias").value();
  TuningReport noisy = report();
  noisy.noisy = true;
  noisy.key = "0123abcd";
  EXPECT_THAT(tuningText(problem, noisy),
              HasSubstr("total 0.0 ms; noisy (tune --retune tunes again)\n"));
}

/// --no-cache excludes --retune, and leaves nothing to tune again.
TEST(TuningTextTest, AdvisesNoTuningOfWhatNoCacheHolds) {
  const Problem problem = Problem::parse("128x768:768x3072 bias").value();
  TuningReport noisy = report();
  noisy.noisy = true;
  noisy.key.clear();
  EXPECT_THAT(tuningText(problem, noisy), HasSubstr("total 0.0 ms; noisy\n"));
  EXPECT_EQ(doubtText(noisy), ", from a noisy tuning");
}

/// --schedule excludes --retune.
TEST(TuningTextTest, AdvisesNoTuningOfAPinnedSchedule) {
  const Problem problem = Problem::parse("128x768:768x3072 bias").value();
  TuningReport pinned = report();
  pinned.source = KernelSource::pinned;
  EXPECT_EQ(doubtText(pinned), "");
  pinned.noisy = true;
  EXPECT_THAT(tuningText(problem, pinned), HasSubstr("total 0.0 ms; noisy\n"));
  EXPECT_EQ(doubtText(pinned), ", noisy");
  pinned.interrupted = true;
  EXPECT_EQ(doubtText(pinned), ", interrupted");
}

TEST(TuningTextTest, SaysWhatAScheduleLeavesIdle) {
  const Problem problem = Problem::parse("128x768:768x3072").value();
  EXPECT_EQ(idleText("tile=8x48,grid=1x1", problem, 4),
            "works on 1 of 4 threads");
  EXPECT_EQ(idleText("tile=8x48,grid=1x3", problem, 4),
            "works on 3 of 4 threads");
  EXPECT_EQ(idleText("tile=8x48,grid=2x2", problem, 4), "");
  EXPECT_EQ(idleText("", problem, 4), "");
}

TEST(TuningTextTest, SaysWithHowManyRowsARangeIsTimed) {
  TuningReport ranged = report();
  const auto text = [&](const char *problem) {
    return tuningText(Problem::parse(problem).value(), ranged);
  };
  EXPECT_THAT(text("5..16x768:768x3072 bias"),
              HasSubstr("isa=avx512, timed with 16 rows\n"));
  // Those are named already.
  EXPECT_THAT(text("5..16@8x768:768x3072 bias"), HasSubstr("isa=avx512\n"));
}

TEST(TuningTextTest, CountsThoseThatTie) {
  const Problem problem = Problem::parse("128x768:768x3072 bias").value();
  TuningReport tied = report();
  EXPECT_THAT(tuningText(problem, tied), Not(HasSubstr("within noise")));
  tied.candidates[1].medianMicroseconds = tied.medianMicroseconds;
  tied.candidates[2].medianMicroseconds = tied.medianMicroseconds;
  EXPECT_THAT(
      tuningText(problem, tied),
      HasSubstr("\nwithin noise of the best: 2\nworks on 1 of 2 threads\n"));
}

TuningReport reportOfBuckets() {
  TuningReport last = report(), first = report();
  first.rows = RowRange::known(1);
  first.candidates.resize(1);
  last.rows = {2, RowRange::kLargest, 64};
  TuningReport whole = last;
  whole.rows = RowRange::any();
  whole.objectsCompiled = 6;
  whole.buckets = {first, last};
  whole.panels = {{48, 1, 1.03125}, {64, 1, 1.25}, {2, 16, 2}};
  return whole;
}

TEST(TuningTextTest, ShowsEachBucketAndTheChoiceOfThePanels) {
  const Problem problem = Problem::parse("?x768:768x3072 bias").value();
  EXPECT_EQ(
      tuningText(problem, reportOfBuckets()),
      "AUTOTUNE linear(1x768, 768x3072) f32 bias threads=2 isa=avx512\n"
      "  tile=8x48  0.5000 ms  100.0%  1200.0 GFLOP/s  80.0% of peak\n"
      "works on 1 of 2 threads\n"
      "AUTOTUNE linear(2..?@64x768, 768x3072) f32 bias threads=2 isa=avx512\n"
      "  tile=8x48  0.5000 ms  100.0%  1200.0 GFLOP/s  80.0% of peak\n"
      "  tile=4x64  1.0000 ms   50.0%   600.0 GFLOP/s  40.0% of peak\n"
      "  tile=2x16  dropped: not timed\n"
      "  tile=8x64  dropped: out of memory\n"
      "  tile=6x64  wrong: element (3, 5) is off\n"
      "works on 1 of 2 threads\n"
      "panels of 48: 1.031 times the best of each kernel by itself; 64: "
      "1.250, 2 group=16: 2.000\n"
      "6 candidates, 6 objects; compile 30.0 ms, verify 0.0 ms, time 0.0 ms, "
      "total 0.0 ms\n");
}

TEST(TuningTextTest, CountsTheKernelsFromTheCache) {
  TuningReport cached = reportOfBuckets();
  cached.source = KernelSource::cache;
  cached.key = "0123abcd";
  cached.totalMilliseconds = 1.25;
  EXPECT_THAT(tuningText(Problem::parse("?x768:768x3072 bias").value(), cached),
              HasSubstr("\n2 kernels from the cache, in 1.2 ms\n"));
}

TEST(TuningTextTest, SaysWhenItIsFromTheCache) {
  TuningReport cached = report();
  cached.source = KernelSource::cache;
  cached.key = "0123abcd";
  cached.totalMilliseconds = 1.25;
  EXPECT_THAT(
      tuningText(Problem::parse("128x768:768x3072 bias").value(), cached),
      HasSubstr("\nfrom the cache, key 0123abcd, in 1.2 ms\n"));
}

TEST(TuningTextTest, SaysThatItWasInterrupted) {
  const Problem problem = Problem::parse("128x768:768x3072 bias").value();
  TuningReport cut = report();
  EXPECT_THAT(tuningText(problem, cut), Not(HasSubstr("interrupted")));
  cut.interrupted = true;
  EXPECT_THAT(tuningText(problem, cut),
              HasSubstr("; interrupted: the best so far won\n"));
}

TEST(TuningTextTest, SaysOfWhatTuningACachedKernelIs) {
  const Problem problem = Problem::parse("128x768:768x3072 bias").value();
  for (const auto &[doubt, said] :
       {std::pair(&TuningReport::noisy, "a noisy"),
        std::pair(&TuningReport::interrupted, "an interrupted")}) {
    TuningReport cached = report();
    cached.source = KernelSource::cache;
    cached.key = "0123abcd";
    cached.*doubt = true;
    EXPECT_THAT(tuningText(problem, cached),
                HasSubstr(std::string("key 0123abcd, from ") + said +
                          " tuning (tune --retune tunes again)"));
    EXPECT_EQ(doubtText(cached), std::string(", from ") + said +
                                     " tuning (tune --retune tunes again)");
  }
  EXPECT_EQ(doubtText(report()), "");
}

TEST(TuningTextTest, WhatWasNotTimedHasNoTime) {
  TuningReport cut = report();
  EXPECT_EQ(medianText(cut), millisecondsText(cut.medianMicroseconds));
  cut.promised = true;
  EXPECT_EQ(medianText(cut), "~" + millisecondsText(cut.medianMicroseconds));
  cut.medianMicroseconds = 0;
  EXPECT_EQ(medianText(cut), "not timed");
}

TEST(TuningTextTest, AKernelOfThisRunHasNoKey) {
  TuningReport repeated = report();
  repeated.source = KernelSource::cache;
  repeated.totalMilliseconds = 0.25;
  EXPECT_THAT(
      tuningText(Problem::parse("128x768:768x3072 bias").value(), repeated),
      HasSubstr("\nalready compiled in this run, in 0.2 ms\n"));
}

TEST(TuningTextTest, NothingToCompute) {
  TuningReport empty;
  empty.isa = "avx2";
  EXPECT_EQ(tuningText(Problem::parse("0x2:2x3").value(), empty),
            "AUTOTUNE linear(0x2, 2x3) f32 none threads=1 isa=avx2\n"
            "  nothing to compute\n");
}

TEST(JsonLineTest, StaysOnOneLine) {
  const std::string line = jsonLine([](llvm::json::OStream &out) {
    writeText(out, "text", "a\nb\xff");
    writeNumber(out, "number", 0.5, 3);
    writeNumber(out, "infinite", std::numeric_limits<double>::infinity(), 3);
    writeSubject(out, report());
  });
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  auto value = llvm::json::parse(line);
  ASSERT_TRUE(bool(value)) << line;
  const llvm::json::Object &object = *value->getAsObject();
  EXPECT_EQ(object.getNumber("number"), 0.5);
  EXPECT_EQ(object.getString("problem"), "128x768:768x3072 bias");
  EXPECT_EQ(object.getInteger("threads"), 2);
  EXPECT_THAT(line, HasSubstr("\"infinite\":null"));
}

} // namespace
