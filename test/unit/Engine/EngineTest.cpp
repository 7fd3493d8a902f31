// From problem to result: tuning, the cache, sharing, and what is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/CapturedLog.h"
#include "unit/Engine/EngineFixture.h"
#include "unit/Engine/LayerCheck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

namespace lintel {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A key is what its entry is found by.
TEST_F(EngineTest, WhatCouldNotBeStoredHasNoKey) {
  auto subject = engine();
  EXPECT_NE(compile(*subject).report().key, "");
  std::filesystem::remove_all(directory.path());
  std::ofstream(directory.path()) << "no directory any more";
  const Problem other = *Problem::parse("9x40:40x80");
  Expected<Linear> layer = subject->compile(other, quick());
  ASSERT_TRUE(layer) << layer.error().message();
  EXPECT_EQ(layer->report().key, "");
}

/// The key names the engine's threads: others would get what was chosen for
/// fewer.
TEST_F(EngineTest, WhatWasTunedOnFewerThreadsIsNotStored) {
  EngineOptions options;
  options.executor = sequentialExecutor();
  auto alone = engine(options);
  {
    CapturedLog log;
    EXPECT_EQ(compile(*alone).report().key, "");
    EXPECT_EQ(log.count("tuned with 1 of the engine's 2 threads"), 1u);
  }
  auto subject = engine();
  EXPECT_EQ(compile(*subject).report().source, KernelSource::tuned);
  EXPECT_EQ(compile(*engine()).report().source, KernelSource::cache);
  // Nor are those of OpenMP's threads taken for any executor's.
  EXPECT_EQ(compile(*engine(options)).report().source, KernelSource::tuned);
}

TEST_F(EngineTest, TunesOnceThenServesFromDisk) {
  problem = *Problem::parse("0..64x40:40x72 bias+gelu_erf+residual");
  {
    auto first = engine();
    Linear layer = compile(*first);
    EXPECT_EQ(layer.report().source, KernelSource::tuned);
    EXPECT_EQ(layer.report().problem, problem.text());
    EXPECT_EQ(layer.report().threads, 2);
    EXPECT_EQ(layer.report().key, first->internals().keyOf(problem).hash());
    EXPECT_GT(layer.report().medianMicroseconds, 0);
    EXPECT_GT(layer.report().gflops, 0);
    EXPECT_GT(layer.report().peakFraction, 0);
    EXPECT_LE(layer.report().maxError, 1);
    EXPECT_FALSE(layer.report().candidates.empty());
    expectRight(layer, 37);
  }
  auto second = engine();
  Linear layer = compile(*second);
  EXPECT_EQ(layer.report().source, KernelSource::cache);
  EXPECT_GT(layer.report().peakFraction, 0);
  EXPECT_FALSE(layer.report().candidates.empty());
  // A hit has no business with MLIR: no tuner, so no compiler either.
  EXPECT_EQ(second->internals().lazyTuner, nullptr);
  expectRight(layer, 37);
  expectRight(layer, 1);
  expectRight(layer, 0);
}

TEST_F(EngineTest, SecondCompileInAProcessIsImmediate) {
  EngineOptions options;
  options.useCache = false;
  auto memoryOnly = engine(options);
  EXPECT_EQ(memoryOnly->internals().cache, nullptr);
  Linear first = compile(*memoryOnly), second = compile(*memoryOnly);
  EXPECT_EQ(first.report().source, KernelSource::tuned);
  EXPECT_EQ(first.report().key, "");
  EXPECT_EQ(second.report().source, KernelSource::cache);
  EXPECT_EQ(second.report().schedule, first.report().schedule);
  EXPECT_GT(first.report().objectsCompiled, 0);
  EXPECT_EQ(second.report().objectsCompiled, 0);
  EXPECT_EQ(second.report().compileMilliseconds, 0);
  expectRight(second, 9);
}

TEST_F(EngineTest, TunesAgainOnDemand) {
  auto subject = engine();
  CompileOptions again = quick();
  again.retune = true;
  EXPECT_EQ(compile(*subject).report().source, KernelSource::tuned);
  EXPECT_EQ(compile(*subject, again).report().source, KernelSource::tuned);
  EXPECT_EQ(subject->internals().cache->statistics().writes, 2u);
  EXPECT_EQ(compile(*subject).report().source, KernelSource::cache);
}

TEST_F(EngineTest, PinnedScheduleIsUsedAndNotStored) {
  auto subject = engine();
  const Schedule schedule{.mr = 2,
                          .nr = subject->internals().target.lanes(),
                          .mc = 4,
                          .nc = 32,
                          .kc = 16,
                          .gridM = 2};
  CompileOptions options = quick();
  options.schedule = schedule.text();
  Linear layer = compile(*subject, options);
  EXPECT_EQ(layer.report().source, KernelSource::pinned);
  EXPECT_EQ(layer.report().schedule, schedule.text());
  EXPECT_EQ(layer.report().key, "");
  EXPECT_EQ(subject->internals().cache->statistics().writes, 0u);
  expectRight(layer, 9);
  EXPECT_EQ(compile(*subject).report().source, KernelSource::tuned);
}

TEST_F(EngineTest, APinnedLayerThatIsFoundCostsNothing) {
  auto subject = engine();
  CompileOptions options = quick();
  options.schedule =
      Schedule{.mr = 2, .nr = subject->internals().target.lanes()}.text();
  EXPECT_EQ(compile(*subject, options).report().objectsCompiled, 1);
  const TuningReport found = compile(*subject, options).report();
  EXPECT_EQ(found.source, KernelSource::pinned);
  EXPECT_EQ(found.objectsCompiled, 0);
  EXPECT_EQ(found.compileMilliseconds, 0);
  EXPECT_EQ(found.verifyMilliseconds, 0);
  options.retune = true;
  EXPECT_EQ(compile(*subject, options).report().objectsCompiled, 1);
}

TEST_F(EngineTest, PinnedLayersAreCompiledOnce) {
  auto subject = engine();
  const auto pin = [&](int64_t mr, bool retune) {
    CompileOptions options;
    options.schedule =
        Schedule{.mr = mr, .nr = subject->internals().target.lanes()}.text();
    options.retune = retune;
    return *subject->internals()
                .findOrPin(*Problem::parse("9x24:24x100"), "key", options)
                .result;
  };
  const auto first = pin(2, false);
  EXPECT_EQ(pin(2, false), first);
  EXPECT_NE(pin(3, false), first);
  const auto again = pin(2, true);
  EXPECT_NE(again, first);
  EXPECT_EQ(pin(2, false), again);
}

TEST_F(EngineTest, RefusesSchedulesThatCannotBe) {
  auto subject = engine();
  for (const char *text :
       {"tile=8", "tile=8x17", "tile=100x16", "grid=2x2", "tile=1x16,kc=0"}) {
    CompileOptions options = quick();
    options.schedule = text;
    Expected<Linear> layer = subject->compile(problem, options);
    ASSERT_FALSE(layer) << text;
    EXPECT_THAT(layer.error().message(),
                StartsWith("schedule '" + std::string(text) + "': "));
    EXPECT_THAT(layer.error().message(), Not(HasSubstr(": schedule")));
  }
  EXPECT_EQ(subject->internals().lazyTuner, nullptr);
}

TEST_F(EngineTest, RefusesABudgetThatIsNone) {
  auto subject = engine();
  for (double budget : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    CompileOptions options;
    options.budgetMilliseconds = budget;
    Expected<Linear> layer = subject->compile(problem, options);
    ASSERT_FALSE(layer);
    EXPECT_EQ(layer.error().code(), ErrorCode::invalidArgument);
    EXPECT_THAT(layer.error().message(),
                HasSubstr("finite, not " + std::to_string(budget)));
  }
}

/// The key of the named stages would be its own.
TEST_F(EngineTest, RefusesARegionThatReadsAsNamedStages) {
  auto subject = engine();
  const auto withRegion = [](const char *region) {
    return *Problem::create(9, 72, 40, DataTypes(),
                            Epilogue::fromRegion(region, {}, 1));
  };
  const auto refusal = [&] {
    Expected<Linear> layer = subject->compile(withRegion("relu"), quick());
    EXPECT_FALSE(layer);
    return layer ? Error(ErrorCode::internal, "") : layer.error();
  };
  EXPECT_EQ(refusal().code(), ErrorCode::invalidArgument);
  EXPECT_EQ(refusal().message(),
            "the epilogue 'relu' was given as a region, whose text begins with "
            "'{'; take Epilogue::parse for named stages");
  ASSERT_TRUE(subject->compile(*Problem::parse("9x40:40x72 relu"), quick()));
  EXPECT_EQ(refusal().code(), ErrorCode::invalidArgument);
  EXPECT_FALSE(subject->compile(withRegion(" "), quick()));
  Expected<Linear> layer = subject->compile(
      withRegion(R"( { ^bb0(%a: f32): "lintel.yield"(%a) : (f32) -> () })"),
      quick());
  EXPECT_TRUE(layer) << layer.error().message();
}

TEST_F(EngineTest, NoRowsOrNoColumnsNeedNoKernel) {
  auto subject = engine();
  for (const char *text :
       {"0x40:40x72 relu", "?x40:40x0 relu", "0x0:0x0 relu"}) {
    const Problem empty = *Problem::parse(text);
    Expected<Linear> layer = subject->compile(empty, quick());
    ASSERT_TRUE(layer) << layer.error().message();
    EXPECT_TRUE(layer->setWeight(nullptr, 0));
    EXPECT_TRUE(
        layer->run({nullptr, 40}, empty.m().value_or(3), {}, {{nullptr, 72}}))
        << text;
  }
  EXPECT_EQ(subject->internals().lazyTuner, nullptr);
}

TEST_F(EngineTest, AScheduleForNoRowsIsOne) {
  auto subject = engine();
  CompileOptions options;
  options.schedule = "tile=1x16";
  Expected<Linear> layer =
      subject->compile(*Problem::parse("0x40:40x72"), options);
  ASSERT_TRUE(layer) << layer.error().message();
  EXPECT_EQ(layer->report().source, KernelSource::pinned);
  options.schedule = "tile=0x16";
  Expected<Linear> none =
      subject->compile(*Problem::parse("0x40:40x72"), options);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::parse);
  EXPECT_NE(none.error().message().find("tile=0x16"), std::string::npos);
}

