// Calls, with plain functions that keep the contract of kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/KernelCall.h"

#include "support/GuardedBuffer.h"
#include "unit/Runtime/PlannedCalls.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

using namespace lintel;
using testing::HasSubstr;

namespace {

//===----------------------------------------------------------------------===//
// A kernel in plain C++
//===----------------------------------------------------------------------===//

constexpr int64_t kPanel = 48; ///< the nr of schedule()

/// out[m, n] = n + 1000 * m + operand[m, n], by chunks. Each chunk goes through
/// the thread's workspace, with a pause between writing and reading it: if two
/// threads or two calls shared one, results would mix.
void chunkedKernel(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  int64_t columns = args->outputs[0].stride;
  for (int64_t chunk = tid; chunk < args->gridM * args->gridN;
       chunk += nthreads) {
    int64_t chunkM = chunk / args->gridN, chunkN = chunk % args->gridN;
    int64_t rowBegin = args->m * chunkM / args->gridM,
            rowEnd = args->m * (chunkM + 1) / args->gridM,
            columnBegin = columns * chunkN / args->gridN,
            columnEnd = columns * (chunkN + 1) / args->gridN;
    auto *scratch = reinterpret_cast<float *>(
        static_cast<char *>(args->workspace) + tid * args->workspaceStride);
    const auto *x = static_cast<const float *>(args->x);
    for (int64_t row = rowBegin; row < rowEnd; ++row) {
      for (int64_t column = columnBegin; column < columnEnd; ++column)
        scratch[column - columnBegin] = x[row * args->ldx] + float(column);
      std::this_thread::yield();
      const auto *operand = static_cast<const float *>(args->operands[0].data);
      auto *out = static_cast<float *>(args->outputs[0].data);
      for (int64_t column = columnBegin; column < columnEnd; ++column)
        out[row * columns + column] =
            scratch[column - columnBegin] + operand[column];
    }
  }
}

/// Runs chunkedKernel with values that depend on `salt` and checks every
/// element.
void checkCall(const KernelPlan &plan, Executor &executor, int64_t m, int64_t n,
               float salt) {
  constexpr int64_t kStride = 3;
  std::vector<float> x(size_t(m * kStride)), bias(size_t(n), salt);
  for (int64_t row = 0; row < m; ++row)
    x[size_t(row * kStride)] = float(1000 * row);
  GuardedBuffer out(size_t(m * n), GuardedBuffer::Fit::end);
  KernelTensor output{out.data(), n}, operand{bias.data(), 0};
  Status status =
      runPlan(plan, executor, x.data(), kStride, m, nullptr, &output, &operand);
  ASSERT_TRUE(status) << status.error().message();
  for (int64_t row = 0; row < m; ++row)
    for (int64_t column = 0; column < n; ++column)
      ASSERT_EQ(out[size_t(row * n + column)],
                float(1000 * row + column) + salt);
  EXPECT_TRUE(out.canariesIntact());
}

KernelPlan chunkedPlan(int64_t m, int64_t n, int64_t gridM, int64_t gridN,
                       int32_t threads, Dealing deal = Dealing::fixed) {
  Schedule chunks = schedule(gridM, gridN);
  chunks.deal = deal;
  return makePlan(chunkedKernel, chunks, problem(m, n, 1), threads,
                  n * int64_t(sizeof(float)));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

TEST(RunPlanTest, EveryExecutorGridAndThreadCount) {
  BackwardsExecutor one(1), three(3);
  ThreadExecutor threads;
  for (Executor *executor :
       {sequentialExecutor().get(), openMPExecutor().get(),
        static_cast<Executor *>(&one), static_cast<Executor *>(&three),
        static_cast<Executor *>(&threads)})
    for (int64_t gridM : {1, 2, 3})
      for (int64_t gridN : {1, 2, 5})
        for (int32_t parts : {1, 2, 3, 7, 100})
          for (Dealing deal : {Dealing::fixed, Dealing::dynamic})
            checkCall(
                chunkedPlan(33, 7 * kPanel + 1, gridM, gridN, parts, deal),
                *executor, 33, 7 * kPanel + 1, float(parts));
}

TEST(RunPlanTest, ADynamicCallComputesAChunkAtATime) {
  static std::vector<int32_t> chunks;
  static std::vector<ptrdiff_t> workspaces;
  static std::vector<int64_t> sameRows;
  chunks.clear();
  workspaces.clear();
  sameRows.clear();
  Schedule dealt = schedule(2, 3);
  dealt.deal = Dealing::dynamic;
  KernelPlan plan = makePlan(
      [](const KernelArgs *args, int32_t tid, int32_t nthreads) {
        EXPECT_EQ(nthreads, 6);
        chunks.push_back(tid);
        auto *workspace =
            static_cast<char *>(args->workspace) + tid * args->workspaceStride;
        workspaces.push_back(reinterpret_cast<intptr_t>(workspace));
        sameRows.push_back(args->sameRows);
      },
      dealt, problem(64, 480, 1), 2, 64);
  float x = 0;
  BackwardsExecutor two(2);
  ASSERT_TRUE(runPlan(plan, two, &x, 1, 64, nullptr, nullptr, nullptr));
  // Part 1 is first: it takes its own half, the second row of the grid, and
  // then what part 0 has not begun.
  EXPECT_THAT(chunks, testing::ElementsAre(3, 4, 5, 0, 1, 2));
  EXPECT_THAT(sameRows, testing::ElementsAre(0, 1, 1, 0, 1, 1));
  EXPECT_THAT(workspaces, testing::Each(workspaces.front()));
  // The next call may have another x.
  ASSERT_TRUE(runPlan(plan, two, &x, 1, 64, nullptr, nullptr, nullptr));
  EXPECT_EQ(sameRows[6], 0);
}

/// Runs part 0 while part 1 has its first chunk in hand.
class NestingExecutor final : public Executor {
public:
  void run(int32_t, ParallelBody body, void *context) override {
    inside = [=] { body(context, 0, 2); };
    body(context, 1, 2);
  }
  static inline std::function<void()> inside;
};

TEST(RunPlanTest, ADynamicCallKeepsPartsApart) {
  static std::vector<std::pair<int32_t, intptr_t>> seen;
  seen.clear();
  Schedule dealt = schedule(2, 2);
  dealt.deal = Dealing::dynamic;
  KernelPlan plan = makePlan(
      [](const KernelArgs *args, int32_t tid, int32_t) {
        auto *workspace =
            static_cast<char *>(args->workspace) + tid * args->workspaceStride;
        seen.emplace_back(tid, reinterpret_cast<intptr_t>(workspace));
        if (auto other = std::exchange(NestingExecutor::inside, nullptr))
          other();
      },
      dealt, problem(64, 480, 1), 2, 64);
  float x = 0;
  NestingExecutor nesting;
  ASSERT_TRUE(runPlan(plan, nesting, &x, 1, 64, nullptr, nullptr, nullptr));
  ASSERT_EQ(seen.size(), 4U);
  const intptr_t second = seen[0].second, first = second - 64;
  // Part 0 has time for its own chunks and for what part 1 has left.
  EXPECT_THAT(seen, testing::ElementsAre(
                        testing::Pair(2, second), testing::Pair(0, first),
                        testing::Pair(1, first), testing::Pair(3, first)));
}

TEST(RunPlanTest, ReceivesWhatWasPassed) {
  static KernelArgs seen;
  static int32_t seenTid, seenThreads;
  KernelPlan plan = makePlan(
      [](const KernelArgs *args, int32_t tid, int32_t nthreads) {
        seen = *args;
        seenTid = tid;
        seenThreads = nthreads;
      },
      schedule(1, 1), problem({}, 10, 20), 1, 65);
  float x = 0, w = 0;
  KernelTensor output{&x, 10}, operand{&w, 0};
  ASSERT_TRUE(
      runPlan(plan, *sequentialExecutor(), &x, 77, 5, &w, &output, &operand));
  EXPECT_EQ(seen.structSize, sizeof(KernelArgs));
  EXPECT_EQ(seen.x, &x);
  EXPECT_EQ(seen.ldx, 77);
  EXPECT_EQ(seen.w, &w);
  EXPECT_EQ(seen.m, 5);
  EXPECT_EQ(seen.nc, kPanel);
  EXPECT_EQ(seen.kc, 20);
  EXPECT_EQ(seen.outputs, &output);
  EXPECT_EQ(seen.operands, &operand);
  EXPECT_EQ(seen.workspaceStride, 128);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(seen.workspace) % 64, 0u);
  EXPECT_NE(seen.workspace, nullptr);
  EXPECT_EQ(seenTid, 0);
  EXPECT_EQ(seenThreads, 1);
  EXPECT_EQ(plan.blocking.x, nullptr);
}

TEST(WorkspaceBytesHeld, CountsWhatCallsOfThisThreadLeft) {
  std::thread([] {
    EXPECT_EQ(workspaceBytesHeld(), 0);
    const KernelPlan plan = chunkedPlan(8, 64, 2, 1, 2);
    EXPECT_TRUE(poisonWorkspace(plan, 1));
    EXPECT_GE(workspaceBytesHeld(), plan.threads * plan.workspaceBytes);
    releaseWorkspaces();
    EXPECT_EQ(workspaceBytesHeld(), 0);
  }).join();
}

TEST(RunPlanTest, NothingToDoCallsNothing) {
  auto mustNotRun = [](const KernelArgs *, int32_t, int32_t) { FAIL(); };
  KernelPlan rows =
      makePlan(mustNotRun, schedule(1, 1), problem({}, 10, 10), 1, 64);
  EXPECT_TRUE(runPlan(rows, *sequentialExecutor(), nullptr, 0, 0, nullptr,
                      nullptr, nullptr));
  KernelPlan columns =
      makePlan(mustNotRun, schedule(1, 1), problem({}, 0, 10), 1, 64);
  EXPECT_TRUE(runPlan(columns, *sequentialExecutor(), nullptr, 0, 5, nullptr,
                      nullptr, nullptr));
}

TEST(RunPlanTest, RefusesWhatCannotBe) {
  auto mustNotRun = [](const KernelArgs *, int32_t, int32_t) { FAIL(); };
  KernelPlan plan =
      makePlan(mustNotRun, schedule(1, 1), problem({}, 10, 10), 1, 0);
  Status negative = runPlan(plan, *sequentialExecutor(), nullptr, 0, -1,
                            nullptr, nullptr, nullptr);
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().code(), ErrorCode::invalidArgument);
  EXPECT_THAT(negative.error().message(), HasSubstr("m = -1"));
  for (int64_t bytes : {int64_t(1) << 60, INT64_MAX}) {
    KernelPlan huge =
        makePlan(mustNotRun, schedule(3, 3), problem({}, 480, 10), 9, bytes);
    Status noMemory = runPlan(huge, *openMPExecutor(), nullptr, 0, 1, nullptr,
                              nullptr, nullptr);
    ASSERT_FALSE(noMemory);
    EXPECT_EQ(noMemory.error().code(), ErrorCode::io);
    EXPECT_THAT(noMemory.error().message(), HasSubstr("workspace"));
  }
}

