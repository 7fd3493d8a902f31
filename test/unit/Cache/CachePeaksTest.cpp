// The peaks of machines, kept in the cache's directory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/DiskCache.h"
#include "Lintel/KernelABI.h"
#include "Runtime/Log.h"
#include "unit/Cache/CacheTestSupport.h"
#include "unit/Cache/FaultyFiles.h"

#include <gtest/gtest.h>

namespace lintel {
namespace {

namespace fs = std::filesystem;
using test::FaultyFiles;

MachinePeaks peaksOf(const std::string &machine, double gflops) {
  MachinePeaks peaks;
  peaks.machine = machine;
  peaks.measuredUnixSeconds = 1764000000;
  ThreadPeaks row;
  row.threads = 1;
  row.gflops(ProductInstruction::fma) = {gflops, gflops};
  row.l1Gbps = {220, 219};
  row.l2Gbps = {117, 116};
  row.l3Gbps = {86, 85};
  row.memoryGbps = {34, 31};
  peaks.put(row);
  return peaks;
}

class CachePeaks : public testing::Test {
protected:
  // Damage is part of the tests.
  void SetUp() override {
    setLogLevel(LogLevel::off);
    cache = open(posixFiles());
    ASSERT_TRUE(cache);
  }
  void TearDown() override { setLogLevel(LogLevel::warn); }

