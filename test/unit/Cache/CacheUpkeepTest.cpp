// list, show, verify, prune and clear.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/DiskCache.h"
#include "unit/Cache/CacheTestSupport.h"
#include "unit/Cache/FaultyFiles.h"

#include <gmock/gmock.h>

#include <map>

#include <sys/stat.h>

namespace lintel {
namespace {

namespace fs = std::filesystem;
using test::setModified;

class CacheUpkeep : public testing::Test {
protected:
  static constexpr int64_t kNow = 1'800'000'000;

  void SetUp() override { files->clock = kNow; }

  /// Puts an entry that was written `age` seconds ago; returns its size.
  uint64_t putAged(int number, int64_t age, size_t objectBytes = 1000) {
    const CacheKey key = test::keyNumber(number);
    EXPECT_TRUE(cache->put(key, test::entryFor(key, number, objectBytes)));
    setModified(path(number), kNow - age);
    return fs::file_size(path(number));
  }
  fs::path path(int number) const {
    return test::entryPath(*cache, test::keyNumber(number));
  }
  std::string hash(int number) const { return test::keyNumber(number).hash(); }
  fs::path in(const std::string &name) const {
    return fs::path(cache->directory()) / name;
  }
  std::string temporary(uint64_t serial) const {
    return temporaryName(hash(1), serial);
  }

