// Which threads the layers of one engine run on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/EngineImpl.h"
#include "Tuning/WorkerThreads.h"
#include "unit/Engine/LayerCheck.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using testing::HasSubstr;

namespace lintel {
namespace {

std::set<std::string> threadsOfThisProcess() {
  std::set<std::string> threads;
  for (const auto &entry :
       std::filesystem::directory_iterator("/proc/self/task"))
    threads.insert(entry.path().filename());
  return threads;
}

/// Whether a region of `threads` has so many: there may be a limit.
bool regionsHave(int32_t threads) {
  std::atomic<int32_t> parts = 0;
  openMPExecutor(threads)->run(
      threads,
      [](void *context, int32_t, int32_t) {
        ++*static_cast<std::atomic<int32_t> *>(context);
      },
      &parts);
  return parts == threads;
}

// A call of few parts between two of many must not make libgomp end their
// threads and start others.
TEST(EngineThreadsTest, LayersOfFewPartsKeepTheThreadsOfTheOthers) {
  if (!regionsHave(4))
    GTEST_SKIP() << "no regions of four threads on this machine";
  EngineOptions options;
  options.threads = 4;
  options.useCache = false;
  const std::unique_ptr<Engine> engine = Engine::create(options).value();
  const auto layerOn = [&](const char *grid) {
    CompileOptions pinned;
    pinned.schedule = std::string("tile=4x16,grid=") + grid;
    return engine->compile(*Problem::parse("16x32:32x64 bias"), pinned).value();
  };
  Linear onFour = layerOn("1x4"), onTwo = layerOn("1x2");
  expectRight(onFour, 16);
  const std::set<std::string> before = threadsOfThisProcess();
  expectRight(onTwo, 16);
  expectRight(onFour, 16);
  // Those that compiled may have ended only now.
  EXPECT_TRUE(std::ranges::includes(before, threadsOfThisProcess()));
}

std::unique_ptr<Engine> engineWithoutCache(int threads = 1) {
  EngineOptions options;
  options.threads = threads;
  options.useCache = false;
  return Engine::create(options).value();
}

/// Compiles on another thread, and lives for as long as that takes.
class SlowCompilation {
public:
  explicit SlowCompilation(Engine &engine)
      : thread([this, &engine] {
          CompileOptions options;
          options.budgetMilliseconds = 1;
          options.progress = [this](size_t, size_t, std::string_view) {
            inside = true;
            inside.notify_all();
            over.wait(false);
          };
          EXPECT_TRUE(
              engine.compile(*Problem::parse("16x32:32x64 bias"), options));
        }) {
    inside.wait(false);
  }
  ~SlowCompilation() {
    over = true;
    over.notify_all();
  }

private:
  std::atomic<bool> inside = false, over = false;
  std::jthread thread; ///< last, so that it ends first
};

TEST(EngineThreadsTest, WhoWaitsForAnotherTuningCanBeCancelled) {
  const std::unique_ptr<Engine> engine = engineWithoutCache();
  SlowCompilation other(*engine);
  CompileOptions options;
  options.stop = [] { return true; };
  for (const char *problem : {"16x32:32x64 bias", "16x32:32x64 relu"}) {
    const Expected<Linear> layer =
        engine->compile(*Problem::parse(problem), options);
    ASSERT_FALSE(layer);
    EXPECT_EQ(layer.error().code(), ErrorCode::cancelled);
  }
}

TEST(EngineThreadsTest, WhatStopThrowsWhileItWaitsIsAnError) {
  const std::unique_ptr<Engine> engine = engineWithoutCache();
  SlowCompilation other(*engine);
  CompileOptions options;
  options.stop = []() -> bool { throw std::runtime_error("boom"); };
  for (const char *problem : {"16x32:32x64 bias", "16x32:32x64 relu"}) {
    const Expected<Linear> layer =
        engine->compile(*Problem::parse(problem), options);
    ASSERT_FALSE(layer);
    EXPECT_EQ(layer.error().code(), ErrorCode::internal);
    EXPECT_EQ(layer.error().message(), "compiling failed: boom");
  }
}

// What it asked for holds locks that it would wait for.
TEST(EngineThreadsTest, ACallbackThatCallsTheEngineGetsAnError) {
  const std::unique_ptr<Engine> engine = engineWithoutCache();
  std::set<std::string> said;
  const auto note = [&](const auto &result) {
    said.insert(result ? "nothing" : result.error().message());
  };
  CompileOptions options;
  options.budgetMilliseconds = 1;
  options.stop = [&] {
    note(engine->compile(*Problem::parse("16x32:32x64 relu")));
    note(engine->measurePeak());
    return false;
  };
  options.progress = [&](size_t, size_t, std::string_view) {
    note(engine->compile(*Problem::parse("16x32:32x64 bias")));
  };
  EXPECT_TRUE(engine->compile(*Problem::parse("16x32:32x64 bias"), options));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(*said.begin(), HasSubstr("called by a callback of a call to it"));
  EXPECT_TRUE(engine->measurePeak());
}

// As of tasks that an executor takes up while it waits.
TEST(EngineThreadsTest, ACallbackGetsALayerThatTheEngineHas) {
  const std::unique_ptr<Engine> engine = engineWithoutCache();
  CompileOptions options;
  options.budgetMilliseconds = 1;
  const Problem known = *Problem::parse("16x32:32x64 relu");
  const Expected<Linear> first = engine->compile(known, options);
  ASSERT_TRUE(first);
  int served = 0, refused = 0;
  options.stop = [&] {
    const Expected<Linear> again = engine->compile(known);
    served += again && again->report().schedule == first->report().schedule;
    CompileOptions retune;
    retune.retune = true;
    refused += !engine->compile(known, retune);
    return false;
  };
  EXPECT_TRUE(engine->compile(*Problem::parse("16x32:32x64 bias"), options));
  EXPECT_GT(served, 0);
  EXPECT_EQ(served, refused);
}

TEST(EngineThreadsTest, ACallbackGetsAPinnedLayerThatTheEngineHas) {
  const std::unique_ptr<Engine> engine = engineWithoutCache();
  const Problem known = *Problem::parse("16x32:32x64 relu");
  CompileOptions pinned;
  pinned.budgetMilliseconds = 1;
  pinned.schedule = "tile=2x16";
  ASSERT_TRUE(engine->compile(known, pinned));
  CompileOptions retuned = pinned, other = pinned, illegal = pinned;
  retuned.retune = true;
  other.schedule = "tile=3x16";
  illegal.schedule = "tile=2x17";
  int served = 0, refused = 0;
  CompileOptions options;
  options.budgetMilliseconds = 1;
  options.stop = [&] {
    const Expected<Linear> again = engine->compile(known, pinned);
    served += again && again->report().source == KernelSource::pinned;
    bool none = !engine->compile(known);
    for (const CompileOptions &unknown : {retuned, other, illegal})
      none = !engine->compile(known, unknown) && none;
    refused += none;
    return false;
  };
  EXPECT_TRUE(engine->compile(*Problem::parse("16x32:32x64 bias"), options));
  EXPECT_GT(served, 0);
  EXPECT_EQ(served, refused);
}

// A region of the host leaves its caller one thread, as if it were all.
TEST(EngineThreadsTest, LayersTunedInARegionAreTunedAgainOutside) {
  if (!regionsHave(2))
    GTEST_SKIP() << "no regions of two threads on this machine";
  const std::unique_ptr<Engine> engine = engineWithoutCache(2);
  const auto sourceOf = [&] {
    CompileOptions options;
    options.budgetMilliseconds = 1;
    const Expected<Linear> layer =
        engine->compile(*Problem::parse("16x32:32x64 bias"), options);
    return layer ? std::string(toString(layer->report().source))
                 : layer.error().message();
  };
  std::string inside, insideAgain;
  const auto both = [&] {
    inside = sourceOf();
    insideAgain = sourceOf();
  };
  openMPExecutor()->run(
      2,
      [](void *context, int32_t tid, int32_t) {
        if (tid == 0)
          (*static_cast<decltype(both) *>(context))();
      },
      const_cast<void *>(static_cast<const void *>(&both)));
  EXPECT_EQ(inside, "tuned");
  EXPECT_EQ(insideAgain, "cache");
  // Once, whoever asks.
  std::array<std::string, 3> outside;
  {
    std::vector<std::jthread> callers;
    for (std::string &source : outside)
      callers.emplace_back([&] { source = sourceOf(); });
  }
  EXPECT_EQ(std::ranges::count(outside, "tuned"), 1) << outside[0];
  EXPECT_EQ(std::ranges::count(outside, "cache"), 2) << outside[0];
  EXPECT_EQ(sourceOf(), "cache");
}

/// What compile() says in a child of this process; "" if it succeeds.
std::string errorInChild(Engine &engine) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20); // instead of waiting for ever
    CompileOptions options;
    options.budgetMilliseconds = 1;
    const Expected<Linear> layer =
        engine.compile(*Problem::parse("8x8:8x8 relu"), options);
    const std::string text = layer ? "" : layer.error().message();
    const bool told = write(ends[1], text.data(), text.size()) ==
                      static_cast<ssize_t>(text.size());
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  for (char byte = 0; read(ends[0], &byte, 1) == 1;)
    text += byte;
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return text;
}

