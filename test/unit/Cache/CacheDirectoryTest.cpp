// Which directories may hold a cache, and how they come to be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/CacheDirectory.h"
#include "Cache/CacheLocation.h"
#include "Cache/DiskCache.h"
#include "unit/Cache/CacheTestSupport.h"
#include "unit/Cache/FaultyFiles.h"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lintel {
namespace {

namespace fs = std::filesystem;
using test::TemporaryDirectory;

unsigned modeOf(const fs::path &path) {
  struct stat info = {};
  EXPECT_EQ(::lstat(path.c_str(), &info), 0);
  return info.st_mode & 07777;
}

/// The message with which opening `path` is refused.
std::string refusalOf(const fs::path &path) {
  Expected<std::unique_ptr<Cache>> cache = test::openCache(path.string());
  return cache ? "accepted" : cache.error().message();
}

/// Sets the umask for a scope.
class Umask {
public:
  explicit Umask(mode_t mask) : before(::umask(mask)) {}
  ~Umask() { ::umask(before); }

private:
  mode_t before;
};

TEST(CacheDirectory, IsMadeWithItsParents) {
  TemporaryDirectory root;
  for (mode_t mask : {0000, 0022, 0777}) {
    Umask umask(mask);
    const fs::path parent = root / ("umask" + std::to_string(mask));
    Expected<std::unique_ptr<Cache>> cache =
        test::openCache((parent / "a" / "lintel").string());
    ASSERT_TRUE(cache) << cache.error().message();
    EXPECT_EQ((*cache)->directory(), (parent / "a" / "lintel").string());
    for (const fs::path &made : {parent, parent / "a", parent / "a" / "lintel"})
      EXPECT_EQ(modeOf(made), 0700u) << made;
    const CacheKey key = test::keyNumber(1);
    ASSERT_TRUE((*cache)->put(key, test::entryFor(key, 1)));
    EXPECT_EQ(modeOf(test::entryPath(**cache, key)), 0600u);
  }
}

TEST(CacheDirectory, OneThatIsThereStaysAsItIs) {
  TemporaryDirectory root;
  for (unsigned mode : {0700u, 0755u, 02700u}) {
    const fs::path path = root / std::to_string(mode);
    fs::create_directory(path);
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_TRUE(test::openCache(path.string()));
    EXPECT_EQ(modeOf(path), mode);
  }
}

TEST(CacheDirectory, WritableByOthersIsRefused) {
  TemporaryDirectory root;
  const fs::path path = root / "lintel";
  fs::create_directory(path);
  for (unsigned mode : {0777u, 0720u, 0702u, 01777u}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    const std::string refusal = refusalOf(path);
    EXPECT_NE(refusal.find(path.string()), std::string::npos);
    // The last one is like /tmp, which must stay as it is.
    const char *remedy =
        mode == 01777u ? "name a directory of your own" : "chmod 700 it";
    EXPECT_NE(refusal.find(remedy), std::string::npos) << refusal;
  }
  ASSERT_EQ(::chmod(path.c_str(), 0720), 0);
  EXPECT_NE(refusalOf(path).find("mode 0720"), std::string::npos);
}

TEST(CacheDirectory, FilesAndLinksAreRefused) {
  TemporaryDirectory root;
  test::writeFile(root / "file", {std::byte(1)});
  fs::create_directory(root / "real");
  fs::create_directory_symlink(root / "real", root / "link");
  fs::create_symlink(root / "nowhere", root / "dangling");
  ASSERT_EQ(::mkfifo((root / "fifo").c_str(), 0600), 0);
  EXPECT_NE(refusalOf(root / "file").find("is not a directory"),
            std::string::npos);
  EXPECT_NE(refusalOf(root / "fifo").find("is not a directory"),
            std::string::npos);
  for (const char *name :
       {"link", "link/", "link//", "link/.", "link/./", "dangling"})
    EXPECT_NE(refusalOf(root / name).find("is a symbolic link"),
              std::string::npos)
        << name;
  EXPECT_NE(refusalOf(root / "file/lintel").find("Not a directory"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(root / "nowhere"));
  EXPECT_TRUE(test::namesIn(root / "real").empty());
}

// A link further up is the user's own affair.
TEST(CacheDirectory, LinkedParentIsFine) {
  TemporaryDirectory root;
  fs::create_directory(root / "real");
  fs::create_directory_symlink(root / "real", root / "link");
  EXPECT_EQ(refusalOf(root / "link/lintel"), "accepted");
  EXPECT_TRUE(fs::is_directory(root / "real/lintel"));
}

TEST(CacheDirectory, AnotherUsersIsRefused) {
  class SomebodyElses final : public test::FaultyFiles {
    int describe(int file, struct stat &info) override {
      int result = FaultyFiles::describe(file, info);
      ++info.st_uid;
      return result;
    }
  };
  TemporaryDirectory root;
  Expected<std::unique_ptr<Cache>> cache = test::openCache(
      (root / "lintel").string(), std::make_shared<SomebodyElses>());
  ASSERT_FALSE(cache);
  EXPECT_NE(cache.error().message().find("belongs to user " +
                                         std::to_string(::geteuid() + 1)),
            std::string::npos)
      << cache.error().message();
}

/// Of whom every path is another user's, and none may be opened.
class Locked final : public test::FaultyFiles {
public:
  explicit Locked(std::string unseen = "") : unseen(std::move(unseen)) {}
  int openDirectory(const std::string &) override { return -EACCES; }
  int describePath(const std::string &path, struct stat &info) override {
    const int result = FaultyFiles::describePath(path, info);
    info.st_uid = ::geteuid() + 1;
    return path == unseen ? -EACCES : result;
  }

private:
  const std::string unseen;
};

// As of ~/.cache, which `sudo` made.
TEST(CacheDirectory, WhoseItIsThatDeniesPermissionIsTold) {
  TemporaryDirectory root;
  fs::create_directory(root / "a");
  const auto refusalWith = [&](std::shared_ptr<CacheFiles> files) {
    auto cache = test::openCache((root / "a/lintel").string(), files);
    return cache ? "accepted" : cache.error().message();
  };
  const std::string denied = "cannot open cache directory '" +
                             (root / "a/lintel").string() +
                             "': Permission denied; '",
                    owner =
                        "' belongs to user " + std::to_string(::geteuid() + 1);
  EXPECT_EQ(refusalWith(std::make_shared<Locked>((root / "a/lintel").string())),
            denied + (root / "a").string() + owner);
  fs::create_directory(root / "a/lintel");
  EXPECT_EQ(refusalWith(std::make_shared<Locked>()),
            denied + (root / "a/lintel").string() + owner);
}

TEST(CacheDirectory, RootMakesNoneBelowAnotherUsers) {
  using enum DirectoryOrigin;
  EXPECT_TRUE(mayMakeBelow(0, 0, home));
  EXPECT_FALSE(mayMakeBelow(1000, 0, home));
  EXPECT_TRUE(mayMakeBelow(1000, 0, named));
  EXPECT_TRUE(mayMakeBelow(1000, 1000, home));
  EXPECT_TRUE(mayMakeBelow(0, 1000, home)); // as /tmp
  EXPECT_TRUE(mayMakeBelow(1001, 1000, home));
}

/// Of a directory that nobody named.
std::string refusalOfHomes(const fs::path &path) {
  auto cache =
      test::openCache(path.string(), posixFiles(), DirectoryOrigin::home);
  return cache ? "accepted" : cache.error().message();
}

TEST(CacheDirectory, RootLeavesTheHomeOfAUserAlone) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can make a directory another user's";
  constexpr uid_t kUser = 54321;
  TemporaryDirectory root;
  fs::create_directory(root / "home");
  ASSERT_EQ(::chown((root / "home").c_str(), kUser, kUser), 0);
  for (const char *path : {"home/lintel", "home/.cache/lintel"}) {
    EXPECT_EQ(refusalOfHomes(root / path),
              "cache directory '" + (root / path).string() +
                  "' is not made: '" + (root / "home").string() +
                  "' belongs to user 54321, whom a directory of root's would "
                  "lock out; name one with LINTEL_CACHE_DIR");
    EXPECT_FALSE(
        (*Cache::at((root / path).string(), DirectoryOrigin::home))->isThere());
  }
  EXPECT_TRUE(fs::is_empty(root / "home"));
  // One that is named or there was meant.
  EXPECT_EQ(refusalOf(root / "home/named"), "accepted");
  fs::create_directory(root / "home/lintel");
  EXPECT_EQ(refusalOfHomes(root / "home/lintel"), "accepted");
}

/// /nonexistent is HOME of users who shall have none.
TEST(CacheDirectory, NobodyMakesHome) {
  TemporaryDirectory root;
  const fs::path cache = root / "nonexistent/.cache/lintel";
  EXPECT_EQ(refusalOfHomes(cache), "cache directory '" + cache.string() +
                                       "' is not made: there is no "
                                       "HOME '" +
                                       (root / "nonexistent").string() +
                                       "'; name one with LINTEL_CACHE_DIR");
  EXPECT_FALSE(fs::exists(root / "nonexistent"));
  // What somebody named, or XDG_CACHE_HOME did, is made as deep as it is.
  EXPECT_TRUE(test::openCache(cache.string(), posixFiles(),
                              DirectoryOrigin::xdgCacheHome));
  EXPECT_TRUE(fs::exists(cache));
  EXPECT_EQ(refusalOf(root / "other/deep/cache"), "accepted");
}

TEST(CacheLocation, IsNamedByItsOwnVariableAlone) {
  Environment environment;
  environment.home = "/home/a";
  EXPECT_EQ(cacheLocation(environment).directory, "/home/a/.cache/lintel");
  EXPECT_EQ(cacheLocation(environment).origin, DirectoryOrigin::home);
  environment.xdgCacheHome = "/b";
  EXPECT_EQ(cacheLocation(environment).directory, "/b/lintel");
  EXPECT_EQ(cacheLocation(environment).origin, DirectoryOrigin::xdgCacheHome);
  environment.cacheDirectory = "/c";
  EXPECT_EQ(cacheLocation(environment).directory, "/c");
  EXPECT_EQ(cacheLocation(environment).origin, DirectoryOrigin::named);
}

TEST(CacheDirectory, WhetherItIsThereIsJudgedAsItsUseIs) {
  TemporaryDirectory root;
  test::writeFile(root / "file", {});
  fs::create_symlink(root / "nowhere", root / "dangling");
  fs::create_directory(root / "real");
  fs::create_directory_symlink(root / "real", root / "link");
  for (const char *name :
       {"file", "file/lintel", "dangling", "dangling/lintel", "link"}) {
    const Expected<bool> there =
        (*Cache::at((root / name).string()))->isThere();
    ASSERT_FALSE(there) << name;
    EXPECT_EQ(there.error().message(), refusalOf(root / name));
  }
  for (const char *name : {"lintel", "a/lintel", "link/lintel", "link/a/b"}) {
    auto cache = *Cache::at((root / name).string());
    Expected<bool> there = cache->isThere();
    ASSERT_TRUE(there) << there.error().message();
    EXPECT_FALSE(*there) << name;
    ASSERT_TRUE(cache->prepare());
    there = cache->isThere();
    EXPECT_TRUE(there && *there) << name;
  }
  EXPECT_FALSE(fs::exists(root / "nowhere"));
}

TEST(CacheDirectory, WhatFailsNowMayWorkLater) {
  TemporaryDirectory root;
  test::writeFile(root / "lintel", {});
  auto cache = *Cache::at((root / "lintel").string());
  EXPECT_FALSE(cache->prepare());
  const CacheKey key = test::keyNumber(1);
  EXPECT_FALSE(cache->put(key, test::entryFor(key, 1)));
  fs::remove(root / "lintel");
  EXPECT_TRUE(cache->put(key, test::entryFor(key, 1)));
  EXPECT_TRUE(cache->find(key, test::everyFeature));
}

TEST(CacheDirectory, PathsThatCannotBe) {
  EXPECT_FALSE(absoluteDirectory(""));
  EXPECT_FALSE(absoluteDirectory(std::string("/tmp/a\0b", 8)));
  TemporaryDirectory root;
  EXPECT_NE(refusalOf(root / std::string(4096, 'x')).find("too long"),
            std::string::npos);
  EXPECT_NE(refusalOf(root / std::string(300, 'x')).find("too long"),
            std::string::npos);
}

TEST(CacheDirectory, PathsThatAreUnusual) {
  TemporaryDirectory root;
  for (const char *name : {"with space", "new\nline", "\xc3\xa4\xe2\x82\xac",
                           "%s%n", "-rf", "a//b", "a/./b/", "a/../c"})
    EXPECT_EQ(refusalOf(root / name), "accepted") << name;
}

TEST(CacheDirectory, RelativePathsAreBoundToWhereTheProcessWas) {
  TemporaryDirectory root;
  const fs::path before = fs::current_path();
  fs::current_path(root / "");
  Expected<std::unique_ptr<Cache>> cache = test::openCache("lintel");
  fs::current_path(before);
  ASSERT_TRUE(cache);
  const CacheKey key = test::keyNumber(1);
  ASSERT_TRUE((*cache)->put(key, test::entryFor(key, 1)));
  EXPECT_TRUE(fs::exists(root / "lintel" / entryName(key.hash())));
}

TEST(CacheDirectory, TrailingSlashesGo) {
  EXPECT_EQ(*absoluteDirectory("/a/b//"), "/a/b");
  EXPECT_EQ(*absoluteDirectory("/a/b/./"), "/a/b");
  EXPECT_EQ(*absoluteDirectory("/"), "/");
}

TEST(CacheDirectory, VanishedIsAMissAndMadeAgain) {
  TemporaryDirectory root;
  auto cache = *test::openCache((root / "a/lintel").string());
  const CacheKey key = test::keyNumber(1);
  const CacheEntry entry = test::entryFor(key, 1);
  ASSERT_TRUE(cache->put(key, entry));
  fs::remove_all(root / "a");
  EXPECT_FALSE(cache->find(key, test::everyFeature));
  EXPECT_FALSE(cache->survey());
  ASSERT_TRUE(cache->put(key, entry));
  EXPECT_TRUE(cache->find(key, test::everyFeature));
  EXPECT_EQ(modeOf(root / "a/lintel"), 0700u);
}

TEST(CacheDirectory, ReplacedWhileOpenIsJudgedAgain) {
  TemporaryDirectory root;
  const fs::path path = root / "lintel";
  auto cache = *test::openCache(path.string());
  const CacheKey key = test::keyNumber(1);
  const CacheEntry entry = test::entryFor(key, 1);
  ASSERT_TRUE(cache->put(key, entry));

  fs::rename(path, root / "aside");
  test::writeFile(path, {});
  EXPECT_FALSE(cache->find(key, test::everyFeature));
  Status refused = cache->put(key, entry);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("is not a directory"),
            std::string::npos);

  fs::remove(path);
  fs::create_directory_symlink(root / "aside", path);
  EXPECT_FALSE(cache->find(key, test::everyFeature));

  fs::remove(path);
  fs::rename(root / "aside", path);
  EXPECT_TRUE(cache->find(key, test::everyFeature));
  ASSERT_EQ(::chmod(path.c_str(), 0777), 0);
  EXPECT_FALSE(cache->find(key, test::everyFeature));
  EXPECT_FALSE(cache->put(key, entry));
  EXPECT_EQ(cache->statistics().writeFailures, 2u);
}

} // namespace
} // namespace lintel
