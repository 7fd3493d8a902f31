// find and put: what is a hit, what a miss, and what is moved aside.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/EntryFormat.h"
#include "Runtime/Log.h"
#include "support/CapturedLog.h"
#include "unit/Cache/CacheTestSupport.h"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace lintel {
namespace {

namespace fs = std::filesystem;
using test::everyFeature;

/// No log in a scope: for loops over hundreds of damaged files.
class Quiet {
public:
  Quiet() { setLogLevel(LogLevel::off); }
  ~Quiet() { setLogLevel(LogLevel::warn); }
};

class CacheLookup : public testing::Test {
protected:
  void SetUp() override { ASSERT_TRUE(cache->put(key, entry)); }
  fs::path path() const { return test::entryPath(*cache, key); }
  size_t asideCount() const {
    return test::countOfKind(cache->directory(), FileKind::quarantined);
  }
  /// A miss that moves the file aside, after which a put works.
  void expectQuarantine() {
    const uint64_t before = cache->statistics().quarantined;
    EXPECT_FALSE(cache->find(key, everyFeature));
    EXPECT_EQ(cache->statistics().quarantined, before + 1);
    EXPECT_FALSE(fs::exists(fs::symlink_status(path())));
    EXPECT_FALSE(cache->find(key, everyFeature)); // now a plain miss
    EXPECT_EQ(cache->statistics().quarantined, before + 1);
    ASSERT_TRUE(cache->put(key, entry));
    EXPECT_TRUE(cache->find(key, everyFeature));
  }
  /// A miss that leaves the file where it is.
  void expectPlainMiss() {
    EXPECT_FALSE(cache->find(key, everyFeature));
    EXPECT_EQ(cache->statistics().quarantined, 0u);
    EXPECT_TRUE(fs::exists(path()));
  }

  test::TemporaryDirectory root;
  std::unique_ptr<Cache> cache = *test::openCache((root / "lintel").string());
  const CacheKey key = test::keyNumber(1);
  const CacheEntry entry = test::entryFor(key, 1);
};

TEST_F(CacheLookup, FindsWhatWasPut) {
  std::optional<CacheEntry> found = cache->find(key, everyFeature);
  ASSERT_TRUE(found);
  EXPECT_TRUE(test::equal(*found, entry));
  EXPECT_FALSE(cache->find(test::keyNumber(2), everyFeature));
  const CacheStatistics statistics = cache->statistics();
  EXPECT_EQ(statistics.hits, 1u);
  EXPECT_EQ(statistics.misses, 1u);
  EXPECT_EQ(statistics.writes, 1u);
  EXPECT_EQ(statistics.writeFailures, 0u);
  EXPECT_EQ(test::namesIn(cache->directory()),
            std::vector<std::string>{entryName(key.hash())});
}

TEST_F(CacheLookup, AnotherCacheOfTheDirectoryFindsIt) {
  auto other = *test::openCache(cache->directory());
  std::optional<CacheEntry> found = other->find(key, everyFeature);
  ASSERT_TRUE(found);
  EXPECT_TRUE(test::equal(*found, entry));
}

TEST_F(CacheLookup, PutReplaces) {
  const CacheEntry newer = test::entryFor(key, 2, 5000);
  ASSERT_TRUE(cache->put(key, newer));
  std::optional<CacheEntry> found = cache->find(key, everyFeature);
  ASSERT_TRUE(found);
  EXPECT_TRUE(test::equal(*found, newer));
}

TEST_F(CacheLookup, PutRefusesAnEntryOfAnotherKeyAndAnEmptyObject) {
  Status refused = cache->put(test::keyNumber(2), entry);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::invalidArgument);
  CacheEntry empty = entry;
  empty.object.clear();
  EXPECT_FALSE(cache->put(key, empty));
  EXPECT_EQ(cache->statistics().writeFailures, 2u);
  EXPECT_TRUE(cache->find(key, everyFeature)); // the old one is untouched
  EXPECT_EQ(test::namesIn(cache->directory()).size(), 1u);
}

