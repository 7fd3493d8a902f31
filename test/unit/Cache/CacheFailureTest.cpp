// Every file operation of the cache fails in turn, once and for ever.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After each run: no crash, no leaked descriptor, each entry the old one or the
// new one as the answer of put said, and a second run without failures is
// clean.
#include "Cache/DiskCache.h"
#include "Runtime/Log.h"
#include "unit/Cache/CacheTestSupport.h"
#include "unit/Cache/FaultyFiles.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <set>
#include <utility>

namespace lintel {
namespace {

namespace fs = std::filesystem;
using test::Failing;
using test::FaultyFiles;
using test::Injection;

constexpr int kMaxCalls = 500;

size_t openDescriptors() {
  return size_t(std::distance(fs::directory_iterator("/proc/self/fd"), {}));
}

/// A cache with an old entry of key 1, a damaged one of key 2, none of key 3.
class CacheFailure : public testing::Test {
protected:
  // Damage is part of every run here: thousands of equal warnings.
  void SetUp() override { setLogLevel(LogLevel::off); }
  void TearDown() override { setLogLevel(LogLevel::warn); }

  static std::unique_ptr<Cache> openWith(const fs::path &directory,
                                         std::shared_ptr<CacheFiles> files) {
    Expected<std::unique_ptr<Cache>> cache =
        test::openCache(directory.string(), std::move(files));
    return cache ? std::move(*cache) : nullptr;
  }

  void prepare() {
    fs::remove_all(root / "a");
    auto cache = openWith(directory, std::make_shared<FaultyFiles>());
    ASSERT_TRUE(cache);
    ASSERT_TRUE(cache->put(key1, old1));
    ASSERT_TRUE(cache->put(key2, test::entryFor(key2, 1)));
    fs::resize_file(test::entryPath(*cache, key2), 70);
  }

  /// Files while whose cache is about to move the entry of key 2 aside another
  /// one repairs it, by `repair`.
  class RepairedMeanwhile : public FaultyFiles {
  public:
    explicit RepairedMeanwhile(std::function<void()> repair)
        : repair(std::move(repair)) {}

  protected:
    std::function<void()> repair;
  };
  template <class Files> void findsWhatIsRepairedIn() {
    prepare();
    auto other = openWith(directory, std::make_shared<FaultyFiles>());
    auto cache =
        openWith(directory, std::make_shared<Files>([&] {
                   EXPECT_TRUE(other->put(key2, test::entryFor(key2, 5)));
                 }));
    EXPECT_FALSE(cache->find(key2, test::everyFeature));
    EXPECT_EQ(cache->statistics().quarantined, 0u);
    auto found = cache->find(key2, test::everyFeature);
    ASSERT_TRUE(found);
    EXPECT_TRUE(test::equal(*found, test::entryFor(key2, 5)));
  }

  /// What the file of key 1 must hold from now on, if anything is found at all.
  struct Outcome {
    CacheEntry entry1;
    bool put3 = false;
    bool pruned = false;
  };

  /// Uses the cache in every way.
  Outcome use(std::shared_ptr<FaultyFiles> files) {
    Outcome outcome{old1};
    auto cache = openWith(directory, std::move(files));
    if (!cache)
      return outcome;
    checkFound(*cache, key1, old1);
    EXPECT_FALSE(cache->find(key2, test::everyFeature));
    if (cache->put(key1, new1))
      outcome.entry1 = new1;
    checkFound(*cache, key1, outcome.entry1);
    outcome.put3 = bool(cache->put(key3, new3));
    checkFound(*cache, key3, new3);
    if (auto survey = cache->survey())
      for (const CacheListing &listing : survey->listings)
        EXPECT_TRUE(test::lists(listing, outcome.entry1) ||
                    test::lists(listing, new3));
    (void)cache->verifyPeaks();
    if (auto shown = cache->show(key1.hash()))
      EXPECT_TRUE(test::lists(*shown, outcome.entry1));
    outcome.pruned = bool(cache->prune(UINT64_MAX));
    return outcome;
  }