TEST_F(EngineTest, NoDepthGivesTheEpilogueOfZero) {
  problem = *Problem::parse("5x0:0x40 bias");
  auto subject = engine();
  Linear layer = compile(*subject);
  expectRight(layer, 5);
}

TEST_F(EngineTest, DamagedEntriesAreTunedAgain) {
  {
    auto first = engine();
    compile(*first);
  }
  std::vector<std::string> files = directory.files();
  ASSERT_FALSE(files.empty());
  for (const std::string &file : files) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(200);
    stream.put('\xa5');
  }
  {
    auto second = engine();
    Linear layer = compile(*second);
    EXPECT_EQ(layer.report().source, KernelSource::tuned);
    expectRight(layer, 9);
  }
  auto third = engine();
  EXPECT_EQ(compile(*third).report().source, KernelSource::cache);
}

TEST_F(EngineTest, EntriesThatMakeNoSenseAreTunedAgain) {
  const std::function<void(CacheEntry &)> edits[] = {
      [](CacheEntry &entry) { entry.record = "{}"; },
      [](CacheEntry &entry) {
        const size_t at = entry.record.find("\"schedule\":\"tile=");
        entry.record.replace(at, 17, "\"schedule\":\"tile=9999");
      },
      [](CacheEntry &entry) { entry.object.resize(entry.object.size() / 2); },
      [](CacheEntry &entry) {
        std::ranges::fill(entry.object, std::byte{0x90});
      },
      [](CacheEntry &entry) { entry.requiredFeatures = {"no-such"}; },
  };
  for (const auto &edit : edits) {
    {
      auto first = engine();
      compile(*first);
    }
    editEntry(edit);
    auto second = engine();
    Linear layer = compile(*second);
    EXPECT_EQ(layer.report().source, KernelSource::tuned);
    expectRight(layer, 9);
  }
}

