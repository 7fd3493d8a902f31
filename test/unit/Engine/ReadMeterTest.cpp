// Read bandwidth: what is read, and believable rates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/ReadMeter.h"

#include "Target/HostTarget.h"

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

TEST(ReadSizes, ASharedCacheIsNeverTakenForThePrivateOne) {
  // 64 threads on several caches of 32 MiB: target.l3 is one of them.
  const Target server = machine(32 << 10, kMiB, 32 * kMiB);
  const ReadSizes sizes = ReadSizes::choose(server, 64, 65536 * kMiB);
  EXPECT_EQ(sizes.of(MemoryLevel::l3), size_t(2 * kMiB));
  EXPECT_GT(64 * sizes.of(MemoryLevel::memory), size_t(3 * 8 * 32 * kMiB));
}

TEST(ReadSizes, AThreadHasWhatEveryLevelReads) {
  // Eight threads that may take 12 MiB together, with an L2 of 8 MiB each.
  const Target target = machine(32 << 10, 8 * kMiB, 8 * kMiB);
  const ReadSizes sizes = ReadSizes::choose(target, 8, 48 * kMiB);
  EXPECT_EQ(sizes.of(MemoryLevel::l2), size_t(4 * kMiB));
  EXPECT_EQ(sizes.ofThread(), size_t(4 * kMiB));
  const ReadSizes usual =
      ReadSizes::choose(machine(32 << 10, kMiB, 32 * kMiB), 2, 1024 * kMiB);
  EXPECT_EQ(usual.ofThread(),
            usual.of(MemoryLevel::l3) + usual.of(MemoryLevel::memory));
}

TEST(ReadSizes, TakesAQuarterOfWhatIsFreeOrNothing) {
  const Target target = machine(32 << 10, kMiB, 300 * kMiB);
  EXPECT_EQ(ReadSizes::choose(target, 1, 4000 * kMiB).of(MemoryLevel::memory),
            size_t(1000 * kMiB));
  EXPECT_EQ(ReadSizes::choose(target, 1, 3000 * kMiB).of(MemoryLevel::memory),
            size_t(0));
  EXPECT_EQ(ReadSizes::choose(target, 1, 0).of(MemoryLevel::memory), size_t(0));
}

TEST(ReadSizes, AreWholeUnitsWhateverTheMachineSays) {
  for (const Target &odd :
       {machine(1, 1, 1), machine(0, 0, 0), machine(48000, 1300000, 99999999)})
    for (int threads : {1, 3, 1024}) {
      const ReadSizes sizes = ReadSizes::choose(odd, threads, 1024 * kMiB);
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