TEST(RunPlanTest, WorkspaceIsKeptBetweenCallsAndGrows) {
  static std::vector<void *> addresses;
  addresses.clear();
  KernelFunction keepAddress = [](const KernelArgs *args, int32_t, int32_t) {
    addresses.push_back(args->workspace);
    std::memset(args->workspace, 1, size_t(args->workspaceStride));
  };
  auto call = [&](int64_t bytes) {
    KernelPlan plan =
        makePlan(keepAddress, schedule(1, 1), problem({}, 10, 10), 1, bytes);
    ASSERT_TRUE(runPlan(plan, *sequentialExecutor(), nullptr, 0, 1, nullptr,
                        nullptr, nullptr));
  };
  std::thread([&] {
    for (int64_t bytes : {1 << 20, 1 << 20, 64, 0, 5 << 20, 1 << 20})
      bytes == 0 ? void() : call(bytes);
  }).join();
  ASSERT_EQ(addresses.size(), 5u);
  EXPECT_EQ(addresses[0], addresses[1]);
  EXPECT_EQ(addresses[0], addresses[2]);
  EXPECT_EQ(addresses[3], addresses[4]);
}

TEST(RunPlanTest, ConcurrentCallsHaveTheirOwnWorkspace) {
  constexpr int64_t kRows = 16, kColumns = 3 * kPanel;
  KernelPlan plan = chunkedPlan(kRows, kColumns, 2, 3, 2);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; ++caller)
    callers.emplace_back([&, caller] {
      std::shared_ptr<Executor> executor =
          caller % 2 ? openMPExecutor() : sequentialExecutor();
      for (int repeat = 0; repeat < 50; ++repeat)
        checkCall(plan, *executor, kRows, kColumns,
                  float(caller * 100 + repeat));
    });
  for (std::thread &caller : callers)
    caller.join();
}

