// Entries that are put together, all or none, and pruned together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/DiskCache.h"
#include "unit/Cache/CacheTestSupport.h"
#include "unit/Cache/FaultyFiles.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace lintel {
namespace {

namespace fs = std::filesystem;
using test::Failing;
using test::FaultyFiles;
using test::Injection;

constexpr int64_t kNow = 1'800'000'000;

/// The part `part` of a layer.
CacheKey keyOf(const std::string &layer, int part) {
  return CacheKey({{"layer", layer}, {"part", std::to_string(part)}});
}

std::string layerOf(std::string_view keyText) {
  return std::string(CacheKey::fieldOfText(keyText, "layer").value_or(""));
}

std::vector<CacheEntry> layerWith(const std::string &layer, int content) {
  std::vector<CacheEntry> entries;
  for (int part : {1, 2, 3})
    entries.push_back(test::entryFor(keyOf(layer, part), content));
  return entries;
}

class CacheTogether : public testing::Test {
protected:
  std::unique_ptr<Cache>
  open(std::shared_ptr<CacheFiles> files = std::make_shared<FaultyFiles>()) {
    return std::move(*test::openCache((root / "lintel").string(), files));
  }
  /// What the parts of layer "a" hold; -1 of one that is missing.
  std::set<int> contents() {
    std::set<int> found;
    auto cache = open();
    for (int part : {1, 2, 3}) {
      const auto entry = cache->find(keyOf("a", part), test::everyFeature);
      found.insert(entry ? std::atoi(entry->record.c_str() + 11) : -1);
    }
    return found;
  }
  size_t temporaries() const {
    return test::countOfKind(root / "lintel", FileKind::temporary);
  }
  fs::path path(const std::string &layer, int part) const {
    return root / "lintel" / entryName(keyOf(layer, part).hash());
  }
  void setAge(const std::string &layer, int part, int64_t age) {
    test::setModified(path(layer, part), kNow - age);
  }
  bool isThere(const std::string &layer, int part) const {
    return fs::exists(path(layer, part));
  }

