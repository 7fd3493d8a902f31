// Work, traffic and rates of a call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/Throughput.h"
#include "Engine/PeakMeter.h"
#include "Target/CpuCount.h"
#include "Target/HostTarget.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace lintel {
namespace {

TEST(Throughput, CountsMultiplyAndAdd) {
  EXPECT_EQ(floatingPointOperations(*Problem::parse("2x3:3x5")), 2 * 2 * 3 * 5);
  EXPECT_EQ(floatingPointOperations(*Problem::parse("2x0:0x5")), 0);
  // A dynamic M counts as the 512 rows that it is tuned with.
  EXPECT_EQ(floatingPointOperations(*Problem::parse("?x3:3x5")),
            2 * 512 * 3 * 5);
  // Beyond int64_t: no overflow.
  EXPECT_GT(floatingPointOperations(
                *Problem::parse("1048576x1048576:1048576x1048576")),
            2e18);
}

TEST(Throughput, CountsEachTensorOnce) {
  EXPECT_EQ(bytesMoved(*Problem::parse("2x3:3x5")),
            4 * (2 * 3 + 3 * 5 + 2 * 5));
  EXPECT_EQ(bytesMoved(*Problem::parse("2x3:3x5 bias+residual")),
            4 * (2 * 3 + 3 * 5 + 2 * 5 + 5 + 2 * 5));
  Epilogue region = Epilogue::fromRegion(
      "r",
      {{"a", Broadcast::scalar, DType::f32}, {"b", Broadcast::row, DType::f32}},
      2);
  EXPECT_EQ(bytesMoved(*Problem::create(2, 5, 3, DataTypes(), region)),
            4 * (2 * 3 + 3 * 5 + 2 * (2 * 5) + 1 + 2));
}

TEST(Throughput, CountsElementsInTheirTypes) {
  const char *problem = "2x3:3x5 bias+residual";
  EXPECT_EQ(bytesMoved(*Problem::parse(problem, *DataTypes::parse("bf16"))),
            2 * (2 * 3 + 3 * 5 + 2 * 5 + 5 + 2 * 5));
  EXPECT_EQ(bytesMoved(*Problem::parse(problem, *DataTypes::parse("f16:f32"))),
            2 * (2 * 3 + 3 * 5) + 4 * (2 * 5 + 5 + 2 * 5));
  EXPECT_EQ(floatingPointOperations(
                *Problem::parse(problem, *DataTypes::parse("bf16"))),
            floatingPointOperations(*Problem::parse(problem)));
}

TEST(Throughput, FillsRates) {
  TuningReport report;
  report.medianMicroseconds = 2;
  setThroughput(report, *Problem::parse("100x100:100x100"),
                {2000, PeakSource::run});
  EXPECT_DOUBLE_EQ(report.gflops, 1000); // 2e6 operations in 2 us
  EXPECT_DOUBLE_EQ(report.gbps, 60);     // 120000 bytes in 2 us
  EXPECT_DOUBLE_EQ(report.peakFraction, 0.5);
}

TEST(Throughput, NothingTimedIsZero) {
  TuningReport report;
  report.gflops = 7;
  setThroughput(report, *Problem::parse("100x100:100x100"),
                {2000, PeakSource::run});
  EXPECT_EQ(report.gflops, 0);
  EXPECT_EQ(report.gbps, 0);
  EXPECT_EQ(report.peakFraction, 0);
}

TEST(Throughput, TheLargerPeakCounts) {
  EXPECT_EQ(choosePeak(0, 0).source, PeakSource::run);
  EXPECT_EQ(choosePeak(0, 100).gflops, 100);
  EXPECT_EQ(choosePeak(0, 100).source, PeakSource::run);
  EXPECT_EQ(choosePeak(90, 100).gflops, 100);
  EXPECT_EQ(choosePeak(90, 100).source, PeakSource::run);
  EXPECT_EQ(choosePeak(110, 100).gflops, 110);
  EXPECT_EQ(choosePeak(110, 100).source, PeakSource::stored);
}

TEST(Throughput, AShareIsNeverAboveOne) {
  TuningReport report;
  report.gflops = 80;
  EXPECT_EQ(setPeakShare(report, {100, PeakSource::stored}).gflops, 100);
  EXPECT_DOUBLE_EQ(report.peakFraction, 0.8);
  EXPECT_EQ(report.peakSource, PeakSource::stored);
  report.gflops = 125;
  EXPECT_EQ(setPeakShare(report, {100, PeakSource::stored}).gflops, 125);
  EXPECT_EQ(report.peakFraction, 1);
  EXPECT_EQ(report.peakSource, PeakSource::run);
  EXPECT_EQ(setPeakShare(report, {}).gflops, 0);
  EXPECT_EQ(report.peakFraction, 0);
}

TEST(PeakMeter, MeasuresAPlausibleRate) {
  const Expected<Target> target =
      targetFromFacts(readHostFacts(), std::nullopt);
  ASSERT_TRUE(target);
  PeakMeter meter(*sequentialExecutor(), 1, *target, ProductInstruction::fma);
  EXPECT_EQ(meter.gflops(), 0);
  ASSERT_TRUE(meter.sampleFor(5));
  const double first = meter.gflops();
  EXPECT_GT(first, 0.1);
  EXPECT_LT(first, 2000); // one core
  ASSERT_TRUE(meter.sampleFor(5));
  EXPECT_GE(meter.gflops(), first);
}

TEST(PeakMeter, EachInstructionHasItsOwn) {
  const Expected<Target> target =
      targetFromFacts(readHostFacts(), std::nullopt);
  ASSERT_TRUE(target);
  for (ProductInstruction instruction : kProductInstructions) {
    if (!hasInstruction(*target, instruction))
      continue;
    PeakMeter meter(*sequentialExecutor(), 1, *target, instruction);
    ASSERT_TRUE(meter.sampleFor(5));
    EXPECT_GT(meter.gflops(), 0.1) << toString(instruction);
    EXPECT_LT(meter.gflops(), 40000) << toString(instruction); // one core
  }
}

/// One thread a part.
class ThreadEach final : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    std::vector<std::thread> threads;
    for (int32_t tid = 0; tid < maxThreads; ++tid)
      threads.emplace_back(body, context, tid, maxThreads);
    for (std::thread &thread : threads)
      thread.join();
  }
};

