// Readers while entries are replaced, evicted and truncated (faults 17, 25).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Log.h"
#include "unit/Cache/CacheTestSupport.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lintel {
namespace {

namespace fs = std::filesystem;

constexpr int kKeys = 3;
constexpr std::chrono::milliseconds kDuration(1500);

/// Processes that repeat something until the time is up, and then say whether
/// it always went right. They share a cache that was opened before all began.
class Crowd {
public:
  explicit Crowd(const std::string &directory)
      : cache(std::move(*test::openCache(directory))) {}

  /// `step` gets the cache and the number of the repetition.
  void add(const std::function<bool(Cache &, int)> &step) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      ::_exit(repeat(step) ? 0 : 1);
    children.push_back(child);
  }

  ~Crowd() {
    for (size_t i = 0; i < children.size(); ++i) {
      int status = 0;
      EXPECT_EQ(::waitpid(children[i], &status, 0), children[i]);
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
          << "process " << i << " of the crowd: " << status;
    }
  }

private:
  bool repeat(const std::function<bool(Cache &, int)> &step) {
    setLogLevel(LogLevel::off);
    const auto end = std::chrono::steady_clock::now() + kDuration;
    for (int i = 0; std::chrono::steady_clock::now() < end; ++i)
      if (!step(*cache, i))
        return false;
    return true;
  }

  const std::unique_ptr<Cache> cache;
  std::vector<pid_t> children;
};

bool writeOne(Cache &cache, int i) {
  const CacheKey key = test::keyNumber(i % kKeys);
  return bool(
      cache.put(key, test::entryFor(key, i, 100 + size_t(i % 5) * 9000)));
}

/// Right is a miss, or what some put wrote, whole.
bool readAll(Cache &cache, int) {
  for (int number = 0; number < kKeys; ++number) {
    const CacheKey key = test::keyNumber(number);
    if (auto found = cache.find(key, test::everyFeature);
        found && !test::isSomeEntryFor(*found, key))
      return false;
  }
  Expected<CacheSurvey> survey = cache.survey();
  return survey && survey->listings.size() <= kKeys;
}

void expectUsable(const std::string &directory) {
  auto cache = *test::openCache(directory);
  ASSERT_TRUE(cache->clear());
  const CacheKey key = test::keyNumber(1);
  ASSERT_TRUE(cache->put(key, test::entryFor(key, 1)));
  EXPECT_TRUE(cache->find(key, test::everyFeature));
  EXPECT_TRUE(cache->survey()->complaints.empty());
  EXPECT_EQ(test::namesIn(directory).size(), 1u);
}

TEST(CacheEviction, ReadersSeeWholeEntriesOrNoneWhileTwoEvict) {
  test::TemporaryDirectory root;
  const std::string directory = (root / "lintel").string();
  {
    Crowd crowd(directory);
    crowd.add(writeOne);
    crowd.add(readAll);
    crowd.add(readAll);
    for (uint64_t limit : {uint64_t(0), uint64_t(20000)})
      crowd.add([limit](Cache &cache, int) {
        return cache.prune(limit) && cache.survey()->complaints.empty();
      });
  }
  EXPECT_EQ(test::countOfKind(directory, FileKind::quarantined), 0u);
  expectUsable(directory);
}

// clear also takes the temporaries of writers: a put may fail then, with a
// reason, but what is there is whole.
TEST(CacheEviction, ReadersAndWritersWhileAllIsCleared) {
  test::TemporaryDirectory root;
  const std::string directory = (root / "lintel").string();
  {
    Crowd crowd(directory);
    crowd.add([](Cache &cache, int i) {
      const CacheKey key = test::keyNumber(i % kKeys);
      Status put = cache.put(key, test::entryFor(key, i));
      return put || put.error().code() == ErrorCode::io;
    });
    crowd.add(readAll);
    crowd.add([](Cache &cache, int) {
      return cache.clear() && cache.survey()->complaints.empty();
    });
  }
  expectUsable(directory);
}

TEST(CacheEviction, ReadersSeeNoPartOfATruncatedEntry) {
  test::TemporaryDirectory root;
  const std::string directory = (root / "lintel").string();
  {
    Crowd crowd(directory);
    crowd.add(writeOne);
    crowd.add(readAll);
    crowd.add(readAll);
    // Truncation and garbage in place, as no Lintel would write.
    crowd.add([](Cache &cache, int i) {
      const fs::path path = test::entryPath(cache, test::keyNumber(i % kKeys));
      const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (file < 0)
        return errno == ENOENT;
      const bool changed =
          i % 2 ? ::ftruncate(file, (i * 37) % 9000) == 0
                : ::pwrite(file, "garbage", 7, (i * 53) % 100) == 7;
      return ::close(file) == 0 && changed;
    });
  }
  EXPECT_GT(test::countOfKind(directory, FileKind::quarantined), 0u);
  expectUsable(directory);
}

TEST(CacheEviction, DirectoryRemovedOverAndOver) {
  test::TemporaryDirectory root;
  const fs::path directory = root / "a/lintel";
  {
    Crowd crowd(directory.string());
    crowd.add([](Cache &cache, int i) {
      const CacheKey key = test::keyNumber(i % kKeys);
      Status put = cache.put(key, test::entryFor(key, i));
      return put || put.error().code() == ErrorCode::io;
    });
    crowd.add([](Cache &cache, int i) {
      const CacheKey key = test::keyNumber(i % kKeys);
      auto found = cache.find(key, test::everyFeature);
      return !found || test::isSomeEntryFor(*found, key);
    });
    crowd.add([&](Cache &, int) {
      std::error_code ignored; // it may be filled again at any moment
      fs::remove_all(root / "a", ignored);
      return true;
    });
  }
  expectUsable(directory.string());
}

} // namespace
} // namespace lintel