TEST(EngineThreadsTest, AForkInTheMiddleOfACompilationIsAnErrorInTheChild) {
  const std::unique_ptr<Engine> engine = engineWithoutCache();
  {
    SlowCompilation other(*engine);
    EXPECT_THAT(errorInChild(*engine), HasSubstr("forked while the engine"));
  }
  EXPECT_EQ(errorInChild(*engine), "");
}

/// A kernel that is being unloaded for as long as this lives.
class SlowUnloading {
  struct Unloading final : Kernel {
    explicit Unloading(SlowUnloading &owner) : owner(owner) {}
    ~Unloading() override {
      owner.inside = true;
      owner.inside.notify_all();
      owner.over.wait(false);
    }
    SlowUnloading &owner;
  };

public:
  explicit SlowUnloading(Engine &engine) {
    std::shared_ptr<CompiledLayer> layer = engine.internals().newLayer();
    layer->kernels.push_back({*Problem::parse("8x8:8x8"), Schedule(),
                              std::make_shared<Unloading>(*this)});
    thread =
        std::jthread([layer = std::move(layer)]() mutable { layer.reset(); });
    inside.wait(false);
  }
  ~SlowUnloading() {
    over = true;
    over.notify_all();
  }

private:
  std::atomic<bool> inside = false, over = false;
  std::jthread thread; ///< last, so that it ends first
};

