// Writers killed at any moment (fault 14) leave a cache that works.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Cache/CacheTestSupport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lintel {
namespace {

namespace fs = std::filesystem;

constexpr int kKeys = 4;
constexpr int kRounds = 200;

/// What the child does until it dies. Sizes differ, so that one content cut off
/// or followed by the rest of another shows.
[[noreturn]] void putForEver(const std::string &directory, int round) {
  auto cache = test::openCache(directory);
  for (int content = round; cache; ++content) {
    const CacheKey key = test::keyNumber(content % kKeys);
    if (!(*cache)->put(key, test::entryFor(key, content,
                                           1000 + size_t(content % 7) * 30000)))
      break;
  }
  ::_exit(1);
}

/// Starts a writer and kills it after `microseconds`.
void killWriterAfter(const std::string &directory, int round,
                     unsigned microseconds) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0)
    putForEver(directory, round);
  ::usleep(microseconds);
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status))
      << "the writer gave up by itself: " << status;
}

/// Up to when to kill a writer: 5 ms, or some puts where the disk is slow.
unsigned longestLife(Cache &cache) {
  using Clock = std::chrono::steady_clock;
  constexpr int kPuts = 2;
  const Clock::time_point start = Clock::now();
  for (int content = 0; content < kPuts; ++content) {
    const CacheKey key = test::keyNumber(kKeys);
    EXPECT_TRUE(cache.put(key, test::entryFor(key, content, 100000)));
  }
  const auto elapsed = std::chrono::duration_cast<std::chrono::microseconds>(
      Clock::now() - start);
  return unsigned(std::clamp<int64_t>(elapsed.count(), 5000, 30000));
}

TEST(CacheKill, EveryEntryIsWholeAfterEachKill) {
  test::TemporaryDirectory root(test::Storage::disk);
  const std::string directory = (root / "lintel").string();
  std::mt19937 random(20240607);
  auto cache = *test::openCache(directory);
  std::uniform_int_distribution<unsigned> delay(0, longestLife(*cache));
  for (int round = 0; round < kRounds; ++round) {
    ASSERT_NO_FATAL_FAILURE(killWriterAfter(directory, round, delay(random)));
    Expected<CacheSurvey> survey = cache->survey();
    ASSERT_TRUE(survey);
    ASSERT_TRUE(survey->complaints.empty())
        << "round " << round << ": " << survey->complaints[0].message();
    for (int number = 0; number < kKeys; ++number) {
      const CacheKey key = test::keyNumber(number);
      if (auto found = cache->find(key, test::everyFeature))
        ASSERT_TRUE(test::isSomeEntryFor(*found, key)) << "round " << round;
    }
  }
  EXPECT_EQ(cache->statistics().quarantined, 0u);
  // The kills were of use: writers got as far as an entry, and some died on the
  // way to one.
  const size_t entries = cache->survey()->listings.size();
  EXPECT_GT(entries, 1u);
  const size_t temporaries = test::countOfKind(directory, FileKind::temporary);
  EXPECT_GT(temporaries, 0u);
  EXPECT_LE(temporaries, size_t(kRounds));

  const CacheKey key = test::keyNumber(kKeys);
  const CacheEntry entry = test::entryFor(key, 1);
  ASSERT_TRUE(cache->put(key, entry));
  auto found = cache->find(key, test::everyFeature);
  ASSERT_TRUE(found);
  EXPECT_TRUE(test::equal(*found, entry));

  // Left-overs of the dead go once they are old.
  const timespec longAgo[2] = {{1'600'000'000, 0}, {1'600'000'000, 0}};
  for (const std::string &name : test::namesIn(directory))
    if (kindOfFile(name) == FileKind::temporary)
      ASSERT_EQ(::utimensat(AT_FDCWD, (fs::path(directory) / name).c_str(),
                            longAgo, 0),
                0);
  ASSERT_TRUE(cache->prune(UINT64_MAX));
  EXPECT_EQ(test::namesIn(directory).size(), entries);
}

} // namespace
} // namespace lintel
