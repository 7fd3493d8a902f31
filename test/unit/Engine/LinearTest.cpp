// Running a compiled layer: by several threads or processes; what it costs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/LinearImpl.h"
#include "unit/Engine/LayerCheck.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <semaphore>
#include <span>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <utility>
#include <vector>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#include <sanitizer/allocator_interface.h>
#endif

namespace {

std::atomic<long> allocations = 0;

} // namespace

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// Operators of our own would keep a sanitizer from checking, or do not link.
[[maybe_unused]] static const int countsAllocations =
    __sanitizer_install_malloc_and_free_hooks(
        [](const volatile void *, size_t) { ++allocations; },
        [](const volatile void *) {});
#else
// Counts every allocation of the process through C++.
void *operator new(size_t size) {
  ++allocations;
  if (void *memory = std::malloc(size ? size : 1))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
#endif

namespace lintel {
namespace {

Expected<Linear> compileIn(const std::string &directory,
                           std::string_view problem, int threads) {
  EngineOptions options;
  options.cacheDirectory = directory;
  options.threads = threads;
  Expected<std::unique_ptr<Engine>> engine = Engine::create(options);
  if (!engine)
    return engine.error();
  CompileOptions quick;
  quick.budgetMilliseconds = 30;
  if (problem.starts_with('?'))
    quick.rows = {1, 16};
  return (*engine)->compile(*Problem::parse(problem), quick);
}

class LinearTest : public testing::Test {
protected:
  Linear compile(std::string_view problem, int threads = 1) {
    Expected<Linear> layer = compileIn(directory.path(), problem, threads);
    EXPECT_TRUE(layer) << (layer ? "" : layer.error().message());
    return std::move(*layer);
  }
  TemporaryDirectory directory;
};

/// Runs all parts on its caller; suspends the fiber that it is called on, once.
class SuspendingExecutor final : public Executor {
public:
  explicit SuspendingExecutor(const std::function<void()> &suspend)
      : suspend(suspend) {}
  void run(int32_t threads, ParallelBody body, void *context) override {
    for (int32_t tid = 0; tid < threads; ++tid)
      body(context, tid, threads);
    suspend();
  }

private:
  const std::function<void()> &suspend;
};

/// A function on a stack of its own, which any thread may take up.
class Fiber {
public:
  explicit Fiber(std::function<void()> work) : work(std::move(work)) {
    getcontext(&inside);
    inside.uc_stack = {
        .ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
    inside.uc_link = nullptr;
    const auto self = reinterpret_cast<uintptr_t>(this);
    makecontext(&inside, reinterpret_cast<void (*)()>(enter), 2,
                unsigned(self >> 32), unsigned(self));
  }
  /// Until it is suspended or ends.
  void resume() { swapcontext(&outside, &inside); }
  void suspend() { swapcontext(&inside, &outside); }

private:
  static void enter(unsigned high, unsigned low) {
    auto *self = reinterpret_cast<Fiber *>(uintptr_t(high) << 32 | low);
    self->work();
    self->suspend();
  }
  std::vector<char> stack = std::vector<char>(size_t(1) << 18);
  std::function<void()> work;
  ucontext_t inside = {}, outside = {};
};

/// What became of a child that runs `body` and exits with its result.
int exitCodeOf(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// First, so that the parent has no threads yet when it forks.
TEST_F(LinearTest, TwoProcessesTuneTheSameProblemAtOnce) {
  constexpr const char *kKnown = "24x32:32x48 bias+relu",
                       *kDynamic = "?x32:32x48 bias+relu";
  std::vector<pid_t> children;
  for (const char *problem : {kKnown, kDynamic, kKnown, kDynamic}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Expected<Linear> layer = compileIn(directory.path(), problem, 1);
      if (!layer)
        _exit(2);
      expectRight(*layer, 24);
      _exit(testing::Test::HasFailure() ? 3 : 0);
    }
    children.push_back(child);
  }
  for (pid_t child : children)
    EXPECT_EQ(exitCodeOf(child), 0);
  EXPECT_EQ(directory.files().size(), 3u);
  EXPECT_EQ(compile(kKnown).report().source, KernelSource::cache);
  // The two may have chosen different panel widths, and mixed their entries.
  Linear dynamic = compile(kDynamic);
  for (int64_t rows : {1, 2, 24})
    expectRight(dynamic, rows);
  EXPECT_EQ(compile(kDynamic).report().source, KernelSource::cache);
}

TEST_F(LinearTest, OutlivesItsEngineAndMoves) {
  Linear layer = compile("6x20:20x33 bias"); // its engine is gone
  Linear moved = std::move(layer);
  expectRight(moved, 6);
  Linear other = compile("4x20:20x33 relu");
  moved = std::move(other);
  EXPECT_EQ(moved.problem().text(), "4x20:20x33 relu");
  expectRight(moved, 4);
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
// Of what a call keeps for its thread nothing may be taken for the other's.
TEST_F(LinearTest, AnExecutorThatComesBackOnAnotherThreadIsAnError) {
  std::function<void()> suspend = [] {};
  EngineOptions options;
  options.useCache = false;
  options.threads = 2;
  options.executor = std::make_shared<SuspendingExecutor>(suspend);
  const std::unique_ptr<Engine> engine = Engine::create(options).value();
  CompileOptions pinned;
  pinned.schedule = "tile=4x16,grid=1x2";
  Linear layer =
      engine->compile(*Problem::parse("16x32:32x64 bias"), pinned).value();
  expectRight(layer, 16);

  LayerData data(layer.problem(), 16);
  const TensorRef output{data.out.data(), 64};
  Status status;
  Fiber fiber([&] {
    status = layer.run({data.x.data(), 32}, 16, data.operandRefs(),
                       std::span(&output, 1));
  });
  suspend = [&] { fiber.suspend(); };
  std::thread([&] { fiber.resume(); }).join();
  fiber.resume();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), ErrorCode::internal);
  suspend = [] {};
  expectRight(layer, 16);
}
#endif

TEST_F(LinearTest, RunsFromSeveralThreadsAtOnce) {
  for (int parts : {1, 2}) {
    Linear layer = compile("?x64:64x96 bias+relu", parts);
    LayerData weight(layer.problem(), 1);
    giveWeight(layer, weight);
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&, i] {
        LayerData data(layer.problem(), 1 + 5 * i);
        data.w = weight.w;
        for (int repeat = 0; repeat < 20; ++repeat)
          expectRightRun(layer, data);
      });
    for (std::thread &thread : threads)
      thread.join();
  }
}

TEST_F(LinearTest, TakesANewWeight) {
  Linear layer = compile("3x8:8x16");
  LayerData data(layer.problem(), 3);
  giveWeight(layer, data);
  expectRightRun(layer, data);
  std::reverse(data.w.begin(), data.w.end());
  giveWeight(layer, data);
  expectRightRun(layer, data);
}

TEST_F(LinearTest, OperandMayBeTheOutput) {
  Linear layer = compile("19x40:40x50 residual");
  LayerData data(layer.problem(), 19);
  giveWeight(layer, data);
  expectRightRun(layer, data);
  std::vector<float> inPlace = data.operands[0];
  ASSERT_TRUE(layer.run({data.x.data(), 40}, 19, {{inPlace.data(), 50}},
                        {{inPlace.data(), 50}}));
  EXPECT_EQ(inPlace, data.out);
}

TEST_F(LinearTest, SaysWhatIsWrong) {
  Linear layer = compile("3x8:8x16 bias");
  LayerData data(layer.problem(), 3);
  const auto run = [&](ConstTensorRef x, int64_t rows,
                       std::vector<ConstTensorRef> operands,
                       std::vector<TensorRef> outputs) {
    const Status status = layer.run(x, rows, operands, outputs);
    return status ? "" : status.error().message();
  };
  const ConstTensorRef x{data.x.data(), 8}, bias{data.operands[0].data(), 0};
  const TensorRef out{data.out.data(), 16};
  EXPECT_EQ(run(x, 3, {bias}, {out}),
            "no weight is set; set it before the first run");
  EXPECT_FALSE(layer.setWeight(nullptr, 8));
  EXPECT_FALSE(layer.setWeight(data.w.data(), 7));
  giveWeight(layer, data);
  EXPECT_EQ(run(x, 3, {bias}, {out}), "");
  EXPECT_EQ(run(x, 3, {}, {out}), "epilogue 'bias' takes 1 operand, got 0");
  EXPECT_EQ(run(x, 3, {bias}, {}), "the layer has 1 output, got 0");
  EXPECT_NE(run(x, 4, {bias}, {out}), "");
  EXPECT_NE(run({nullptr, 8}, 3, {bias}, {out}), "");
  EXPECT_NE(run({data.x.data(), 7}, 3, {bias}, {out}), "");
  EXPECT_NE(run(x, 3, {{nullptr, 0}}, {out}), "");
  EXPECT_NE(run(x, 3, {bias}, {{nullptr, 16}}), "");
  EXPECT_NE(run(x, 3, {bias}, {{data.out.data(), 15}}), "");
  // Which has room for x and the bias.
  EXPECT_THAT(run({out.data, 8}, 3, {bias}, {out}),
              testing::HasSubstr("output begins where x does"));
  EXPECT_THAT(run(x, 3, {{out.data, 0}}, {out}),
              testing::HasSubstr("output begins where operand 0 (bias) does"));
  // Strides that were not initialised, most of which no address space holds.
  constexpr int64_t kStray = int64_t(1) << 45;
  EXPECT_FALSE(layer.setWeight(data.w.data(), kStray));
  EXPECT_THAT(run({data.x.data(), kStray}, 3, {bias}, {out}),
              testing::HasSubstr("do not fit in memory"));
  EXPECT_THAT(run(x, 3, {bias}, {{data.out.data(), kStray}}),
              testing::HasSubstr("do not fit in memory"));
}

/// Of a hundred calls, once there was one.
void expectNoAllocations(Linear &layer, int64_t rows) {
  LayerData data(layer.problem(), rows);
  giveWeight(layer, data);
  expectRightRun(layer, data);
  const std::vector<ConstTensorRef> operands = data.operandRefs();
  const ConstTensorRef x{data.x.data(), layer.problem().k()};
  const TensorRef output{data.out.data(), layer.problem().n()};
  const long before = allocations;
  EXPECT_GT(before, 0); // or nothing is counted
  bool allRan = true;
  for (int i = 0; i < 100; ++i)
    allRan = static_cast<bool>(
                 layer.run(x, rows, operands, std::span(&output, 1))) &&
             allRan;
  EXPECT_EQ(allocations - before, 0);
  EXPECT_TRUE(allRan);
}

TEST_F(LinearTest, DoesNotAllocate) {
  Linear layer = compile("16x64:64x96 bias+residual");
  expectNoAllocations(layer, 16);
}

/// The caller's thread and one that waits for its parts, without memory for
/// them. Of one call at a time.
class TwoThreads final : public Executor {
public:
  ~TwoThreads() override {
    body = nullptr;
    begin.release();
  }
  void run(int32_t maxThreads, ParallelBody ofCall, void *itsContext) override {
    if (maxThreads < 2)
      return ofCall(itsContext, 0, 1);
    body = ofCall;
    context = itsContext;
    begin.release();
    ofCall(itsContext, 0, 2);
    end.acquire();
  }

private:
  void work() {
    for (begin.acquire(); body; begin.acquire()) {
      body(context, 1, 2);
      end.release();
    }
  }

  ParallelBody body = nullptr; ///< null: there will be no more calls
  void *context = nullptr;
  std::binary_semaphore begin{0}, end{0};
  std::jthread other{[this] { work(); }}; ///< last, so that it ends first
};

// In equal shares, dealt out, and in slices of K with so many sums that a
// second phase in the same region adds them up.
TEST_F(LinearTest, DoesNotAllocateOnTwoThreads) {
  EngineOptions options;
  options.useCache = false;
  options.threads = 2;
  options.executor = std::make_shared<TwoThreads>();
  const std::unique_ptr<Engine> engine = Engine::create(options).value();
  for (const char *schedule :
       {"tile=4x16,grid=1x2", "tile=4x16,grid=2x3,deal=dynamic",
        "tile=4x16,epilogue=tile,grid=1x1x2"}) {
    SCOPED_TRACE(schedule);
    CompileOptions pinned;
    pinned.budgetMilliseconds = 30;
    pinned.schedule = schedule;
    Expected<Linear> layer =
        engine->compile(*Problem::parse("64x64:64x96 bias+residual"), pinned);
    ASSERT_TRUE(layer) << layer.error().message();
    expectNoAllocations(*layer, 64);
  }
}

TEST_F(LinearTest, DoesNotAllocateWhereRowsVary) {
  Linear layer = compile("?x64:64x96 bias");
  LayerData data(layer.problem(), 40);
  giveWeight(layer, data);
  expectRightRun(layer, data);
  const std::vector<ConstTensorRef> operands = data.operandRefs();
  const TensorRef output{data.out.data(), 96};
  const auto runAll = [&] {
    bool allRan = true;
    for (int64_t rows : {1, 2, 16, 17, 40})
      allRan = static_cast<bool>(layer.run({data.x.data(), 64}, rows, operands,
                                           std::span(&output, 1))) &&
               allRan;
    return allRan;
  };
  // Workspaces grow to the largest kernel's.
  EXPECT_TRUE(runAll());
  const long before = allocations;
  EXPECT_GT(before, 0); // or nothing is counted
  EXPECT_TRUE(runAll());
  EXPECT_EQ(allocations - before, 0);
}

} // namespace
} // namespace lintel