TEST_F(CacheLookup, MissingFeatureIsAPlainMiss) {
  const auto without = [](std::string_view missing) {
    return [missing](std::string_view feature) { return feature != missing; };
  };
  EXPECT_FALSE(cache->find(key, without("avx2")));
  EXPECT_FALSE(cache->find(key, without("fma")));
  EXPECT_FALSE(cache->find(key, nullptr));
  EXPECT_TRUE(cache->find(key, without("avx512f"))); // it asks for no such
  EXPECT_EQ(cache->statistics().quarantined, 0u);
  EXPECT_EQ(asideCount(), 0u);
}

// What a collision of hashes would look like.
TEST_F(CacheLookup, EntryOfAnotherKeyIsAPlainMiss) {
  const CacheKey other = test::keyNumber(2);
  fs::rename(path(), test::entryPath(*cache, other));
  EXPECT_FALSE(cache->find(other, everyFeature));
  EXPECT_EQ(cache->statistics().quarantined, 0u);
  EXPECT_TRUE(fs::exists(test::entryPath(*cache, other)));
  ASSERT_TRUE(cache->put(other, test::entryFor(other, 3)));
  EXPECT_TRUE(cache->find(other, everyFeature));
}

TEST_F(CacheLookup, OtherFormatVersionsAreLeftInPlace) {
  std::vector<std::byte> bytes = test::readFile(path());
  for (int version : {0, 2, 255}) {
    bytes[8] = std::byte(version);
    test::writeFile(path(), bytes);
    expectPlainMiss();
    EXPECT_EQ(test::readFile(path()), bytes);
  }
  ASSERT_TRUE(cache->put(key, entry)); // a miss is tuned and put: replaced
  EXPECT_TRUE(cache->find(key, everyFeature));
}

TEST_F(CacheLookup, EveryTruncationIsMovedAside) {
  const Quiet quiet;
  const std::vector<std::byte> bytes = test::readFile(path());
  for (size_t size = 0; size < bytes.size(); ++size) {
    test::writeFile(path(), {bytes.begin(), bytes.begin() + ptrdiff_t(size)});
    EXPECT_FALSE(cache->find(key, everyFeature)) << size;
    EXPECT_EQ(cache->statistics().quarantined, size + 1);
    EXPECT_FALSE(fs::exists(path()));
  }
  EXPECT_EQ(asideCount(), 1u); // under one name: damage cannot fill the disk
}

TEST_F(CacheLookup, EveryFlippedBitIsAMiss) {
  const Quiet quiet;
  std::vector<std::byte> bytes = test::readFile(path());
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte(1u << (bit % 8));
    test::writeFile(path(), bytes);
    EXPECT_FALSE(cache->find(key, everyFeature)) << "bit " << bit;
    bytes[bit / 8] ^= std::byte(1u << (bit % 8));
  }
  test::writeFile(path(), bytes);
  EXPECT_TRUE(cache->find(key, everyFeature));
}

TEST_F(CacheLookup, TooLargeAFileIsMovedAsideUnread) {
  fs::resize_file(path(), kMaxEntryBytes + 1);
  expectQuarantine();
}

TEST_F(CacheLookup, FileThatOthersMayWriteIsMovedAside) {
  ASSERT_EQ(::chmod(path().c_str(), 0620), 0);
  expectQuarantine();
  ASSERT_EQ(::chmod(path().c_str(), 0602), 0);
  expectQuarantine();
}

TEST_F(CacheLookup, FileOfAnotherUserIsMovedAside) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  ASSERT_EQ(::chown(path().c_str(), 1, gid_t(-1)), 0);
  expectQuarantine();
}

TEST_F(CacheLookup, FifoDoesNotBlock) {
  fs::remove(path());
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  expectQuarantine();
}

TEST_F(CacheLookup, DirectoryIsMovedAside) {
  fs::remove(path());
  fs::create_directory(path());
  expectQuarantine();
}

TEST_F(CacheLookup, SocketIsMovedAside) {
  fs::remove(path());
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path().string().size(), sizeof(address.sun_path));
  path().string().copy(address.sun_path, sizeof(address.sun_path) - 1);
  int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr *>(&address),
                   sizeof(address)),
            0);
  ::close(socket);
  expectQuarantine();
}

