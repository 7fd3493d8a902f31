// Entries that `cache verify` must name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheDamage.h"

#include "Engine/TuningRecord.h"

#include "TemporaryDirectory.h"

#include <gmock/gmock.h>

using namespace lintel;
using namespace lintel::tool;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

void put(Cache &cache, const std::string &name, std::string record) {
  const CacheKey key({{"name", name}});
  ASSERT_TRUE(
      cache.put(key, {key.text(), {}, std::move(record), {std::byte{1}}}));
}

std::vector<std::string> damageIn(Cache &cache) {
  const auto damage = findDamage(cache, cache.survey().value());
  return damage ? damage->damaged : std::vector{damage.error().message()};
}

TEST(CacheDamageTest, NamesAnUndecodableRecord) {
  TemporaryDirectory directory;
  auto cache = Cache::at(directory.file("cache"));
  ASSERT_TRUE(cache) << cache.error().message();
  put(**cache, "whole", TuningRecord().encode());
  EXPECT_THAT(damageIn(**cache), IsEmpty());
  put(**cache, "broken", R"({"record":1})");
  EXPECT_THAT(
      damageIn(**cache),
      ElementsAre(AllOf(HasSubstr((*cache)->directory() + "/"),
                        HasSubstr(CacheKey({{"name", "broken"}}).hash()))));
}

/// A cache of no files, with complaints about its peaks.
class ComplainingCache final : public Cache {
public:
  std::vector<Error> ofPeaks;

  Expected<std::vector<Error>> verifyPeaks() override { return ofPeaks; }
  Expected<CacheSurvey> survey() override { return refused; }
  const std::string &directory() const override { return path; }

  std::optional<CacheEntry>
  find(const CacheKey &,
       const std::function<bool(std::string_view)> &) override {
    return std::nullopt;
  }
  Status prepare() override { return refused; }
  Expected<bool> isThere() override { return refused; }
  Status put(const CacheKey &, const CacheEntry &) override { return refused; }
  Status putTogether(std::span<const CacheEntry>) override { return refused; }
  Status checkWritable() override { return refused; }
  Expected<CacheListing> show(std::string_view) override { return refused; }
  Expected<std::vector<std::string>> removeEntry(std::string_view,
                                                 const GroupOfKey &) override {
    return refused;
  }
  Expected<uint64_t> prune(uint64_t, const GroupOfKey &) override {
    return refused;
  }
  Expected<uint64_t> clear() override { return refused; }
  Expected<std::optional<MachinePeaks>> findPeaks(std::string_view) override {
    return refused;
  }
  Status putPeaks(const MachinePeaks &) override { return refused; }
  CacheStatistics statistics() const override { return {}; }

private:
  const std::string path = "/nowhere";
  const Error refused{ErrorCode::internal, "not part of the test"};
};

TEST(CacheDamageTest, WhatTheSystemRefusesIsNoDamage) {
  ComplainingCache cache;
  cache.ofPeaks = {Error(ErrorCode::io, "c"), Error(ErrorCode::corrupt, "d")};
  const auto damage =
      findDamage(cache, {.listings = {},
                         .complaints = {Error(ErrorCode::io, "a"),
                                        Error(ErrorCode::corrupt, "b")}});
  ASSERT_TRUE(damage);
  EXPECT_THAT(damage->damaged, ElementsAre("b", "d"));
  EXPECT_THAT(damage->unreadable, ElementsAre("a", "c"));
  EXPECT_TRUE(damage->hasDamagedEntry);
}

TEST(CacheDamageTest, DamagedPeaksAreNoEntries) {
  ComplainingCache cache;
  cache.ofPeaks = {Error(ErrorCode::corrupt, "b")};
  const auto damage = findDamage(
      cache, {.listings = {}, .complaints = {Error(ErrorCode::io, "a")}});
  ASSERT_TRUE(damage);
  EXPECT_THAT(damage->damaged, ElementsAre("b"));
  EXPECT_FALSE(damage->hasDamagedEntry);
}

TEST(CacheDamageTest, WhatAnotherLintelWroteIsNoDamage) {
  ComplainingCache cache;
  cache.ofPeaks = {Error(ErrorCode::unsupported, "b")};
  const auto damage =
      findDamage(cache, {.listings = {},
                         .complaints = {Error(ErrorCode::unsupported, "a")}});
  ASSERT_TRUE(damage);
  EXPECT_TRUE(damage->isEmpty());
  EXPECT_FALSE(damage->hasDamagedEntry);
  EXPECT_EQ(damage->counts(), "2 of another version");
  // Only those of entries go with all entries.
  EXPECT_THAT(damage->peaksOfOtherVersions, ElementsAre("b"));
}

TEST(CacheDamageTest, CountsWhatThereIs) {
  CacheDamage damage;
  EXPECT_TRUE(damage.isEmpty());
  EXPECT_EQ(damage.counts(), "");
  damage.unreadable = {"a: cannot open: Permission denied"};
  EXPECT_FALSE(damage.isEmpty());
  EXPECT_EQ(damage.counts(), "1 unreadable");
  damage.damaged = {"b", "c"};
  damage.ofOtherVersions = 3;
  EXPECT_EQ(damage.counts(), "2 damaged, 1 unreadable, 3 of another version");
}

} // namespace
