// Read bandwidth: what is read, and believable rates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/ReadMeter.h"

#include "Target/HostTarget.h"
#include "support/FewAddresses.h"

#include <gtest/gtest.h>

namespace lintel {
namespace {

constexpr int64_t kMiB = int64_t(1) << 20;

Target machine(int64_t l1, int64_t l2, int64_t l3) {
  Target target;
  target.l1 = l1;
  target.l2 = l2;
  target.l3 = l3;
  return target;
}

TEST(ReadSizes, HalfOfEachLevelAndMoreThanTheLast) {
  const Target zen4 = machine(32 << 10, kMiB, 32 * kMiB);
  const ReadSizes one = ReadSizes::choose(zen4, 1, 1024 * kMiB);
  EXPECT_EQ(one.of(MemoryLevel::l1), size_t(16 << 10));
  EXPECT_EQ(one.of(MemoryLevel::l2), size_t(kMiB / 2));
  EXPECT_EQ(one.of(MemoryLevel::l3), size_t(16 * kMiB));
  EXPECT_GT(one.of(MemoryLevel::memory), size_t(3 * 32 * kMiB));
  const ReadSizes two = ReadSizes::choose(zen4, 2, 1024 * kMiB);
  EXPECT_EQ(two.of(MemoryLevel::l1), one.of(MemoryLevel::l1));
  EXPECT_EQ(two.of(MemoryLevel::l3), size_t(8 * kMiB));
  EXPECT_GT(2 * two.of(MemoryLevel::memory), size_t(3 * 32 * kMiB));
}

TEST(ReadSizes, AHugeCacheIsReadInPart) {
  const Target server = machine(48 << 10, 2 * kMiB, 300 * kMiB);
  for (int32_t threads : {1, 2}) {
    const ReadSizes sizes = ReadSizes::choose(server, threads, 65536 * kMiB);
    EXPECT_EQ(sizes.of(MemoryLevel::l3), size_t(32 * kMiB));
    EXPECT_GT(size_t(threads) * sizes.of(MemoryLevel::memory),
              size_t(3 * 300 * kMiB));
  }
}

TEST(ReadSizes, ASharedCacheIsNeverTakenForThePrivateOne) {
  // 64 threads on several caches of 32 MiB: target.l3 is one of them.
  const Target server = machine(32 << 10, kMiB, 32 * kMiB);
  const ReadSizes sizes = ReadSizes::choose(server, 64, 65536 * kMiB);
  EXPECT_EQ(sizes.of(MemoryLevel::l3), size_t(2 * kMiB));
  EXPECT_GT(64 * sizes.of(MemoryLevel::memory), size_t(3 * 8 * 32 * kMiB));
}

TEST(ReadSizes, AThreadHasWhatEveryLevelReads) {
  // Of an L2 of 8 MiB half, where there is no room for L3.
  const Target target = machine(32 << 10, 8 * kMiB, 8 * kMiB);
  const ReadSizes sizes = ReadSizes::choose(target, 1, 32 * kMiB);
  EXPECT_EQ(sizes.of(MemoryLevel::l2), size_t(4 * kMiB));
  EXPECT_EQ(sizes.of(MemoryLevel::l3), size_t(0));
  EXPECT_EQ(sizes.slice, size_t(4 * kMiB));
  const ReadSizes usual =
      ReadSizes::choose(machine(32 << 10, kMiB, 32 * kMiB), 2, 1024 * kMiB);
  EXPECT_GE(usual.slice,
            usual.of(MemoryLevel::l3) + usual.of(MemoryLevel::memory));
  EXPECT_EQ(usual.slice % size_t(2 * kMiB), 0u);
}

TEST(ReadSizes, TakesAQuarterOfWhatIsFreeOrNothing) {
  const Target target = machine(32 << 10, kMiB, 300 * kMiB);
  // Behind the 32 MiB of L3.
  EXPECT_EQ(ReadSizes::choose(target, 1, 4400 * kMiB).of(MemoryLevel::memory),
            size_t(1068 * kMiB));
  EXPECT_EQ(ReadSizes::choose(target, 1, 3700 * kMiB).of(MemoryLevel::memory),
            size_t(0));
  EXPECT_EQ(ReadSizes::choose(target, 1, 0).slice, size_t(0));
}

TEST(ReadSizes, AllThreadsTogetherTakeAQuarterAtMost) {
  // 384 threads with 512 MiB: 341 KiB each, no huge page.
  const Target server = machine(32 << 10, kMiB, 32 * kMiB);
  const ReadSizes small = ReadSizes::choose(server, 384, 512 * kMiB);
  EXPECT_EQ(small.of(MemoryLevel::l1), size_t(16 << 10));
  EXPECT_EQ(small.of(MemoryLevel::l2), size_t(0));
  EXPECT_EQ(small.of(MemoryLevel::memory), size_t(0));
  EXPECT_EQ(small.slice, size_t(16 << 10));
  for (const Target &target :
       {server, machine(48 << 10, 2 * kMiB, 300 * kMiB), machine(1, 1, 1),
        machine(48000, 1300000, 99999999), machine(0, 0, 0)})
    for (int threads : {1, 2, 3, 16, 384, 1024})
      for (int64_t available : {int64_t(0), int64_t(4095), kMiB, 7 * kMiB + 1,
                                512 * kMiB, 999 * kMiB, 65536 * kMiB}) {
        const ReadSizes sizes = ReadSizes::choose(target, threads, available);
        EXPECT_LE(int64_t(sizes.slice) * threads, available / 4)
            << threads << " threads, " << available << " bytes";
        EXPECT_GE(sizes.slice, sizes.of(MemoryLevel::l1));
        EXPECT_GE(sizes.slice, sizes.of(MemoryLevel::l2));
        EXPECT_GE(sizes.slice,
                  sizes.of(MemoryLevel::l3) + sizes.of(MemoryLevel::memory));
      }
}

TEST(ReadSizes, AreWholeUnitsWhateverTheMachineSays) {
  for (const Target &odd :
       {machine(1, 1, 1), machine(0, 0, 0), machine(48000, 1300000, 99999999)})
    for (int threads : {1, 3, 1024}) {
      const ReadSizes sizes = ReadSizes::choose(odd, threads, 65536 * kMiB);
      for (MemoryLevel level : kMemoryLevels) {
        EXPECT_EQ(sizes.of(level) % kReadUnit, 0u);
        if (level != MemoryLevel::memory)
          EXPECT_GT(sizes.of(level), 0u);
      }
    }
}

/// Runs all parts on the calling thread, one after the other.
class TakingTurns final : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    for (int32_t tid = 0; tid < maxThreads; ++tid)
      body(context, tid, maxThreads);
  }
};

