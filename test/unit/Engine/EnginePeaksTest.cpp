// Kept peaks: found by engines of the same machine, and referred to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/EnginePeaks.h"

#include "Engine/EngineImpl.h"
#include "Engine/PeakMeter.h"
#include "Target/CpuCount.h"
#include "Target/Fingerprint.h"
#include "unit/Engine/LayerCheck.h"
#include "unit/Runtime/PlannedCalls.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sched.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace lintel {
namespace {

using testing::HasSubstr;

class EnginePeaks : public testing::Test {
protected:
  std::unique_ptr<Engine> engine(int threads = 1,
                                 std::shared_ptr<Executor> executor = nullptr) {
    EngineOptions options;
    options.cacheDirectory = directory.path();
    options.threads = threads;
    options.executor = std::move(executor);
    Expected<std::unique_ptr<Engine>> made = Engine::create(std::move(options));
    EXPECT_TRUE(made);
    return std::move(*made);
  }

  /// Keeps peaks for this machine with one thread: of FMA, and of all other
  /// instructions twice as much.
  void keep(double gflops) {
    auto keeper = engine();
    const Engine::Impl &impl = keeper->internals();
    MachinePeaks peaks;
    peaks.machine = machineFingerprint(impl.facts, impl.target);
    ThreadPeaks row{1, {}, {5, 4}, {4, 3}, {3, 2}, {2, 1}};
    row.productGflops.fill({2 * gflops, 2 * gflops});
    row.gflops(ProductInstruction::fma) = {gflops, gflops};
    peaks.put(row);
    ASSERT_TRUE(impl.cache->putPeaks(peaks));
  }

  TuningReport tune(Engine &engine, const DataTypes &types = {}) {
    CompileOptions options;
    options.budgetMilliseconds = 20;
    Expected<Linear> layer =
        engine.compile(*Problem::parse("24x32:32x48", types), options);
    EXPECT_TRUE(layer);
    return layer->report();
  }

