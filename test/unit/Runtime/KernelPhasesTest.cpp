// Calls whose threads share K: two phases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Runtime/PlannedCalls.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

using namespace lintel;

namespace {

Schedule sliced(int64_t gridM, int64_t gridN, int64_t gridK) {
  Schedule result = schedule(gridM, gridN);
  result.epilogue = EpiloguePlacement::tile;
  result.gridK = gridK;
  return result;
}

TEST(KernelPhases, SlicesOfKAreChunksToo) {
  KernelPlan plan =
      makePlan(nullptr, sliced(9, 1, 4), problem(20, 100, 30), 100, 0);
  EXPECT_EQ(plan.blocking.gridM, 3);
  EXPECT_EQ(plan.blocking.gridK, 4);
  EXPECT_EQ(plan.threads, 12);
  EXPECT_EQ(plan.partialBytes, 4 * 24 * 144 * 4);
  EXPECT_EQ(plan.partialsPerRow, 4 * 144);
  KernelPlan whole =
      makePlan(nullptr, schedule(9, 1), problem(20, 100, 30), 100, 0);
  EXPECT_EQ(whole.blocking.gridK, 1);
  EXPECT_EQ(whole.partialBytes, 0);
  EXPECT_EQ(whole.partialsPerRow, 0);
}

/// out[m, n] = sum over slices of (n + 1000 * m + slice) by way of partials: a
/// slice that another thread has not finished would show.
void slicedKernel(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  const int64_t columns = args->outputs[0].stride, all = args->m * columns;
  auto *partials = static_cast<float *>(args->partials);
  auto *out = static_cast<float *>(args->outputs[0].data);
  if (args->phase == 0) {
    for (int64_t slice = tid; slice < args->gridK; slice += nthreads)
      for (int64_t i = 0; i < all; ++i)
        partials[slice * all + i] =
            float(i % columns + 1000 * (i / columns) + slice);
    return;
  }
  for (int64_t i = tid; i < all; i += nthreads) {
    out[i] = 0;
    for (int64_t slice = 0; slice < args->gridK; ++slice)
      out[i] += partials[slice * all + i];
  }
}

/// Runs slicedKernel and checks every element.
void checkSlices(Executor &executor, Dealing deal, int64_t gridK,
                 int32_t parts) {
  // Enough to add up for several threads.
  constexpr int64_t m = 9, n = 1000;
  Schedule schedule = sliced(1, 1, gridK);
  schedule.deal = deal;
  const KernelPlan plan =
      makePlan(slicedKernel, schedule, problem(m, n, 10), parts, 0);
  std::vector<float> out(size_t(m * n));
  KernelTensor output{out.data(), n};
  ASSERT_TRUE(
      runPlan(plan, executor, nullptr, 0, m, nullptr, &output, nullptr));
  for (int64_t i = 0; i < m * n; ++i)
    ASSERT_EQ(out[size_t(i)], float(gridK * (i % n + 1000 * (i / n)) +
                                    gridK * (gridK - 1) / 2));
}

TEST(KernelPhases, JoinsBetweenPhases) {
  BackwardsExecutor one(1), three(3);
  ThreadExecutor threads;
  for (Executor *executor :
       {sequentialExecutor().get(), openMPExecutor().get(),
        static_cast<Executor *>(&one), static_cast<Executor *>(&three),
        static_cast<Executor *>(&threads)})
    for (Dealing deal : {Dealing::fixed, Dealing::dynamic})
      for (int64_t gridK : {2, 5})
        for (int32_t parts : {1, 2, 3, 7})
          checkSlices(*executor, deal, gridK, parts);
}

TEST(KernelPhases, LittleToAddUpTakesFewThreads) {
  static std::vector<int32_t> finishing;
  const auto note = [](const KernelArgs *args, int32_t, int32_t nthreads) {
    if (args->phase == 1)
      finishing.push_back(nthreads);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(args->partials) % 64, 0u);
    EXPECT_NE(args->partials, nullptr);
  };
  struct Case {
    int64_t n;
    std::vector<int32_t> finishing;
  };
  // 8 rows, 8 slices: 64 floats a column, so that 64 columns have 4 Ki of them.
  for (const Case &c :
       {Case{48, {1}}, Case{96, {1}}, Case{144, {2, 2}}, Case{192, {3, 3, 3}},
        Case{48 * 100, {8, 8, 8, 8, 8, 8, 8, 8}}}) {
    finishing.clear();
    CountingExecutor executor;
    KernelPlan plan =
        makePlan(note, sliced(1, 1, 8), problem(8, c.n, 10), 8, 0);
    ASSERT_TRUE(
        runPlan(plan, executor, nullptr, 0, 8, nullptr, nullptr, nullptr));
    EXPECT_EQ(finishing, c.finishing) << c.n;
    EXPECT_THAT(executor.regions, testing::ElementsAre(8)) << c.n;
  }
}