TEST(ReadMeter, NearerLevelsAreFaster) {
  const Expected<Target> target =
      targetFromFacts(readHostFacts(), std::nullopt);
  ASSERT_TRUE(target);
  Expected<ReadMeter> meter =
      ReadMeter::create(*sequentialExecutor(), 1, *target);
  ASSERT_TRUE(meter) << meter.error().message();
  EXPECT_EQ(meter->rate(MemoryLevel::l1), Rate());
  for (int round = 0; round < 5; ++round)
    for (MemoryLevel level : kMemoryLevels)
      ASSERT_TRUE(meter->sampleOnce(level));
  for (MemoryLevel level : kMemoryLevels) {
    EXPECT_GT(meter->rate(level).best, 0.1);
    EXPECT_LT(meter->rate(level).best, 5000);
    EXPECT_GT(meter->rate(level).median, 0);
  }
  EXPECT_GT(meter->rate(MemoryLevel::l1).best,
            meter->rate(MemoryLevel::memory).best);
}

TEST(ReadMeter, WhatCannotBeHadIsNotMeasured) {
  const Target zen4 = machine(32 << 10, kMiB, 32 * kMiB);
  const FewAddresses few(80 * kMiB);
  ASSERT_TRUE(few);
  Expected<ReadMeter> meter =
      ReadMeter::create(*sequentialExecutor(), 1, zen4, 1024 * kMiB);
  ASSERT_TRUE(meter) << meter.error().message();
  for (MemoryLevel level : kMemoryLevels) {
    ASSERT_TRUE(meter->sampleOnce(level));
    EXPECT_EQ(meter->rate(level).best > 0, level != MemoryLevel::memory);
  }
}

TEST(ReadMeter, WithoutMemoryNothingIsMeasured) {
  Expected<ReadMeter> meter = ReadMeter::create(
      *sequentialExecutor(), 1, machine(32 << 10, kMiB, 32 * kMiB), 0);
  ASSERT_TRUE(meter) << meter.error().message();
  for (MemoryLevel level : kMemoryLevels) {
    ASSERT_TRUE(meter->sampleOnce(level));
    EXPECT_EQ(meter->rate(level), Rate());
  }
}

TEST(ReadMeter, PartsThatTakeTurnsDoNotAddUp) {
  const Expected<Target> target =
      targetFromFacts(readHostFacts(), std::nullopt);
  ASSERT_TRUE(target);
  TakingTurns turns;
  Expected<ReadMeter> one = ReadMeter::create(turns, 1, *target);
  Expected<ReadMeter> four = ReadMeter::create(turns, 4, *target);
  ASSERT_TRUE(one && four);
  for (int round = 0; round < 5; ++round) {
    ASSERT_TRUE(one->sampleOnce(MemoryLevel::l1));
    ASSERT_TRUE(four->sampleOnce(MemoryLevel::l1));
  }
  EXPECT_LT(four->rate(MemoryLevel::l1).best,
            1.5 * one->rate(MemoryLevel::l1).best);
}

} // namespace
} // namespace lintel