  test::TemporaryDirectory root;
};

// Only so does no failure of writing take old entries away.
TEST_F(CacheTogether, AllAreSyncedBeforeTheFirstIsRenamed) {
  auto files = std::make_shared<FaultyFiles>();
  auto cache = open(files);
  files->log.clear();
  ASSERT_TRUE(cache->putTogether(layerWith("a", 1)));
  const auto rename = std::ranges::find(files->log, "rename");
  const auto count = [&](auto begin, auto end, const char *call) {
    return std::count(begin, end, call);
  };
  EXPECT_EQ(count(files->log.begin(), rename, "sync"), 3);
  EXPECT_EQ(count(rename, files->log.end(), "rename"), 3);
  EXPECT_EQ(count(rename, files->log.end(), "sync"), 1); // of the directory
  EXPECT_EQ(cache->statistics().writes, 3u);
}

TEST_F(CacheTogether, WhateverFailsNoOldOneIsBesideANewOne) {
  std::set<std::string> failed;
  for (int call = 1; call < 200; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    ASSERT_TRUE(open()->putTogether(layerWith("a", 1)));
    auto files =
        std::make_shared<FaultyFiles>(Injection{call, Failing::once, ENOSPC});
    auto cache = DiskCache::at((root / "lintel").string(), files).value();
    const Status put = cache->putTogether(layerWith("a", 2));
    const std::set<int> found = contents();
    EXPECT_EQ(temporaries(), 0u);
    if (put) {
      EXPECT_EQ(found, std::set<int>{2});
    } else {
      EXPECT_FALSE(found.contains(1) && found.contains(2));
      EXPECT_EQ(cache->statistics().writeFailures, 3u);
      const auto renamed = std::ranges::count(files->log, "rename");
      if (renamed < 2)
        EXPECT_EQ(found, std::set<int>{1}); // before any was replaced
      failed.insert(files->log[size_t(call) - 1]);
    }
    if (!files->fired) {
      EXPECT_EQ(failed, (std::set<std::string>{"createToWrite", "write", "sync",
                                               "close", "rename"}));
      return;
    }
  }
  FAIL() << "the run never ends";
}

TEST_F(CacheTogether, BeginsAnewWhenATemporaryIsRemoved) {
  class LastRemovedOnce final : public FaultyFiles {
    int rename(int directory, const std::string &from,
               const std::string &to) override {
      if (++renames == 3)
        EXPECT_EQ(remove(directory, from), 0);
      return FaultyFiles::rename(directory, from, to);
    }
    int renames = 0;
  };
  ASSERT_TRUE(open(std::make_shared<LastRemovedOnce>())
                  ->putTogether(layerWith("a", 1)));
  EXPECT_EQ(contents(), std::set<int>{1});
  EXPECT_EQ(temporaries(), 0u);
}

// An entry of a layer is of no use without the rest.
TEST_F(CacheTogether, PruneTakesLayersWhole) {
  auto cache = open();
  for (const char *layer : {"a", "b", "c"})
    ASSERT_TRUE(cache->putTogether(layerWith(layer, 1)));
  // One of the oldest is of the youngest layer.
  for (int part : {1, 2, 3}) {
    setAge("a", part, part == 2 ? 10 : 1000);
    setAge("b", part, 100 + part);
    setAge("c", part, 50 + part);
  }
  const uint64_t ofLayer = 3 * fs::file_size(path("a", 1));
  EXPECT_EQ(*cache->prune(3 * ofLayer, layerOf), 0u);
  EXPECT_EQ(*cache->prune(3 * ofLayer - 1, layerOf), ofLayer);
  for (int part : {1, 2, 3}) {
    EXPECT_TRUE(isThere("a", part));
    EXPECT_FALSE(isThere("b", part));
    EXPECT_TRUE(isThere("c", part));
  }
  EXPECT_EQ(*cache->prune(ofLayer, layerOf), ofLayer);
  EXPECT_TRUE(isThere("a", 1) && isThere("a", 2) && isThere("a", 3));
}

TEST_F(CacheTogether, PruneTakesWhatIsDamagedByItself) {
  auto cache = open();
  ASSERT_TRUE(cache->putTogether(layerWith("a", 1)));
  fs::resize_file(path("a", 1), 7);
  setAge("a", 1, 1000);
  setAge("a", 2, 10);
  setAge("a", 3, 10);
  const uint64_t rest = 2 * fs::file_size(path("a", 2));
  EXPECT_EQ(*cache->prune(rest, layerOf), 7u);
  EXPECT_TRUE(isThere("a", 2) && isThere("a", 3));
}

// However young: an entry that is never found, and one that is cut short.
TEST_F(CacheTogether, PruneTakesWhatIsOfNoUseFirst) {
  auto cache = open();
  for (const char *layer : {"a", "b"})
    ASSERT_TRUE(cache->putTogether(layerWith(layer, 1)));
  fs::resize_file(path("b", 1), 7);
  fs::copy_file(path("a", 1), path("b", 2),
                fs::copy_options::overwrite_existing);
  for (int part : {1, 2, 3}) {
    setAge("a", part, 1000);
    setAge("b", part, part == 3 ? 500 : 10);
  }
  const uint64_t misplaced = fs::file_size(path("b", 2));
  const uint64_t rest =
      3 * fs::file_size(path("a", 1)) + fs::file_size(path("b", 3));
  EXPECT_EQ(*cache->prune(rest, layerOf), misplaced + 7);
  EXPECT_FALSE(isThere("b", 1) || isThere("b", 2));
  // Then the oldest.
  EXPECT_EQ(*cache->prune(rest - 1, layerOf),
            rest - fs::file_size(path("b", 3)));
  EXPECT_TRUE(isThere("b", 3));
}

/// Files that another process writes between the look and the removal.
class WrittenMeanwhile final : public FaultyFiles {
public:
  WrittenMeanwhile(std::string name, std::function<void()> write)
      : name(std::move(name)), write(std::move(write)) {}
  int describeAt(int directory, const std::string &looked,
                 struct stat &info) override {
    if (looked == name && ++looks == 2)
      write();
    return FaultyFiles::describeAt(directory, looked, info);
  }

private:
  const std::string name;
  const std::function<void()> write;
  int looks = 0;
};

TEST_F(CacheTogether, PruneKeepsWhatIsWrittenMeanwhile) {
  ASSERT_TRUE(open()->putTogether(layerWith("a", 1)));
  for (int part : {1, 2, 3})
    setAge("a", part, 100);
  const std::string first =
      std::min({path("a", 1), path("a", 2), path("a", 3)}).filename().string();
  auto cache = open(std::make_shared<WrittenMeanwhile>(
      first, [&] { ASSERT_TRUE(open()->putTogether(layerWith("a", 2))); }));
  EXPECT_EQ(*cache->prune(0, layerOf), 0u);
  EXPECT_EQ(contents(), std::set<int>{2});
}

// Its writer was stopped for an hour, and goes on.
TEST_F(CacheTogether, PruneKeepsATemporaryThatGrowsAgain) {
  ASSERT_TRUE(open()->putTogether(layerWith("a", 1)));
  const std::string name = temporaryName(keyOf("a", 1).hash(), 1);
  const fs::path file = root / "lintel" / name;
  test::writeFile(file, {std::byte(1)});
  test::setModified(file, kNow - 7200);
  auto files = std::make_shared<WrittenMeanwhile>(
      name, [&] { test::setModified(file, kNow); });
  files->clock = kNow;
  EXPECT_EQ(*open(files)->prune(UINT64_MAX), 0u);
  EXPECT_TRUE(fs::exists(file));
}

} // namespace
} // namespace lintel
