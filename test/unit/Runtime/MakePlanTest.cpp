// What a call of a kernel is planned to be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Runtime/PlannedCalls.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

/// Of blocks, and of chunks along M and N.
void expectBlocking(const KernelPlan &plan, int64_t mc, int64_t nc, int64_t kc,
                    int64_t gridM, int64_t gridN) {
  EXPECT_EQ(plan.blocking.mc, mc);
  EXPECT_EQ(plan.blocking.nc, nc);
  EXPECT_EQ(plan.blocking.kc, kc);
  EXPECT_EQ(plan.blocking.gridM, gridM);
  EXPECT_EQ(plan.blocking.gridN, gridN);
}

TEST(MakePlanTest, ClampsBlocksToTheProblem) {
  KernelPlan plan =
      makePlan(nullptr, schedule(1, 1), problem(20, 100, 30), 1, 0);
  EXPECT_EQ(plan.blocking.mc, 24);
  EXPECT_EQ(plan.blocking.nc, 144);
  EXPECT_EQ(plan.blocking.kc, 30);
  EXPECT_EQ(plan.blocking.structSize, sizeof(KernelArgs));
  EXPECT_EQ(plan.blocking.abiVersion, kKernelAbiVersion);
  EXPECT_FALSE(plan.noColumns);
}

TEST(MakePlanTest, KeepsBlocksThatFit) {
  Schedule blocks = schedule(2, 2);
  blocks.mc = 16;
  blocks.nc = 96;
  blocks.kc = 7;
  blocks.blocks = LoopOrder::nm;
  KernelPlan plan = makePlan(nullptr, blocks, problem(64, 480, 30), 3, 100);
  expectBlocking(plan, 16, 96, 7, 2, 2);
  EXPECT_EQ(plan.blocking.blockOrder, 1);
  EXPECT_EQ(plan.blocking.tileOrder, 0);
  EXPECT_EQ(plan.threads, 3);
  EXPECT_EQ(plan.workspaceBytes, 128);
}

TEST(MakePlanTest, TinyAndEmptyDimensionsGiveBlocksOfAtLeastOne) {
  KernelPlan plan = makePlan(nullptr, schedule(4, 4), problem(0, 0, 0), 4, 0);
  expectBlocking(plan, 8, 48, 1, 1, 1);
  EXPECT_EQ(plan.threads, 1);
  EXPECT_TRUE(plan.noColumns);
}

TEST(MakePlanTest, NonsenseInASchedule) {
  Schedule bad;
  bad.mr = bad.nr = bad.mc = bad.nc = bad.kc = bad.gridM = bad.gridN = -3;
  KernelPlan plan = makePlan(nullptr, bad, problem(5, 5, 5), -7, -1);
  expectBlocking(plan, 1, 1, 1, 1, 1);
  EXPECT_EQ(plan.threads, 1);
  EXPECT_EQ(plan.workspaceBytes, 0);
}

TEST(MakePlanTest, ThreadsAreAtMostTheChunks) {
  EXPECT_EQ(
      makePlan(nullptr, schedule(2, 3), problem(64, 480, 1), 100, 0).threads,
      6);
  EXPECT_EQ(
      makePlan(nullptr, schedule(2, 3), problem(64, 480, 1), 4, 0).threads, 4);
  // The grid cannot be finer than strips and panels.
  EXPECT_EQ(
      makePlan(nullptr, schedule(9, 9), problem(8, 96, 1), 100, 0).threads, 2);
  EXPECT_EQ(
      makePlan(nullptr, schedule(9, 1), problem({}, 48, 1), 100, 0).threads, 9);
}

TEST(MakePlanTest, DealsOutDynamicallyWhereThereAreMoreChunksThanThreads) {
  Schedule dealt = schedule(2, 3);
  const auto dealing = [&](int32_t threads) {
    return makePlan(nullptr, dealt, problem(64, 480, 1), threads, 0).dealing;
  };
  EXPECT_EQ(dealing(2), Dealing::fixed);
  dealt.deal = Dealing::dynamic;
  EXPECT_EQ(dealing(2), Dealing::dynamic);
  EXPECT_EQ(dealing(5), Dealing::dynamic);
  EXPECT_EQ(dealing(6), Dealing::fixed);
  // Too many to count, which is no legal schedule.
  const int64_t many = 1 << 16;
  dealt.mr = dealt.nr = 1;
  dealt.gridM = dealt.gridN = many;
  EXPECT_EQ(makePlan(nullptr, dealt, problem(many, many, 1), 2, 0).dealing,
            Dealing::fixed);
}

} // namespace