  std::unique_ptr<Cache> open(std::shared_ptr<CacheFiles> files) {
    Expected<std::unique_ptr<Cache>> opened =
        test::openCache((root / "cache").string(), std::move(files));
    return opened ? std::move(*opened) : nullptr;
  }
  fs::path file() const { return fileOf(kMachine); }
  fs::path fileOf(const std::string &machine) const {
    return root / "cache" / DiskCache::peaksNameOf(machine);
  }
  static std::optional<MachinePeaks> found(Cache &cache) {
    Expected<std::optional<MachinePeaks>> peaks = cache.findPeaks(kMachine);
    return peaks ? std::move(*peaks) : std::nullopt;
  }
  std::string content() const {
    std::ifstream stream(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void overwrite(const std::string &bytes) const {
    std::ofstream(file(), std::ios::binary) << bytes;
  }

  static constexpr const char *kMachine = "isa=avx2,cpu=example";
  test::TemporaryDirectory root;
  std::unique_ptr<Cache> cache;
  const MachinePeaks peaks = peaksOf(kMachine, 118);
};

TEST_F(CachePeaks, ComeBackForTheirMachineOnly) {
  EXPECT_FALSE(*cache->findPeaks(kMachine));
  ASSERT_TRUE(cache->putPeaks(peaks));
  EXPECT_EQ(found(*cache), peaks);
  EXPECT_EQ(found(*open(posixFiles())), peaks);
  EXPECT_FALSE(*cache->findPeaks("isa=avx512,cpu=example"));

  const MachinePeaks newer = peaksOf(kMachine, 120);
  ASSERT_TRUE(cache->putPeaks(newer));
  EXPECT_EQ(found(*cache), newer);
  EXPECT_EQ(fs::status(file()).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(CachePeaks, AreNoEntriesAndOutliveThem) {
  ASSERT_TRUE(cache->putPeaks(peaks));
  EXPECT_TRUE(cache->survey()->listings.empty());
  EXPECT_TRUE(cache->verifyPeaks()->empty());
  EXPECT_EQ(*cache->prune(0), 0u);
  EXPECT_EQ(*cache->clear(), 0u);
  EXPECT_EQ(found(*cache), peaks);
}

TEST_F(CachePeaks, EveryFlippedByteAndEveryCutIsAbsence) {
  ASSERT_TRUE(cache->putPeaks(peaks));
  const std::string whole = content();
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] = char(flipped[at] ^ 4);
    overwrite(flipped);
    EXPECT_FALSE(cache->findPeaks(kMachine)) << at;
    overwrite(whole.substr(0, at));
    EXPECT_FALSE(cache->findPeaks(kMachine)) << at;
  }
  overwrite(whole + "\n");
  EXPECT_FALSE(cache->findPeaks(kMachine));
  overwrite(std::string(size_t(1) << 20, 'x'));
  EXPECT_FALSE(cache->findPeaks(kMachine));
  // And can be measured again.
  ASSERT_TRUE(cache->putPeaks(peaks));
  EXPECT_EQ(content(), whole);
}

TEST_F(CachePeaks, FilesThatNobodyShouldHaveMadeAreAbsence) {
  ASSERT_TRUE(cache->putPeaks(peaks));
  const auto everyone = fs::perms::others_write;
  fs::permissions(file(), everyone, fs::perm_options::add);
  EXPECT_FALSE(cache->findPeaks(kMachine));
  fs::permissions(file(), everyone, fs::perm_options::remove);
  EXPECT_TRUE(found(*cache));

  // Renamed, it is still another machine's.
  ASSERT_TRUE(cache->putPeaks(peaksOf("another", 7)));
  fs::rename(fileOf("another"), file());
  EXPECT_FALSE(cache->findPeaks(kMachine));

  fs::rename(file(), root / "elsewhere");
  fs::create_symlink(root / "elsewhere", file());
  EXPECT_FALSE(cache->findPeaks(kMachine));
  fs::remove(file());
  fs::create_directory(file());
  EXPECT_FALSE(cache->findPeaks(kMachine));
}

TEST_F(CachePeaks, DamageIsFoundAndMendable) {
  ASSERT_TRUE(cache->findPeaks(kMachine));
  EXPECT_FALSE(*cache->findPeaks(kMachine));
  ASSERT_TRUE(cache->putPeaks(peaks));
  EXPECT_EQ(**cache->findPeaks(kMachine), peaks);
  EXPECT_TRUE(cache->verifyPeaks()->empty());

  std::string damaged = content();
  damaged[damaged.size() / 2] = char(damaged[damaged.size() / 2] ^ 4);
  overwrite(damaged);
  const auto read = cache->findPeaks(kMachine);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::corrupt);
  EXPECT_TRUE(read.error().message().starts_with(file().string() + ": "));
  EXPECT_NE(read.error().message().find("lintel doctor --measure replaces"),
            std::string::npos);
  Expected<std::vector<Error>> complaints = cache->verifyPeaks();
  ASSERT_TRUE(complaints);
  ASSERT_EQ(complaints->size(), 1u);
  EXPECT_EQ(complaints->front().code(), ErrorCode::corrupt);
  EXPECT_TRUE(
      complaints->front().message().starts_with(file().string() + ": "));
}

TEST_F(CachePeaks, AnotherVersionUnderThisNameIsDamage) {
  const std::string text = "lintel-peaks 999\n";
  overwrite(text + "digest " + CacheKey::hashOfText(text) + "\n");
  const auto read = cache->findPeaks(kMachine);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::corrupt);
  EXPECT_NE(read.error().message().find("version '999'"), std::string::npos)
      << read.error().message();
}

// Two versions that take turns would each have measured in vain.
TEST_F(CachePeaks, ThoseOfOtherVersionsAreLeftAloneAndNoTrouble) {
  const std::string hash = CacheKey::hashOfText(kMachine);
  const fs::path older = root / "cache" / (hash + ".peaks"),
                 newer = root / "cache" / peaksName(hash, "999");
  for (const fs::path &file : {older, newer})
    test::writeFile(file, std::vector<std::byte>(5));
  const auto none = cache->findPeaks(kMachine);
  ASSERT_TRUE(none) << none.error().message();
  EXPECT_FALSE(*none);
  ASSERT_TRUE(cache->putPeaks(peaks));
  EXPECT_EQ(found(*cache), peaks);
  EXPECT_EQ(fs::file_size(older), 5u);
  EXPECT_EQ(fs::file_size(newer), 5u);

  const Expected<std::vector<Error>> complaints = cache->verifyPeaks();
  ASSERT_TRUE(complaints);
  ASSERT_EQ(complaints->size(), 2u);
  for (const Error &complaint : *complaints) {
    EXPECT_EQ(complaint.code(), ErrorCode::unsupported);
    EXPECT_TRUE(complaint.message().ends_with(": peaks of another version"))
        << complaint.message();
  }
}

// Measuring replaces those of this machine alone.
TEST_F(CachePeaks, ThoseOfAnyMachineCanBeRemoved) {
  ASSERT_TRUE(cache->putPeaks(peaks));
  ASSERT_TRUE(cache->putPeaks(peaksOf("another", 7)));
  std::ofstream(fileOf("another"), std::ios::app) << "\n";
  fs::create_directory(fileOf("a third"));
  Expected<std::vector<Error>> complaints = cache->verifyPeaks();
  ASSERT_TRUE(complaints);
  EXPECT_EQ(complaints->size(), 2u);
  EXPECT_TRUE(cache->survey()->complaints.empty());
  for (const Error &complaint : *complaints) {
    const std::string &message = complaint.message();
    EXPECT_TRUE(message.ends_with("; remove it")) << message;
    fs::remove(message.substr(0, message.find(": ")));
  }
  EXPECT_TRUE(cache->verifyPeaks()->empty());
  EXPECT_EQ(found(*cache), peaks);
}

TEST_F(CachePeaks, NobodyIsToldToRemoveWhatCannotBeRead) {
  ASSERT_TRUE(cache->putPeaks(peaks));
  auto locked = open(std::make_shared<test::UnreadableFiles>(EACCES));
  ASSERT_TRUE(locked);
  Expected<std::vector<Error>> complaints = locked->verifyPeaks();
  ASSERT_TRUE(complaints);
  ASSERT_EQ(complaints->size(), 1u);
  EXPECT_EQ(complaints->front().code(), ErrorCode::io);
  EXPECT_EQ(complaints->front().message().find("remove"), std::string::npos)
      << complaints->front().message();
}

TEST_F(CachePeaks, ThoseOfEveryNumberOfThreadsAreReadBack) {
  MachinePeaks all = peaks;
  ThreadPeaks row = peaks.rows.front();
  // As many digits as a rate may have.
  row.productGflops.fill({123456.789, 123456.789});
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    row.threads = threads;
    all.put(row);
  }
  ASSERT_TRUE(cache->putPeaks(all));
  EXPECT_EQ(found(*cache), all);
}

TEST_F(CachePeaks, WhatCannotBeReadIsNotReplaced) {
  ASSERT_TRUE(cache->putPeaks(peaks));
  auto locked = open(std::make_shared<test::UnreadableFiles>(EMFILE));
  ASSERT_TRUE(locked);
  const auto read = locked->findPeaks(kMachine);
  ASSERT_FALSE(read);
  EXPECT_TRUE(
      read.error().message().ends_with("; make it readable, or remove it"))
      << read.error().message();
  const Status put = locked->putPeaks(peaksOf(kMachine, 120));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), ErrorCode::io);
  EXPECT_EQ(found(*cache), peaks);
}

TEST_F(CachePeaks, WhatCannotBeReadBackIsNotWritten) {
  MachinePeaks bad = peaks;
  bad.machine = "two\nlines";
  EXPECT_FALSE(cache->putPeaks(bad));
  EXPECT_TRUE(fs::is_empty(root / "cache"));
}

TEST_F(CachePeaks, AFailedWriteLeavesTheOldOnes) {
  ASSERT_TRUE(cache->putPeaks(peaks));
  const MachinePeaks newer = peaksOf(kMachine, 120);
  bool reachedTheEnd = false;
  for (int call = 1; call < 100 && !reachedTheEnd; ++call) {
    ASSERT_TRUE(cache->putPeaks(peaks));
    auto files = std::make_shared<FaultyFiles>(
        test::Injection{call, test::Failing::once, EIO});
    auto faulty = open(files);
    const bool written = faulty && faulty->putPeaks(newer);
    EXPECT_EQ(found(*cache), written ? newer : peaks) << call;
    reachedTheEnd = !files->fired;
  }
  EXPECT_TRUE(reachedTheEnd);
}

} // namespace
} // namespace lintel