TEST(RunPlanTest, CallsFromInsideAnExecutorBody) {
  struct Context {
    KernelPlan plan = chunkedPlan(16, 3 * kPanel, 2, 3, 4);
    std::shared_ptr<Executor> executor;
  } context;
  for (const auto &executor :
       {openMPExecutor(), std::shared_ptr<Executor>(new ThreadExecutor())}) {
    context.executor = executor;
    executor->run(
        4,
        [](void *data, int32_t tid, int32_t) {
          Context &context = *static_cast<Context *>(data);
          for (int repeat = 0; repeat < 20; ++repeat)
            checkCall(context.plan, *context.executor, 16, 3 * kPanel,
                      float(tid));
        },
        &context);
  }
}

/// Fills its workspace, makes a whole call of its own, and expects to find the
/// workspace as it was.
struct Reentrant {
  static KernelPlan innerPlan;
  static Executor *executor;
  static std::atomic<int> parts, disturbed, innerThreads;

  static void inner(const KernelArgs *args, int32_t tid, int32_t nthreads) {
    innerThreads = std::max(innerThreads.load(), nthreads);
    char *mine =
        static_cast<char *>(args->workspace) + tid * args->workspaceStride;
    std::memset(mine, 2, size_t(args->workspaceStride));
  }
  static void outer(const KernelArgs *args, int32_t tid, int32_t) {
    ++parts;
    char *mine =
        static_cast<char *>(args->workspace) + tid * args->workspaceStride;
    std::memset(mine, 1, size_t(args->workspaceStride));
    ASSERT_TRUE(runPlan(innerPlan, *executor, nullptr, 0, 1, nullptr, nullptr,
                        nullptr));
    if (std::any_of(mine, mine + args->workspaceStride,
                    [](char c) { return c != 1; }))
      ++disturbed;
  }
};
KernelPlan Reentrant::innerPlan;
Executor *Reentrant::executor = nullptr;
std::atomic<int> Reentrant::parts = 0, Reentrant::disturbed = 0,
                 Reentrant::innerThreads = 0;