TEST(PeakMeter, CoresLimitTheSum) {
  if (usableCpus() < 2)
    GTEST_SKIP() << "needs a CPU for each of two threads";
  Expected<Target> target = targetFromFacts(readHostFacts(), std::nullopt);
  ASSERT_TRUE(target);
  ThreadEach executor;
  target->cores = 1;
  PeakMeter one(executor, 4, *target, ProductInstruction::fma);
  ASSERT_TRUE(one.sampleFor(5));
  target->cores = 4;
  PeakMeter four(executor, 4, *target, ProductInstruction::fma);
  ASSERT_TRUE(four.sampleFor(5));
  EXPECT_GT(four.gflops(), 1.5 * one.gflops());
}

/// Runs all parts on the calling thread, one after the other.
class TakingTurns final : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    for (int32_t tid = 0; tid < maxThreads; ++tid)
      body(context, tid, maxThreads);
  }
};

TEST(PeakMeter, PartsThatTakeTurnsDoNotAddUp) {
  const Expected<Target> target =
      targetFromFacts(readHostFacts(), std::nullopt);
  ASSERT_TRUE(target);
  PeakMeter one(*sequentialExecutor(), 1, *target, ProductInstruction::fma);
  ASSERT_TRUE(one.sampleFor(5));
  TakingTurns turns;
  PeakMeter eight(turns, 8, *target, ProductInstruction::fma);
  ASSERT_TRUE(eight.sampleFor(5));
  EXPECT_LT(eight.gflops(), 2 * one.gflops());
}

} // namespace
} // namespace lintel