  test::TemporaryDirectory root;
  std::shared_ptr<test::FaultyFiles> files =
      std::make_shared<test::FaultyFiles>();
  std::unique_ptr<Cache> cache =
      *test::openCache((root / "lintel").string(), files);
};

TEST_F(CacheUpkeep, ListIsNewestFirst) {
  putAged(1, 50);
  const uint64_t bytes = putAged(2, 10);
  putAged(3, 90);
  setModified(path(1), kNow - 10, 1); // younger than 2 by a nanosecond
  Expected<CacheSurvey> survey = cache->survey();
  ASSERT_TRUE(survey);
  ASSERT_EQ(survey->listings.size(), 3u);
  EXPECT_EQ(survey->listings[0].hash, hash(1));
  EXPECT_EQ(survey->listings[1].hash, hash(2));
  EXPECT_EQ(survey->listings[2].hash, hash(3));
  EXPECT_EQ(survey->listings[1].bytes, bytes);
  EXPECT_EQ(survey->listings[1].modifiedUnixSeconds(), kNow - 10);
  EXPECT_TRUE(test::lists(survey->listings[1],
                          test::entryFor(test::keyNumber(2), 2, 1000)));
}

TEST_F(CacheUpkeep, ASurveyReadsAFileOnceAndKeepsNoObject) {
  putAged(1, 1);
  putAged(2, 1);
  fs::resize_file(path(2), 30);
  files->log.clear();
  Expected<CacheSurvey> survey = cache->survey();
  ASSERT_TRUE(survey);
  EXPECT_EQ(std::ranges::count(files->log, "openToRead"), 2);
  EXPECT_EQ(survey->complaints.size(), 1u);
  ASSERT_EQ(survey->listings.size(), 1u);
  EXPECT_EQ(survey->listings[0].entry.object.capacity(), 0u);
}

TEST_F(CacheUpkeep, ListSkipsWhatIsNoEntryOfOurs) {
  putAged(1, 1);
  putAged(2, 2);
  putAged(3, 3);
  fs::resize_file(path(2), 30);
  fs::rename(path(3), path(4));
  test::writeFile(in("README"), {});
  test::writeFile(in(temporary(1)), test::readFile(path(1)));
  test::writeFile(in(quarantineName(entryName(hash(1)))),
                  test::readFile(path(1)));
  Expected<CacheSurvey> survey = cache->survey();
  ASSERT_TRUE(survey);
  ASSERT_EQ(survey->listings.size(), 1u);
  EXPECT_EQ(survey->listings[0].hash, hash(1));
  EXPECT_EQ(survey->movedAside, 1u);
  // Of what is named like an entry and is none, one cut short and one moved.
  std::string complaints;
  for (const Error &complaint : survey->complaints)
    complaints += complaint.message() + '\n';
  EXPECT_EQ(survey->complaints.size(), 2u) << complaints;
  EXPECT_THAT(complaints, testing::HasSubstr("holds the entry of key"));
}

TEST_F(CacheUpkeep, EmptyDirectory) {
  EXPECT_TRUE(cache->survey()->listings.empty());
  EXPECT_TRUE(cache->survey()->complaints.empty());
  EXPECT_EQ(*cache->prune(0), 0u);
  EXPECT_EQ(*cache->clear(), 0u);
}

TEST_F(CacheUpkeep, ShowTakesAPrefix) {
  putAged(1, 1);
  putAged(2, 1);
  for (size_t digits : {4, 5, 31, 32}) {
    Expected<CacheListing> shown = cache->show(hash(1).substr(0, digits));
    ASSERT_TRUE(shown) << shown.error().message();
    EXPECT_EQ(shown->hash, hash(1));
    EXPECT_EQ(shown->modifiedUnixSeconds(), kNow - 1);
    EXPECT_TRUE(
        test::lists(*shown, test::entryFor(test::keyNumber(1), 1, 1000)));
  }
}

TEST_F(CacheUpkeep, ShowSaysWhatIsWrong) {
  putAged(1, 1);
  const auto messageOf = [&](std::string_view prefix) {
    Expected<CacheListing> shown = cache->show(prefix);
    return shown ? "shown" : shown.error().message();
  };
  for (std::string prefix :
       {std::string(), hash(1).substr(0, 3), std::string("wxyz"),
        std::string("../../etc"), hash(1) + ".lintel"})
    EXPECT_NE(messageOf(prefix).find("at least 4 of the digits"),
              std::string::npos)
        << prefix;
  EXPECT_NE(messageOf(hash(1) + "0").find("no entry"), std::string::npos);
  // A second file that begins alike.
  const std::string alike =
      hash(1).substr(0, 8) + std::string(24, hash(1)[8] == '0' ? '1' : '0');
  test::writeFile(in(entryName(alike)), {});
  EXPECT_NE(messageOf(hash(1).substr(0, 8)).find("give more digits"),
            std::string::npos);
  EXPECT_EQ(messageOf(hash(1).substr(0, 9)), "shown");

  fs::resize_file(path(1), 100);
  Expected<CacheListing> damaged = cache->show(hash(1));
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code(), ErrorCode::corrupt);
  EXPECT_NE(damaged.error().message().find(path(1).string()),
            std::string::npos);
  EXPECT_TRUE(fs::exists(path(1))); // looking does not move it
}

TEST_F(CacheUpkeep, RemovesOneEntryByAPrefix) {
  putAged(1, 1);
  putAged(2, 2);
  const auto removed = cache->removeEntry(hash(1).substr(0, 6));
  ASSERT_TRUE(removed) << removed.error().message();
  EXPECT_THAT(*removed, testing::ElementsAre(hash(1)));
  EXPECT_FALSE(fs::exists(path(1)));
  EXPECT_TRUE(fs::exists(path(2)));
  const auto again = cache->removeEntry(hash(1));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::invalidArgument);
  EXPECT_FALSE(cache->removeEntry("../"));
  fs::resize_file(path(2), 30);
  EXPECT_TRUE(cache->removeEntry(hash(2))) << "damaged ones, too";
  EXPECT_FALSE(fs::exists(path(2)));
}

TEST_F(CacheUpkeep, RemovesWhatIsOfUseOnlyTogether) {
  for (int number : {1, 2, 3})
    putAged(number, number);
  const std::string other = test::keyNumber(2).text();
  const auto removed =
      cache->removeEntry(hash(1), [&](std::string_view keyText) {
        return std::string(keyText == other ? "" : "a layer");
      });
  ASSERT_TRUE(removed) << removed.error().message();
  EXPECT_THAT(*removed, testing::ElementsAre(hash(1), hash(3)));
  EXPECT_TRUE(fs::exists(path(2)));
  EXPECT_FALSE(fs::exists(path(3)));
}