TEST_F(EngineTest, ManyThreadsTuneAProblemOnce) {
  auto subject = engine();
  std::atomic<int> tuned = 0, cached = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&] {
      Linear layer = compile(*subject);
      tuned += layer.report().source == KernelSource::tuned;
      cached += layer.report().source == KernelSource::cache;
      expectRight(layer, 9);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(tuned, 1);
  EXPECT_EQ(cached, 15);
  EXPECT_EQ(subject->internals().cache->statistics().writes, 1u);
}

TEST_F(EngineTest, StopKeepsTheBestSoFar) {
  auto subject = engine();
  CompileOptions options;
  options.budgetMilliseconds = 60000;
  std::atomic<int> asked = 0;
  options.stop = [&] { return ++asked > 20; };
  Linear layer = compile(*subject, options);
  EXPECT_GT(asked, 20);
  EXPECT_EQ(layer.report().source, KernelSource::tuned);
  EXPECT_TRUE(layer.report().interrupted);
  EXPECT_LT(layer.report().totalMilliseconds, 30000);
  expectRight(layer, 9);
  EXPECT_EQ(compile(*subject).report().source, KernelSource::cache);
}

TEST_F(EngineTest, ReportsProgress) {
  auto subject = engine();
  CompileOptions options = quick();
  std::atomic<int> steps = 0;
  options.progress = [&](size_t done, size_t total, std::string_view) {
    EXPECT_LE(done, total);
    ++steps;
  };
  compile(*subject, options);
  EXPECT_GT(steps, 0);
}

TEST_F(EngineTest, WhatACallbackThrowsIsAnError) {
  auto subject = engine();
  const std::thread::id caller = std::this_thread::get_id();
  for (const bool fromProgress : {true, false}) {
    CompileOptions options = quick();
    options.progress = [&](size_t, size_t, std::string_view) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      if (fromProgress)
        throw std::runtime_error("boom");
    };
    options.stop = [&]() -> bool {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      if (!fromProgress)
        throw std::runtime_error("boom");
      return false;
    };
    const Expected<Linear> layer = subject->compile(problem, options);
    ASSERT_FALSE(layer);
    EXPECT_EQ(layer.error().code(), ErrorCode::internal);
    EXPECT_THAT(layer.error().message(), HasSubstr("boom"));
  }
  Linear after = compile(*subject); // nothing stayed locked
  expectRight(after, 9);
}

} // namespace
} // namespace lintel