/// Outer calls of four chunks, inner ones that would take four threads.
void expectUndisturbed(Executor &executor, int32_t threads, Dealing deal) {
  Schedule four = schedule(2, 2);
  four.deal = deal;
  const Problem wide = problem({}, 480, 10);
  Reentrant::innerPlan = makePlan(Reentrant::inner, schedule(2, 2), wide,
                                  /*threads=*/4, 4096);
  Reentrant::executor = &executor;
  Reentrant::parts = Reentrant::disturbed = Reentrant::innerThreads = 0;
  const KernelPlan plan = makePlan(Reentrant::outer, four, wide, threads, 4096);
  ASSERT_TRUE(
      runPlan(plan, executor, nullptr, 0, 1, nullptr, nullptr, nullptr));
  EXPECT_GE(Reentrant::parts, 1);
  EXPECT_EQ(Reentrant::disturbed, 0);
  EXPECT_EQ(Reentrant::innerThreads, 1);
}

TEST(RunPlanTest, CallsFromInsideAKernelKeepTheOuterWorkspace) {
  BackwardsExecutor backwards(4);
  ThreadExecutor threads;
  for (Dealing deal : {Dealing::fixed, Dealing::dynamic})
    for (int32_t outerThreads : {1, 2, 4})
      for (Executor *executor :
           {sequentialExecutor().get(), openMPExecutor().get(),
            static_cast<Executor *>(&backwards),
            static_cast<Executor *>(&threads)})
        expectUndisturbed(*executor, outerThreads, deal);
}

TEST(WorkspaceBytesHeld, StayWhileACallIsUnderWay) {
  std::thread([] {
    const KernelPlan plan = makePlan(
        [](const KernelArgs *, int32_t, int32_t) {
          const int64_t held = workspaceBytesHeld();
          EXPECT_GT(held, 0);
          releaseWorkspaces();
          EXPECT_EQ(workspaceBytesHeld(), held);
        },
        schedule(1, 1), problem({}, 10, 10), 1, 64);
    EXPECT_TRUE(runPlan(plan, *sequentialExecutor(), nullptr, 0, 1, nullptr,
                        nullptr, nullptr));
  }).join();
}

TEST(PartOfCall, WithFixedSharesEachChunkPacksItsOwnRows) {
  static std::vector<int64_t> sameRows;
  for (Dealing deal : {Dealing::fixed, Dealing::dynamic}) {
    sameRows.clear();
    KernelArgs args = {};
    args.gridM = args.gridN = 2;
    PartOfCall part([](const KernelArgs *args, int32_t,
                       int32_t) { sameRows.push_back(args->sameRows); },
                    args, deal, 0, 4);
    for (int64_t chunk = 0; chunk < 4; ++chunk)
      part.run(chunk);
    const int64_t kept = deal == Dealing::dynamic;
    EXPECT_THAT(sameRows, testing::ElementsAre(0, kept, 0, kept));
  }
}

} // namespace