// Unloading takes locks that loading takes, too.
TEST(EngineThreadsTest, AForkWhileALayerIsFreedIsAnErrorInTheChild) {
  const std::unique_ptr<Engine> engine = engineWithoutCache();
  {
    SlowUnloading other(*engine);
    EXPECT_THAT(errorInChild(*engine), HasSubstr("freeing a layer"));
  }
  EXPECT_EQ(errorInChild(*engine), "");
}

// Where regions have one thread anyway, and kernels for more would not be kept.
TEST(EngineThreadsTest, AnEngineOfAChildForkedBesideThreadsHasOne) {
  std::atomic<bool> mayEnd = false;
  std::thread other([&] { mayEnd.wait(false); });
  const pid_t child = fork();
  if (child == 0) {
    EngineOptions options;
    options.useCache = false;
    options.threads = 2;
    const int ofOpenMP = Engine::create(options).value()->threads();
    options.executor = std::make_shared<WorkerExecutor>();
    _exit(10 * ofOpenMP + Engine::create(options).value()->threads());
  }
  mayEnd = true;
  mayEnd.notify_all();
  other.join();
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 12);
}

// What the lost threads held may be locked, or half changed.
TEST(EngineThreadsTest, AForkInTheMiddleOfACompilationLeavesTheEngineAlone) {
  EngineOptions options;
  options.useCache = false;
  options.executor = std::make_shared<WorkerExecutor>();
  const std::weak_ptr<Executor> ofEngine = options.executor;
  std::unique_ptr<Engine> engine = Engine::create(std::move(options)).value();
  options.executor.reset();
  SlowCompilation other(*engine);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20); // instead of waiting for ever
    engine.reset();
    _exit(ofEngine.expired() ? 1 : 0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

} // namespace
} // namespace lintel
