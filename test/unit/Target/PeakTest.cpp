// The peak loops do the work they claim, at a believable speed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/Peak.h"

#include "Target/HostTarget.h"
#include "support/GuardedBuffer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <chrono>
#include <cstring>
#include <vector>

using namespace lintel;

namespace {

std::vector<IsaLevel> runnableLevels() {
  HostFacts facts = readHostFacts();
  std::vector<IsaLevel> levels;
  for (IsaLevel isa : {IsaLevel::x86_64, IsaLevel::avx2, IsaLevel::avx512}) {
    Target target;
    target.isa = isa;
    if (canRun(facts, target))
      levels.push_back(isa);
  }
  return levels;
}

template <class Work> double bestSeconds(const Work &work) {
  double best = 1e9;
  for (int repeat = 0; repeat < 5; ++repeat) {
    auto begin = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count());
  }
  return best;
}

TEST(PeakTest, CountsOperationsInProportion) {
  for (IsaLevel isa : runnableLevels()) {
    EXPECT_EQ(runFmaLoop(isa, 0), 0);
    EXPECT_EQ(runFmaLoop(isa, -1), 0);
    int64_t one = runFmaLoop(isa, 1);
    EXPECT_GT(one, 0);
    EXPECT_EQ(runFmaLoop(isa, 1000), 1000 * one);
  }
}

TEST(PeakTest, TheFmaLoopIsNotOptimisedAway) {
  // Bounds wide enough for any CPU and a busy machine: between 0.05 and 32
  // operations a lane and nanosecond. A loop that vanished is far above.
  constexpr int64_t kRounds = 200000;
  for (IsaLevel isa : runnableLevels()) {
    Target target;
    target.isa = isa;
    int64_t operations = 0;
    double seconds =
        bestSeconds([&] { operations = runFmaLoop(isa, kRounds); });
    double perLane =
        double(operations) / seconds / 1e9 / double(target.lanes());
    EXPECT_GT(perLane, 0.05) << toString(isa);
    EXPECT_LT(perLane, 32) << toString(isa);
  }
}

TEST(PeakTest, TheFmaLoopMeetsNoSlowNumbers) {
  for (IsaLevel isa : runnableLevels()) {
    std::feclearexcept(FE_ALL_EXCEPT);
    runFmaLoop(isa, 100000);
    EXPECT_FALSE(std::fetestexcept(FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID));
  }
}

TEST(PeakTest, TheReadLoopReadsEveryWordAndNoMore) {
  constexpr size_t kBytes = 3 * kReadUnit, kWords = kBytes / sizeof(float);
  for (IsaLevel isa : runnableLevels())
    for (auto fit : {GuardedBuffer::Fit::begin, GuardedBuffer::Fit::end}) {
      GuardedBuffer buffer(kWords, fit);
      std::memset(buffer.data(), 0, kWords * sizeof(float));
      for (ReadPattern pattern : kReadPatterns) {
        EXPECT_EQ(runReadLoop(isa, pattern, buffer.data(), 0, 1), 0.0f);
        EXPECT_EQ(runReadLoop(isa, pattern, buffer.data(), kBytes, 0), 0.0f);
        for (size_t word = 0; word < kWords; ++word) {
          buffer[word] = std::bit_cast<float>(uint32_t(word + 1));
          EXPECT_EQ(runReadLoop(isa, pattern, buffer.data(), kBytes, 2),
                    float(2 * (word + 1)));
          buffer[word] = 0;
        }
      }
    }
}

TEST(PeakTest, TheReadLoopTakesTime) {
  std::vector<float> data(1 << 22, 1.0f); // 16 MiB: over 10 us on any machine
  for (IsaLevel isa : runnableLevels())
    for (ReadPattern pattern : kReadPatterns) {
      double seconds = bestSeconds([&] {
        volatile float sink = runReadLoop(isa, pattern, data.data(),
                                          data.size() * sizeof(float), 1);
        (void)sink;
      });
      EXPECT_GT(seconds, 10e-6) << toString(isa);
    }
}

} // namespace
