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
  Dealer dealer(Dealing::fixed, 7, 3);
  EXPECT_THAT(taken(dealer, 2, 3), ElementsAre(2, 5));
  EXPECT_THAT(taken(dealer, 0, 3), ElementsAre(0, 3, 6));
  EXPECT_THAT(taken(dealer, 1, 3), ElementsAre(1, 4));
}

TEST(DealerTest, WhoIsFreeTakesWhatIsLeft) {
  // Ranges of 2, 2 and 3. The first part that asks is done with its own before
  // the others begin.
  Dealer dealer(Dealing::dynamic, 7, 3);
  EXPECT_THAT(taken(dealer, 1, 3), ElementsAre(2, 3, 4, 5, 6, 0, 1));
  EXPECT_THAT(taken(dealer, 0, 3), ElementsAre());
  EXPECT_THAT(taken(dealer, 2, 3), ElementsAre());
}

TEST(DealerTest, PartsTakeNeighboursWhileOthersDo) {
  Dealer dealer(Dealing::dynamic, 8, 2);
  std::vector<int64_t> first, second;
  // Part 1 deals while part 0 has its third chunk in hand.
  dealer.deal(0, 2, [&](int64_t chunk) {
    first.push_back(chunk);
    if (chunk == 2)
      second = taken(dealer, 1, 2);
  });
  EXPECT_THAT(first, ElementsAre(0, 1, 2));
  EXPECT_THAT(second, ElementsAre(4, 5, 6, 7, 3));
}

TEST(DealerTest, MorePartsThanChunks) {
  Dealer fixed(Dealing::fixed, 2, 4);
  EXPECT_THAT(taken(fixed, 3, 4), ElementsAre());
  EXPECT_THAT(taken(fixed, 1, 4), ElementsAre(1));
  EXPECT_THAT(taken(fixed, 0, 4), ElementsAre(0));
  Dealer dynamic(Dealing::dynamic, 2, 4);
  EXPECT_THAT(taken(dynamic, 3, 4), ElementsAre(1, 0));
  EXPECT_THAT(taken(dynamic, 0, 4), ElementsAre());
}

void checkEveryChunkOnce(int64_t chunks, int32_t expected, int32_t parts) {
  std::vector<std::atomic<int>> times(chunks);
  Dealer dealer(Dealing::dynamic, chunks, expected);
  std::vector<std::thread> threads;
  for (int32_t part = 0; part < parts; ++part)
    threads.emplace_back([&, part] {
      dealer.deal(part, parts, [&](int64_t chunk) { ++times[chunk]; });
    });
  for (std::thread &thread : threads)
    thread.join();
  const std::vector<int> counts(times.begin(), times.end());
  EXPECT_THAT(counts, Each(1));
}

TEST(DealerTest, EveryChunkOnceOnThreads) {
  checkEveryChunkOnce(5000, 5, 5);
  checkEveryChunkOnce(5000, 7, 3);     // fewer than expected
  checkEveryChunkOnce(1000, 150, 150); // more parts than ranges
  checkEveryChunkOnce(70, 150, 150);
}

} // namespace