TEST_F(CacheUpkeep, ShowOfAnotherVersionIsUnsupported) {
  putAged(1, 1);
  std::vector<std::byte> bytes = test::readFile(path(1));
  bytes[8] = std::byte(9);
  test::writeFile(path(1), bytes);
  Expected<CacheListing> shown = cache->show(hash(1));
  ASSERT_FALSE(shown);
  EXPECT_EQ(shown.error().code(), ErrorCode::unsupported);
  EXPECT_TRUE(cache->survey()->listings.empty());
  Expected<CacheSurvey> survey = cache->survey();
  ASSERT_TRUE(survey);
  ASSERT_EQ(survey->complaints.size(), 1u);
  EXPECT_EQ(survey->complaints.front().code(), ErrorCode::unsupported);
  EXPECT_EQ(survey->complaints.front().message(), shown.error().message());
}

TEST_F(CacheUpkeep, VerifyNamesEachDamagedFile) {
  for (int number : {1, 2, 3, 4})
    putAged(number, number);
  EXPECT_TRUE(cache->survey()->complaints.empty());
  fs::resize_file(path(2), 60);
  fs::rename(path(3), path(5));
  fs::remove(path(4));
  ASSERT_EQ(::mkfifo(path(4).c_str(), 0600), 0);
  Expected<CacheSurvey> survey = cache->survey();
  ASSERT_TRUE(survey);
  ASSERT_EQ(survey->complaints.size(), 3u);
  const std::map<int, std::string> expected = {
      {2, "header at offset 12"}, {5, hash(3)}, {4, "not a regular file"}};
  for (const auto &[number, reason] : expected)
    EXPECT_TRUE(std::ranges::any_of(
        survey->complaints,
        [&, number = number, &reason = reason](const Error &complaint) {
          const std::string &message = complaint.message();
          return complaint.code() == ErrorCode::corrupt &&
                 message.starts_with(path(number).string()) &&
                 message.find(reason) != std::string::npos;
        }))
        << reason;
  EXPECT_EQ(cache->statistics().quarantined, 0u);
}

TEST_F(CacheUpkeep, WhatCannotBeReadIsNotDamaged) {
  putAged(1, 1);
  for (int error : {EACCES, EIO}) {
    auto unreadable = *test::openCache(
        cache->directory(), std::make_shared<test::UnreadableFiles>(error));
    Expected<CacheListing> shown = unreadable->show(hash(1));
    ASSERT_FALSE(shown);
    EXPECT_EQ(shown.error().code(), ErrorCode::io);
    Expected<CacheSurvey> survey = unreadable->survey();
    ASSERT_TRUE(survey);
    ASSERT_EQ(survey->complaints.size(), 1u);
    EXPECT_EQ(survey->complaints.front().code(), ErrorCode::io);
    EXPECT_EQ(survey->complaints.front().message(), shown.error().message());
    EXPECT_TRUE(survey->complaints.front().message().starts_with(
        path(1).string() + ": cannot open: "));
  }
}

TEST_F(CacheUpkeep, AnEntryThatWentAwayIsNoEntry) {
  putAged(1, 1);
  auto vanishing = *test::openCache(
      cache->directory(), std::make_shared<test::UnreadableFiles>(ENOENT));
  Expected<CacheListing> shown = vanishing->show(hash(1));
  ASSERT_FALSE(shown);
  EXPECT_EQ(shown.error().code(), ErrorCode::invalidArgument);
  EXPECT_NE(shown.error().message().find("no entry in"), std::string::npos);
  EXPECT_TRUE(vanishing->survey()->complaints.empty());
}

