// Every chunk is taken once, and by whom.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Dealer.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace lintel;
using testing::Each;
using testing::ElementsAre;

namespace {

std::vector<int64_t> taken(Dealer &dealer, int32_t part, int32_t parts) {
  std::vector<int64_t> chunks;
  dealer.deal(part, parts, [&](int64_t chunk) { chunks.push_back(chunk); });
  return chunks;
}

TEST(DealerTest, FixedIsEverySoManyth) {
  Dealer dealer(Dealing::fixed, 7);
  EXPECT_THAT(taken(dealer, 2, 3), ElementsAre(2, 5));
  EXPECT_THAT(taken(dealer, 0, 3), ElementsAre(0, 3, 6));
  EXPECT_THAT(taken(dealer, 1, 3), ElementsAre(1, 4));
}

TEST(DealerTest, WhoIsFreeTakesWhatIsLeft) {
  Dealer dealer(Dealing::dynamic, 7);
  // The first chunk of every part is its own, the others are the first part's
  // that asks.
  EXPECT_THAT(taken(dealer, 2, 3), ElementsAre(2, 3, 4, 5, 6));
  EXPECT_THAT(taken(dealer, 0, 3), ElementsAre(0));
  EXPECT_THAT(taken(dealer, 1, 3), ElementsAre(1));
}

TEST(DealerTest, MorePartsThanChunks) {
  for (Dealing dealing : {Dealing::fixed, Dealing::dynamic}) {
    Dealer dealer(dealing, 2);
    EXPECT_THAT(taken(dealer, 3, 4), ElementsAre());
    EXPECT_THAT(taken(dealer, 1, 4), ElementsAre(1));
    EXPECT_THAT(taken(dealer, 0, 4), ElementsAre(0));
  }
}

TEST(DealerTest, EveryChunkOnceOnThreads) {
  constexpr int64_t kChunks = 5000;
  constexpr int32_t kParts = 5;
  std::vector<std::atomic<int>> times(kChunks);
  Dealer dealer(Dealing::dynamic, kChunks);
  std::vector<std::thread> threads;
  for (int32_t part = 0; part < kParts; ++part)
    threads.emplace_back([&, part] {
      dealer.deal(part, kParts, [&](int64_t chunk) { ++times[chunk]; });
    });
  for (std::thread &thread : threads)
    thread.join();
  const std::vector<int> counts(times.begin(), times.end());
  EXPECT_THAT(counts, Each(1));
}

} // namespace