TEST_F(CacheLookup, SymbolicLinkIsMovedAsideAndItsTargetUntouched) {
  const fs::path target = root / "elsewhere";
  fs::rename(path(), target); // a whole entry, but not in the cache
  const std::vector<std::byte> bytes = test::readFile(target);
  fs::create_symlink(target, path());
  expectQuarantine();
  EXPECT_EQ(test::readFile(target), bytes);
}

TEST_F(CacheLookup, PutReplacesALinkAndNotItsTarget) {
  const fs::path target = root / "precious";
  test::writeFile(target, {std::byte(42)});
  fs::remove(path());
  fs::create_symlink(target, path());
  ASSERT_TRUE(cache->put(key, entry));
  EXPECT_FALSE(fs::is_symlink(path()));
  EXPECT_EQ(test::readFile(target), std::vector<std::byte>{std::byte(42)});
}

// Its content is checked like any other; whose names it has does not matter.
TEST_F(CacheLookup, HardLinkIsAHit) {
  fs::create_hard_link(path(), root / "backup");
  EXPECT_TRUE(cache->find(key, everyFeature));
}

TEST_F(CacheLookup, DamageThatCannotBeMovedIsAMissAndReplaced) {
  fs::create_directories(cache->directory() /
                         fs::path(quarantineName(entryName(key.hash()))) /
                         "in the way");
  fs::resize_file(path(), 10);
  EXPECT_FALSE(cache->find(key, everyFeature));
  EXPECT_EQ(cache->statistics().quarantined, 0u);
  ASSERT_TRUE(cache->put(key, entry));
  EXPECT_TRUE(cache->find(key, everyFeature));
}

TEST_F(CacheLookup, DamageIsLoggedOnceWithPlaceAndReason) {
  CapturedLog log;
  fs::resize_file(path(), 10);
  for (int i = 0; i < 3; ++i)
    EXPECT_FALSE(cache->find(key, everyFeature));
  EXPECT_EQ(log.count("is damaged"), 1u);
  EXPECT_EQ(log.count(path().string()), 1u);
  EXPECT_EQ(log.count("version at offset 8"), 1u);
}

TEST_F(CacheLookup, DamageThatStaysIsLoggedOnce) {
  CapturedLog log;
  fs::create_directories(cache->directory() /
                         fs::path(quarantineName(entryName(key.hash()))) /
                         "in the way");
  fs::resize_file(path(), 10);
  for (int i = 0; i < 3; ++i)
    EXPECT_FALSE(cache->find(key, everyFeature));
  EXPECT_EQ(log.count("cannot be moved aside"), 1u);
}

// Who looks need not know: who stores cannot, and is told what to do.
TEST_F(CacheLookup, ADirectoryInTheWayIsNamedWhereAnEntryIsPut) {
  CapturedLog log;
  const fs::path aside =
      cache->directory() / fs::path(quarantineName(entryName(key.hash())));
  fs::remove(path());
  fs::create_directory(path());
  fs::create_directories(aside / "in the way");
  EXPECT_FALSE(cache->find(key, everyFeature));
  EXPECT_EQ(log.count("cache entry"), 0u);
  const Status written = cache->put(key, entry);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::io);
  EXPECT_EQ(written.error().message(),
            "cache directory '" + cache->directory() + "': '" +
                path().filename().string() +
                "' is in the way and must be removed: Is a directory");
  EXPECT_EQ(test::countOfKind(cache->directory(), FileKind::temporary), 0u);
  // Where its place is free it is moved there.
  fs::remove_all(aside);
  EXPECT_FALSE(cache->find(key, everyFeature));
  EXPECT_TRUE(fs::is_directory(aside));
  EXPECT_TRUE(cache->put(key, entry));
}

TEST_F(CacheLookup, PlainMissesAreNotLogged) {
  CapturedLog log;
  EXPECT_FALSE(cache->find(test::keyNumber(2), everyFeature));
  EXPECT_FALSE(cache->find(key, nullptr));
  EXPECT_EQ(log.count("cache"), 0u);
}

} // namespace
} // namespace lintel