  TemporaryDirectory directory;
};

TEST_F(EnginePeaks, NoneAreKnownAtFirst) {
  auto subject = engine();
  EXPECT_TRUE(subject->host().peaks.empty());
  EXPECT_EQ(subject->internals().storedPeakGflops({}), 0);
  EXPECT_EQ(tune(*subject).peakSource, PeakSource::run);
}

TEST_F(EnginePeaks, KeptOnesAreReferredTo) {
  keep(1e6);
  auto subject = engine();
  const HostReport host = subject->host();
  ASSERT_EQ(host.peaks.size(), 1u);
  EXPECT_EQ(host.peaks[0].threads, 1);
  const std::pair<std::string, double> fma = {"fma", 1e6};
  EXPECT_EQ(host.peaks[0].gflops.front(), fma);
  EXPECT_EQ(host.peaks[0].gflops.size(), kProductInstructions.size());
  EXPECT_EQ(host.peaks[0].l1Gbps, 5);
  EXPECT_EQ(host.peaks[0].memoryGbps, 2);
  const TuningReport report = tune(*subject);
  EXPECT_EQ(report.peakSource, PeakSource::stored);
  EXPECT_NEAR(report.peakFraction, report.gflops / 1e6, 1e-9);
}

TEST_F(EnginePeaks, WhyKeptOnesAreNotUsedIsKnown) {
  keep(1e6);
  EXPECT_EQ(engine()->internals().peaksProblem, "");
  std::string file;
  for (const auto &each : std::filesystem::directory_iterator(directory.path()))
    file = each.path().string();
  ASSERT_TRUE(file.ends_with(".peaks")) << file;
  std::ofstream(file, std::ios::app) << "\n";
  auto subject = engine();
  EXPECT_TRUE(subject->internals().peaksProblem.starts_with(file + ": "));
  EXPECT_FALSE(subject->internals().storedPeaks);
}

TEST_F(EnginePeaks, ALayerRefersToTheInstructionOfItsTypes) {
  keep(1e6);
  auto subject = engine();
  const Target &target = subject->internals().target;
  for (const char *text : {"f32", "f16", "bf16", "bf16:f32", "u8s8"}) {
    const DataTypes types = *DataTypes::parse(text);
    const bool isFma =
        bestInstruction(target, types) == ProductInstruction::fma;
    const auto parts = static_cast<double>(partsOfProduct(target, types));
    EXPECT_EQ(subject->internals().storedPeakGflops(types),
              (isFma ? 1e6 : 2e6) / parts)
        << text;
  }
  const DataTypes bf16 = *DataTypes::parse("bf16");
  const TuningReport report = tune(*subject, bf16);
  EXPECT_NEAR(report.peakFraction,
              report.gflops / subject->internals().storedPeakGflops(bf16),
              1e-9);
}

/// As a peak that was measured again and is lower now.
TEST_F(EnginePeaks, OneThatIsNoLongerKeptIsNotTheRuns) {
  keep(1e6);
  EXPECT_EQ(tune(*engine()).peakSource, PeakSource::stored);
  for (const auto &each : std::filesystem::directory_iterator(directory.path()))
    if (each.path().extension() == ".peaks")
      std::filesystem::remove(each.path());
  const TuningReport report = tune(*engine());
  EXPECT_EQ(report.source, KernelSource::cache);
  EXPECT_EQ(report.peakSource, PeakSource::run);
  EXPECT_GT(report.peakFraction, 1000 * report.gflops / 1e6);
}

/// Its parts that were left out would count as slow.
TEST_F(EnginePeaks, ThoseOfAnExecutorThatDropsPartsAreNone) {
  auto subject = engine(2, std::make_shared<DroppingExecutor>(1, 2));
  const Expected<double> peak = subject->measurePeak({});
  ASSERT_FALSE(peak);
  EXPECT_NE(peak.error().message().find("after 1 of 2 parts"),
            std::string::npos)
      << peak.error().message();
  EXPECT_FALSE(subject->internals().measurePeaks());
}

/// What both ways to measure say of threads that have no CPU each.
void expectNotMeasured(Engine &subject, const char *why) {
  const Expected<MachinePeaks> measured = subject.internals().measurePeaks();
  ASSERT_FALSE(measured);
  EXPECT_THAT(measured.error().message(), HasSubstr(why));
  const Expected<ThreadPeaks> glance = glanceAtPeaks(subject.internals());
  ASSERT_FALSE(glance);
  EXPECT_EQ(glance.error().message(), measured.error().message());
}

TEST_F(EnginePeaks, AreNotMeasuredOnFewerThreads) {
  if (usableCpus() < 2)
    GTEST_SKIP() << "needs a CPU for each of two threads";
  expectNotMeasured(*engine(2, sequentialExecutor()),
                    "only 1 of the engine's 2 threads run");
}

/// At once: a look at 1024 threads on two CPUs took minutes and gigabytes.
TEST_F(EnginePeaks, AreNotMeasuredOfMoreThreadsThanCpus) {
  if (usableCpus() >= kMaxThreads)
    GTEST_SKIP() << "needs fewer CPUs than an engine may have threads";
  expectNotMeasured(*engine(kMaxThreads), "not of 1024 threads on ");
}

/// Binds all its threads to the CPU of the first, as OMP_PLACES={0} does.
struct OneCpu final : Executor {
  void run(int32_t threads, ParallelBody body, void *context) override {
    std::vector<std::jthread> team;
    for (int32_t part = 0; part < threads; ++part)
      team.emplace_back([=] {
        cpu_set_t first;
        CPU_ZERO(&first);
        CPU_SET(sched_getcpu(), &first);
        static const cpu_set_t shared = first;
        ASSERT_EQ(sched_setaffinity(0, sizeof shared, &shared), 0);
        body(context, part, threads);
      });
  }
};

TEST_F(EnginePeaks, AreNotMeasuredOfThreadsThatShareACpu) {
  if (usableCpus() < 2)
    GTEST_SKIP() << "needs a CPU for each of two threads";
  expectNotMeasured(*engine(2, std::make_shared<OneCpu>()),
                    "2 threads are bound to fewer CPUs, 1, ");
}

/// Each is timed by itself, as fast as one that has the CPU alone.
TEST_F(EnginePeaks, RatesOfThreadsThatShareACpuDoNotAddUp) {
  Target target = engine()->internals().target;
  target.cores = 2;
  OneCpu executor;
  PeakMeter one(executor, 1, target, ProductInstruction::fma),
      two(executor, 2, target, ProductInstruction::fma);
  for (int round = 0; round < 9; ++round) {
    ASSERT_TRUE(one.sampleOnce());
    ASSERT_TRUE(two.sampleOnce());
  }
  EXPECT_EQ(two.threadsSeen(), 2);
  EXPECT_EQ(two.threadsAtOnce(), 1);
  EXPECT_LT(two.gflops(), 1.5 * one.gflops());
}

TEST_F(EnginePeaks, AQuickLookIsOfTheEnginesThreads) {
  const Expected<ThreadPeaks> now = glanceAtPeaks(engine()->internals());
  ASSERT_TRUE(now) << now.error().message();
  EXPECT_EQ(now->threads, 1);
  EXPECT_GT(now->gflops(ProductInstruction::fma).best, 0.1);
  EXPECT_EQ(now->measuredUnixSeconds, 0); // not kept
}

TEST_F(EnginePeaks, OfTypesThatNoProblemHasThereIsNone) {
  DataTypes types;
  types.activation = DType::u8;
  const Expected<double> peak = engine()->measurePeak(types);
  ASSERT_FALSE(peak);
  EXPECT_EQ(peak.error().code(), types.check().error().code());
}

TEST_F(EnginePeaks, WhatAnExecutorThrowsIsAnError) {
  struct Throwing final : Executor {
    void run(int32_t, ParallelBody, void *) override {
      throw std::runtime_error("boom");
    }
  };
  const Expected<double> peak =
      engine(2, std::make_shared<Throwing>())->measurePeak();
  ASSERT_FALSE(peak);
  EXPECT_EQ(peak.error().message(), "measuring the peak failed: boom");
}

TEST_F(EnginePeaks, OneThatTheRunExceedsIsNot) {
  keep(0.001);
  const TuningReport report = tune(*engine());
  EXPECT_EQ(report.peakSource, PeakSource::run);
  EXPECT_GT(report.peakFraction, 0);
  EXPECT_LE(report.peakFraction, 1);
}

TEST_F(EnginePeaks, AKernelFromTheCacheRefersToPeaksKeptLater) {
  const TuningReport tuned = tune(*engine());
  keep(1e6);
  const TuningReport found = tune(*engine());
  EXPECT_EQ(found.source, KernelSource::cache);
  EXPECT_EQ(found.peakSource, PeakSource::stored);
  EXPECT_LT(found.peakFraction, tuned.peakFraction);
}

TEST_F(EnginePeaks, OtherThreadsHaveOtherPeaks) {
  keep(1e6);
  EXPECT_EQ(engine(1)->internals().storedPeakGflops({}), 1e6);
  EXPECT_EQ(engine(2)->internals().storedPeakGflops({}), 0);
  // Nobody knows what the embedder's are.
  auto embedded = engine(1, sequentialExecutor());
  EXPECT_EQ(embedded->internals().storedPeakGflops({}), 0);
  EXPECT_TRUE(embedded->host().peaks.empty());
}

TEST_F(EnginePeaks, MeasuringAddsToThoseOfOtherThreads) {
  if (usableCpus() < 2)
    GTEST_SKIP() << "needs a CPU for each of two threads";
  auto subject = engine(2);
  // Kept by another process since the engine looked.
  const Engine::Impl &impl = subject->internals();
  MachinePeaks before;
  before.machine = machineFingerprint(impl.facts, impl.target);
  before.put({1, {{{1, 1}}}, {}, {}, {}, {}});
  before.measuredUnixSeconds = 1700000001;
  before.put({7, {{{7, 7}}}, {}, {}, {}, {}, 1700000001});
  ASSERT_TRUE(impl.cache->putPeaks(before));
  Expected<MachinePeaks> peaks = subject->internals().measurePeaks();
  ASSERT_TRUE(peaks) << peaks.error().message();
  EXPECT_GT(peaks->measuredUnixSeconds, 1700000001);
  ASSERT_EQ(peaks->rows.size(), 3u);
  EXPECT_EQ(*peaks->of(7), *before.of(7));
  for (int threads : {1, 2}) {
    ASSERT_TRUE(peaks->of(threads));
    const ThreadPeaks &row = *peaks->of(threads);
    EXPECT_EQ(row.measuredUnixSeconds, peaks->measuredUnixSeconds);
    const Rate &fma = row.gflops(ProductInstruction::fma);
    EXPECT_NE(fma.best, 1);
    for (const Rate &rate :
         {fma, row.l1Gbps, row.l2Gbps, row.l3Gbps, row.memoryGbps}) {
      EXPECT_GT(rate.median, 0);
      EXPECT_GE(rate.best, rate.median);
    }
    for (ProductInstruction instruction : kProductInstructions)
      EXPECT_EQ(row.gflops(instruction).median > 0,
                hasInstruction(subject->internals().target, instruction))
          << toString(instruction);
    EXPECT_GT(row.l1Gbps.best, row.memoryGbps.best);
  }
  ASSERT_TRUE(subject->internals().cache->putPeaks(*peaks));
  // As they are read back: with three decimals.
  Expected<MachinePeaks> rounded = MachinePeaks::parse(peaks->text());
  ASSERT_TRUE(rounded);
  EXPECT_EQ(engine(2)->internals().storedPeaks, *rounded);
}

TEST_F(EnginePeaks, TheCurrentPeakIsMeasuredEachTime) {
  keep(1e6);
  auto subject = engine();
  const double gflops = subject->measurePeak().value();
  EXPECT_GT(gflops, 0.1);
  EXPECT_LT(gflops, 2000); // one core
  for (const char *types : {"bf16", "u8s8"})
    EXPECT_GT(subject->measurePeak(*DataTypes::parse(types)).value(), 0.1)
        << types;
}

} // namespace
} // namespace lintel