  void checkFound(Cache &cache, const CacheKey &key, const CacheEntry &entry) {
    if (auto found = cache.find(key, test::everyFeature))
      EXPECT_TRUE(test::equal(*found, entry));
  }

  /// The directory, looked at with nothing failing.
  void checkAfter(const Outcome &outcome, Failing failing) {
    auto cache = openWith(directory, std::make_shared<FaultyFiles>());
    ASSERT_TRUE(cache);
    auto found1 = cache->find(key1, test::everyFeature);
    ASSERT_TRUE(found1); // the old one survives a put that failed
    EXPECT_TRUE(test::equal(*found1, outcome.entry1));
    EXPECT_EQ(cache->find(key3, test::everyFeature).has_value(), outcome.put3);
    EXPECT_FALSE(cache->find(key2, test::everyFeature));
    EXPECT_TRUE(cache->survey()->complaints.empty());
    if (failing == Failing::once) // for ever, the removal fails as well
      EXPECT_EQ(test::countOfKind(directory, FileKind::temporary), 0u);

    auto healthy = std::make_shared<FaultyFiles>();
    healthy->clock += 7200; // what could not be removed is stale by then
    auto later = openWith(directory, healthy);
    ASSERT_TRUE(later->put(key1, new1));
    ASSERT_TRUE(later->put(key2, test::entryFor(key2, 2)));
    EXPECT_TRUE(later->find(key1, test::everyFeature));
    EXPECT_TRUE(later->find(key2, test::everyFeature));
    EXPECT_TRUE(later->prune(UINT64_MAX));
    EXPECT_EQ(test::countOfKind(directory, FileKind::temporary), 0u);
    EXPECT_EQ(test::countOfKind(directory, FileKind::quarantined), 0u);
  }

  void failEveryCall(Failing failing, int error) {
    for (int call = 1; call < kMaxCalls; ++call) {
      SCOPED_TRACE("call " + std::to_string(call) + ", " +
                   std::strerror(error));
      prepare();
      const size_t descriptors = openDescriptors();
      auto files =
          std::make_shared<FaultyFiles>(Injection{call, failing, error});
      const Outcome outcome = use(files);
      EXPECT_EQ(openDescriptors(), descriptors);
      if (HasFatalFailure())
        return;
      checkAfter(outcome, failing);
      if (HasFailure() || !files->fired)
        return;
    }
    FAIL() << "the run never ends";
  }