TEST(KernelPhases, PartialSumsLieBehindTheWorkspaces) {
  static KernelArgs seen;
  KernelPlan plan = makePlan(
      [](const KernelArgs *args, int32_t tid, int32_t) {
        if (tid == 0)
          seen = *args;
        // All threads' own, then all that is shared.
        std::memset(static_cast<char *>(args->workspace) +
                        tid * args->workspaceStride,
                    0, size_t(args->workspaceStride));
        if (tid == 0)
          std::memset(args->partials, 0, 3 * 16 * 96 * sizeof(float));
      },
      sliced(1, 1, 3), problem(9, 50, 10), 3, 100);
  ASSERT_TRUE(runPlan(plan, *sequentialExecutor(), nullptr, 0, 9, nullptr,
                      nullptr, nullptr));
  EXPECT_EQ(static_cast<char *>(seen.partials) -
                static_cast<char *>(seen.workspace),
            3 * 128);
}

TEST(KernelPhases, APoisonedWorkspaceIsWhatTheNextCallFinds) {
  static std::vector<float> found;
  const auto note = [](const KernelArgs *args, int32_t tid, int32_t) {
    if (tid != 0 || args->phase != 0)
      return;
    const auto *workspace = static_cast<const float *>(args->workspace);
    const auto *partials = static_cast<const float *>(args->partials);
    found = {workspace[0], workspace[31], partials[0], partials[16 * 96 - 1]};
  };
  KernelPlan plan = makePlan(note, sliced(1, 1, 2), problem(9, 50, 10), 2, 128);
  ASSERT_TRUE(poisonWorkspace(plan, 9));
  ASSERT_TRUE(runPlan(plan, *sequentialExecutor(), nullptr, 0, 9, nullptr,
                      nullptr, nullptr));
  ASSERT_EQ(found.size(), 4u);
  for (float value : found)
    EXPECT_TRUE(std::isnan(value));
  // Nothing to fill.
  EXPECT_TRUE(poisonWorkspace(
      makePlan(note, schedule(1, 1), problem(9, 50, 10), 1, 0), 9));
}

TEST(KernelPhases, APoisonedWorkspaceIsFoundBesideSumsOfTheRows) {
  static float found;
  const auto note = [](const KernelArgs *args, int32_t, int32_t) {
    found = *static_cast<const float *>(args->workspace);
  };
  const Problem layer =
      *Problem::create(1000, 50, 10, *DataTypes::parse("u8s8"), Epilogue());
  KernelPlan plan = makePlan(note, schedule(1, 1), layer, 1, 128);
  plan.rowSums = RowSums{DType::u8, 10};
  const std::vector<uint8_t> x(1000 * 10), w(size_t(64) << 10);
  const auto run = [&] {
    found = 0;
    ASSERT_TRUE(runPlan(plan, *sequentialExecutor(), x.data(), 10, 1000,
                        w.data(), nullptr, nullptr));
  };
  // In a thread that has no workspace yet: what is poisoned must be as large
  // as what the call takes.
  std::thread([&] {
    ASSERT_TRUE(poisonWorkspace(plan, 1000));
    run();
    EXPECT_TRUE(std::isnan(found));
  }).join();
}

TEST(KernelPhases, SumsOfTheRowsLieBehindPartialSums) {
  static KernelArgs seen;
  const auto note = [](const KernelArgs *args, int32_t tid, int32_t) {
    if (tid == 0 && args->phase == 0)
      seen = *args;
  };
  const Problem layer =
      *Problem::create(9, 50, 10, *DataTypes::parse("u8s8"), Epilogue());
  KernelPlan plan = makePlan(note, sliced(1, 1, 3), layer, 3, 100);
  plan.rowSums = RowSums{DType::u8, 10};
  const std::vector<uint8_t> x(9 * 10), w(size_t(64) << 10);
  ASSERT_TRUE(runPlan(plan, *sequentialExecutor(), x.data(), 10, 9, w.data(),
                      nullptr, nullptr));
  EXPECT_EQ(reinterpret_cast<const char *>(seen.rowSums) -
                static_cast<char *>(seen.partials),
            plan.partialBytes);
}

/// A call from inside a kernel has one thread, and so one workspace.
TEST(KernelPhases, PartialSumsOfAnInnerCallLieBehindItsOneWorkspace) {
  static KernelArgs seen;
  static KernelPlan inner;
  inner =
      makePlan([](const KernelArgs *args, int32_t, int32_t) { seen = *args; },
               sliced(1, 1, 3), problem(9, 50, 10), 3, 100);
  const KernelPlan outer = makePlan(
      [](const KernelArgs *, int32_t, int32_t) {
        ASSERT_TRUE(runPlan(inner, *sequentialExecutor(), nullptr, 0, 9,
                            nullptr, nullptr, nullptr));
      },
      schedule(1, 1), problem(9, 50, 10), 1, 64);
  ASSERT_TRUE(runPlan(outer, *sequentialExecutor(), nullptr, 0, 9, nullptr,
                      nullptr, nullptr));
  EXPECT_EQ(static_cast<char *>(seen.partials) -
                static_cast<char *>(seen.workspace),
            128);
}

} // namespace
