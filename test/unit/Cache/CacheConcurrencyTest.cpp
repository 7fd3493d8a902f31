// Threads and processes on the same keys at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Cache/CacheTestSupport.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace lintel {
namespace {

/// Looks up each key and puts those it misses; false if an answer is wrong.
bool fillAndCheck(Cache &cache, int keys, int content) {
  bool right = true;
  for (int number = 0; number < keys; ++number) {
    const CacheKey key = test::keyNumber(number);
    if (auto found = cache.find(key, test::everyFeature)) {
      right &= test::isSomeEntryFor(*found, key);
      continue;
    }
    right &= bool(cache.put(
        key, test::entryFor(key, content, 2000 + size_t(content) * 100)));
    auto found = cache.find(key, test::everyFeature);
    right &= found && test::isSomeEntryFor(*found, key);
  }
  return right;
}

void expectClean(Cache &cache, size_t entries) {
  EXPECT_TRUE(cache.survey()->complaints.empty());
  EXPECT_EQ(cache.survey()->listings.size(), entries);
  EXPECT_EQ(test::namesIn(cache.directory()).size(), entries);
}

TEST(CacheConcurrency, ThreadsPutAndFindTheSameKeys) {
  test::TemporaryDirectory root;
  auto cache = *test::openCache((root / "lintel").string());
  constexpr int kThreads = 8, kRounds = 25, kKeys = 4;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (int round = 0; round < kRounds; ++round) {
        const CacheKey key = test::keyNumber((thread + round) % kKeys);
        const int content = thread * kRounds + round;
        if (round % 4 == 0)
          wrong += !cache->put(key, test::entryFor(key, content));
        if (auto found = cache->find(key, test::everyFeature))
          wrong += !test::isSomeEntryFor(*found, key);
        if (auto survey = cache->survey())
          for (const CacheListing &listing : survey->listings)
            wrong += listing.objectBytes != 40;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  const CacheStatistics statistics = cache->statistics();
  EXPECT_EQ(statistics.writes, uint64_t(kThreads * ((kRounds + 3) / 4)));
  EXPECT_EQ(statistics.hits + statistics.misses, uint64_t(kThreads * kRounds));
  EXPECT_EQ(statistics.quarantined, 0u);
  expectClean(*cache, kKeys);
}

TEST(CacheConcurrency, ProcessesFillTheSameColdKeys) {
  test::TemporaryDirectory root;
  const std::string directory = (root / "lintel").string();
  constexpr int kProcesses = 32, kKeys = 8;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      // The directory itself is made by whoever comes first.
      Expected<std::unique_ptr<Cache>> cache = test::openCache(directory);
      ::_exit(cache && fillAndCheck(**cache, kKeys, process) ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  expectClean(**test::openCache(directory), kKeys);
}

TEST(CacheConcurrency, ACacheSurvivesFork) {
  test::TemporaryDirectory root;
  auto cache = *test::openCache((root / "lintel").string());
  ASSERT_TRUE(fillAndCheck(*cache, 2, 1));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0)
    ::_exit(fillAndCheck(*cache, 4, 2) ? 0 : 1);
  EXPECT_TRUE(fillAndCheck(*cache, 4, 3));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  expectClean(*cache, 4);
}

} // namespace
} // namespace lintel