  test::TemporaryDirectory root;
  const fs::path directory = root / "a/lintel";
  const CacheKey key1 = test::keyNumber(1), key2 = test::keyNumber(2),
                 key3 = test::keyNumber(3);
  const CacheEntry old1 = test::entryFor(key1, 1, 30),
                   new1 = test::entryFor(key1, 2, 60),
                   new3 = test::entryFor(key3, 3, 20);
};

class CacheFailureByErrno : public CacheFailure,
                            public testing::WithParamInterface<int> {};

TEST_P(CacheFailureByErrno, Once) { failEveryCall(Failing::once, GetParam()); }
TEST_P(CacheFailureByErrno, ForEver) {
  failEveryCall(Failing::fromThenOn, GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, CacheFailureByErrno,
                         testing::Values(ENOSPC, EDQUOT, EIO, EROFS, EACCES,
                                         EMFILE, ENFILE, EINTR, ESTALE, EBUSY,
                                         EXDEV, ENOENT, EEXIST, ENOTDIR, EFBIG),
                         [](const auto &info) {
                           return std::string(strerrorname_np(info.param));
                         });

/// A signal or a short transfer is no failure at all.
TEST_F(CacheFailure, InterruptionsAndShortTransfersAreInvisible) {
  const std::vector<Injection> harmless = {
      {0, Failing::once, EINTR},
      {0, Failing::once, Injection::kShortTransfer},
      {0, Failing::fromThenOn, Injection::kShortTransfer}};
  for (Injection injection : harmless) {
    for (injection.atCall = 1; injection.atCall < kMaxCalls;
         ++injection.atCall) {
      prepare();
      auto files = std::make_shared<FaultyFiles>(injection);
      const Outcome outcome = use(files);
      ASSERT_TRUE(test::equal(outcome.entry1, new1)) << injection.atCall;
      ASSERT_TRUE(outcome.put3) << injection.atCall;
      ASSERT_TRUE(outcome.pruned) << injection.atCall;
      auto cache = openWith(directory, std::make_shared<FaultyFiles>());
      ASSERT_TRUE(cache->find(key1, test::everyFeature));
      ASSERT_TRUE(cache->find(key3, test::everyFeature));
      if (!files->fired)
        break;
    }
  }
}

TEST_F(CacheFailure, DirectoryCreationFailsInTurn) {
  for (Failing failing : {Failing::once, Failing::fromThenOn}) {
    for (int call = 1; call < kMaxCalls; ++call) {
      fs::remove_all(root / "a");
      const size_t descriptors = openDescriptors();
      auto files =
          std::make_shared<FaultyFiles>(Injection{call, failing, EACCES});
      auto cache = openWith(directory, files);
      if (cache)
        EXPECT_TRUE(fs::is_directory(directory));
      cache.reset();
      EXPECT_EQ(openDescriptors(), descriptors);
      if (!files->fired)
        break;
      EXPECT_TRUE(openWith(directory, std::make_shared<FaultyFiles>()));
    }
  }
}

// Data before name: only so does a loss of power leave no name without data.
TEST_F(CacheFailure, PutSyncsBeforeItRenames) {
  prepare();
  auto files = std::make_shared<FaultyFiles>();
  auto cache = openWith(directory, files);
  files->log.clear();
  ASSERT_TRUE(cache->put(key1, new1));
  EXPECT_EQ(files->log,
            (std::vector<std::string>{"openDirectory", "describe",
                                      "createToWrite", "write", "sync", "close",
                                      "rename", "sync", "close"}));
}

TEST_F(CacheFailure, PutSaysWhichStepFailed) {
  const std::vector<std::pair<int, std::string>> steps = {{3, "cannot create"},
                                                          {4, "cannot write"},
                                                          {5, "cannot sync"},
                                                          {6, "cannot close"},
                                                          {7, "cannot rename"}};
  for (const auto &[call, step] : steps) {
    prepare();
    // Two calls belong to opening the cache, and one closes its directory.
    auto files = std::make_shared<FaultyFiles>(
        Injection{call + 3, Failing::once, ENOSPC});
    auto cache = openWith(directory, files);
    Status put = cache->put(key1, new1);
    ASSERT_FALSE(put) << step;
    EXPECT_EQ(put.error().code(), ErrorCode::io);
    const std::string &message = put.error().message();
    EXPECT_NE(message.find(directory.string()), std::string::npos);
    EXPECT_NE(message.find(step), std::string::npos) << message;
    EXPECT_NE(message.find("No space left"), std::string::npos);
  }
}

// As clear does in another process.
TEST_F(CacheFailure, PutBeginsAnewWhenItsTemporaryIsRemoved) {
  class RemovedOnce final : public FaultyFiles {
    int rename(int directory, const std::string &from,
               const std::string &to) override {
      if (!std::exchange(removed, true))
        EXPECT_EQ(remove(directory, from), 0);
      return FaultyFiles::rename(directory, from, to);
    }
    bool removed = false;
  };
  prepare();
  auto cache = openWith(directory, std::make_shared<RemovedOnce>());
  EXPECT_TRUE(cache->put(key1, new1));
  EXPECT_EQ(cache->statistics().writes, 1u);
  EXPECT_EQ(cache->statistics().writeFailures, 0u);
  auto found = cache->find(key1, test::everyFeature);
  ASSERT_TRUE(found);
  EXPECT_TRUE(test::equal(*found, new1));
}

// Another process writes between the second look, which found damage, too, and
// the rename.
TEST_F(CacheFailure, EntryRepairedWhileItIsMovedAsideIsMovedBack) {
  class RepairedAfterAllLooks final : public RepairedMeanwhile {
    using RepairedMeanwhile::RepairedMeanwhile;
    int rename(int directory, const std::string &from,
               const std::string &to) override {
      if (const auto once = std::exchange(repair, nullptr))
        once();
      return FaultyFiles::rename(directory, from, to);
    }
  };
  findsWhatIsRepairedIn<RepairedAfterAllLooks>();
}

// Another process writes between the first look and the second.
TEST_F(CacheFailure, EntryRepairedMeanwhileIsNotMovedAside) {
  class RepairedAfterOneLook final : public RepairedMeanwhile {
    using RepairedMeanwhile::RepairedMeanwhile;
    int openToRead(int directory, const std::string &name) override {
      if (++looks == 2)
        repair();
      return FaultyFiles::openToRead(directory, name);
    }
    int looks = 0;
  };
  findsWhatIsRepairedIn<RepairedAfterOneLook>();
}

TEST_F(CacheFailure, NameOfATemporaryThatIsTakenIsNotUsed) {
  class SameSerials final : public FaultyFiles {
    uint64_t serial() override { return ++calls / 2; }
    uint64_t calls = 1; // 1, 1, 2, 2, ...
  };
  prepare();
  auto cache = openWith(directory, std::make_shared<SameSerials>());
  const fs::path taken = directory / temporaryName(key1.hash(), 1);
  test::writeFile(taken, {std::byte(7)});
  ASSERT_TRUE(cache->put(key1, new1));
  EXPECT_EQ(test::readFile(taken), std::vector<std::byte>{std::byte(7)});
  checkFound(*cache, key1, new1);
}

/// An answer of yes means that a file was written and is gone.
TEST_F(CacheFailure, EveryCallOfAskingWhetherItCanBeWritten) {
  prepare();
  std::set<std::string> refused;
  for (int call = 1; call < kMaxCalls; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    auto files = std::make_shared<FaultyFiles>();
    auto cache = openWith(directory, files);
    ASSERT_TRUE(cache);
    const int opening = int(files->log.size());
    const size_t descriptors = openDescriptors();
    auto failing = std::make_shared<FaultyFiles>(
        Injection{opening + call, Failing::once, ENOSPC});
    auto asked = openWith(directory, failing);
    ASSERT_TRUE(asked);
    const Status writable = asked->checkWritable();
    EXPECT_EQ(openDescriptors(), descriptors);
    if (!failing->fired) {
      EXPECT_TRUE(writable);
      EXPECT_EQ(test::countOfKind(directory, FileKind::temporary), 0u);
      EXPECT_EQ(refused.size(), 4u);
      return;
    }
    const std::string failed = failing->log[size_t(opening + call) - 1];
    if (std::set<std::string>{"createToWrite", "write", "sync", "remove"}
            .contains(failed)) {
      EXPECT_FALSE(writable) << failed;
      refused.insert(failed);
    }
    if (failed != "remove") {
      EXPECT_EQ(test::countOfKind(directory, FileKind::temporary), 0u);
    }
    prepare();
  }
  FAIL() << "the run never ends";
}

TEST_F(CacheFailure, WithoutMemoryNothingIsFoundAndNothingPut) {
  prepare();
  const size_t descriptors = openDescriptors();
  auto cache = openWith(directory, std::make_shared<test::NoMemoryForFiles>());
  ASSERT_TRUE(cache);
  EXPECT_FALSE(cache->find(key1, test::everyFeature));
  const Status put = cache->put(key1, old1);
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), ErrorCode::io);
  EXPECT_EQ(cache->statistics().misses, 1u);
  EXPECT_EQ(cache->statistics().writeFailures, 1u);
  EXPECT_EQ(openDescriptors(), descriptors);
  checkFound(*openWith(directory, std::make_shared<FaultyFiles>()), key1, old1);
}

} // namespace
} // namespace lintel