TEST_F(CacheUpkeep, TimesFarAwayAreTheNearestThatCanBeTold) {
  struct stat info = {};
  const auto at = [&](time_t seconds) {
    info.st_mtim = {seconds, 999'999'999};
    return modifiedNanoseconds(info);
  };
  const time_t inTheYear2262 = INT64_MAX / 1'000'000'000;
  EXPECT_EQ(at(inTheYear2262 - 1), inTheYear2262 * 1'000'000'000 - 1);
  EXPECT_EQ(at(inTheYear2262), INT64_MAX);
  EXPECT_EQ(at(INT64_MAX), INT64_MAX);
  EXPECT_EQ(at(-inTheYear2262), INT64_MIN);
  EXPECT_EQ(at(INT64_MIN), INT64_MIN);
  EXPECT_EQ(at(-1), -1);
}

TEST_F(CacheUpkeep, PruneEvictsTheLeastRecentlyWritten) {
  const uint64_t first = putAged(1, 30, 500);
  const uint64_t second = putAged(2, 40, 3000);
  const uint64_t third = putAged(3, 20, 1000);
  const uint64_t all = first + second + third;
  EXPECT_EQ(*cache->prune(UINT64_MAX), 0u);
  EXPECT_EQ(*cache->prune(all), 0u);
  EXPECT_EQ(*cache->prune(all - 1),
            second); // the oldest, though not needed all
  EXPECT_FALSE(fs::exists(path(2)));
  EXPECT_EQ(*cache->prune(third), first);
  EXPECT_TRUE(fs::exists(path(3)));
  EXPECT_EQ(*cache->prune(third - 1), third); // a limit under one entry
  EXPECT_TRUE(cache->survey()->listings.empty());
}

// Written again counts as written now.
TEST_F(CacheUpkeep, PruneKeepsWhatWasWrittenAgain) {
  putAged(1, 100);
  const uint64_t bytes = putAged(2, 50);
  putAged(1, 10);
  EXPECT_EQ(*cache->prune(bytes), bytes);
  EXPECT_TRUE(fs::exists(path(1)));
}

TEST_F(CacheUpkeep, PruneRemovesLeftOversAndNothingForeign) {
  const uint64_t bytes = putAged(1, 1);
  const std::vector<std::byte> five(5);
  const std::map<std::string, int64_t> ages = {
      {temporary(1), 3700},  {temporary(2), 3500}, {temporary(3), -3500},
      {temporary(4), -3700}, {"notes.tmp", 9999},  {"x.lintel.bad", 9999},
      {"x.lintel", 9999}};
  for (const auto &[name, age] : ages) {
    test::writeFile(in(name), five);
    setModified(in(name), kNow - age);
  }
  test::writeFile(in(quarantineName(entryName(hash(2)))), five);
  fs::create_directories(in(entryName(hash(3))) / "foreign");
  EXPECT_EQ(*cache->prune(bytes), 3 * five.size());
  EXPECT_FALSE(fs::exists(in(temporary(1))));
  EXPECT_TRUE(fs::exists(in(temporary(2)))); // its writer may live
  EXPECT_TRUE(fs::exists(in(temporary(3))));
  EXPECT_FALSE(fs::exists(in(temporary(4)))); // hours in the future
  EXPECT_TRUE(fs::exists(in("notes.tmp")));
  EXPECT_TRUE(fs::exists(in("x.lintel.bad")));
  EXPECT_TRUE(fs::exists(in("x.lintel")));
  EXPECT_TRUE(fs::exists(in(entryName(hash(3))) / "foreign"));
  EXPECT_TRUE(fs::exists(path(1)));
}

TEST_F(CacheUpkeep, PruneWithAClockThatIsWrong) {
  putAged(1, 0);
  const uint64_t bytes = putAged(2, -100'000'000); // years ahead
  setModified(path(1), 0);
  EXPECT_EQ(*cache->prune(bytes), bytes);
  EXPECT_TRUE(fs::exists(path(2)));
  EXPECT_EQ(*cache->prune(0), bytes); // a future date does not protect
}

TEST_F(CacheUpkeep, ADateCenturiesAheadIsYoung) {
  putAged(1, 0);
  const uint64_t bytes = putAged(2, kNow - 10'000'000'000); // the year 2286
  EXPECT_GT(cache->survey()->listings.front().modifiedUnixSeconds(), kNow);
  EXPECT_EQ(cache->survey()->listings.front().hash, hash(2));
  EXPECT_EQ(*cache->prune(bytes), bytes);
  EXPECT_TRUE(fs::exists(path(2)));
}

TEST_F(CacheUpkeep, ClearRemovesOursAndLeavesTheRest) {
  putAged(1, 1);
  putAged(2, 1);
  fs::resize_file(path(2), 7);
  test::writeFile(in(temporary(1)), {});
  test::writeFile(in(quarantineName(entryName(hash(2)))), {});
  test::writeFile(in("README"), {});
  test::writeFile(root / "precious", {std::byte(1)});
  fs::create_symlink(root / "precious", in(entryName(hash(3))));
  EXPECT_EQ(*cache->clear(), 3u); // with the damaged one and the link
  EXPECT_EQ(test::namesIn(cache->directory()),
            std::vector<std::string>{"README"});
  EXPECT_TRUE(fs::exists(root / "precious"));
}

TEST_F(CacheUpkeep, AskingWhetherItCanBeWrittenLeavesNothing) {
  putAged(1, 1);
  const auto names = test::namesIn(cache->directory());
  EXPECT_TRUE(cache->checkWritable());
  EXPECT_EQ(test::namesIn(cache->directory()), names);
}

TEST_F(CacheUpkeep, ADirectoryThatMayOnlyBeReadIsNotWritable) {
  class ReadOnly final : public test::FaultyFiles {
    int createToWrite(int, const std::string &) override { return -EACCES; }
  };
  putAged(1, 1);
  auto readOnly =
      *test::openCache(cache->directory(), std::make_shared<ReadOnly>());
  const Status writable = readOnly->checkWritable();
  ASSERT_FALSE(writable);
  EXPECT_EQ(writable.error().code(), ErrorCode::io);
  EXPECT_EQ(writable.error().message(),
            "cache directory '" + cache->directory() +
                "': cannot create a temporary file: Permission denied");
  EXPECT_TRUE(readOnly->find(test::keyNumber(1), test::everyFeature));
}

TEST_F(CacheUpkeep, ManyEntries) {
  const std::vector<std::byte> bytes = [&] {
    putAged(0, 0, 10);
    return test::readFile(path(0));
  }();
  for (int number = 1; number < 2000; ++number)
    test::writeFile(path(number), bytes);
  EXPECT_EQ(cache->survey()->complaints.size(),
            1999u); // all but one are misplaced
  EXPECT_EQ(*cache->prune(100 * bytes.size()), 1900 * bytes.size());
  EXPECT_EQ(*cache->clear(), 100u);
}

/// What a damaged file held is no part of what entries may take.
TEST_F(CacheUpkeep, LeftOversDoNotCountAsEntries) {
  const uint64_t first = putAged(1, 20), second = putAged(2, 10);
  const std::string bad = quarantineName(entryName(hash(3)));
  test::writeFile(in(bad), std::vector<std::byte>(10 * (first + second)));
  setModified(in(bad), kNow - 30);
  EXPECT_EQ(*cache->prune(second), 10 * (first + second) + first);
  EXPECT_FALSE(fs::exists(path(1)));
  EXPECT_TRUE(fs::exists(path(2)));
}

/// As where two processes prune or clear at once.
TEST_F(CacheUpkeep, FilesThatAnotherProcessRemovesAreNoFailure) {
  class GoneWhenExamined final : public test::FaultyFiles {
    int describeAt(int, const std::string &, struct stat &) override {
      return -ENOENT;
    }
  };
  class GoneWhenRemoved final : public test::FaultyFiles {
    int remove(int directory, const std::string &name) override {
      EXPECT_EQ(test::FaultyFiles::remove(directory, name), 0);
      return -ENOENT;
    }
  };
  putAged(1, 1);
  auto examined = *test::openCache(cache->directory(),
                                   std::make_shared<GoneWhenExamined>());
  EXPECT_EQ(*examined->prune(0), 0u);
  EXPECT_EQ(*examined->clear(), 0u);
  auto removed =
      *test::openCache(cache->directory(), std::make_shared<GoneWhenRemoved>());
  EXPECT_EQ(*removed->prune(0), 0u);
  putAged(1, 1);
  EXPECT_EQ(*removed->clear(), 0u);
}

} // namespace
} // namespace lintel
