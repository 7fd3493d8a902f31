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
  auto listings = cache.list();
  auto damage = findDamage(cache, listings.value());
  return damage ? damage->damaged : std::vector{damage.error().message()};
}

TEST(CacheDamageTest, NamesAnUndecodableRecord) {
  TemporaryDirectory directory;
  auto cache = Cache::open(directory.file("cache"));
  ASSERT_TRUE(cache) << cache.error().message();
  put(**cache, "whole", TuningRecord().encode());
  EXPECT_THAT(damageIn(**cache), IsEmpty());
  put(**cache, "broken", R"({"record":1})");
  EXPECT_THAT(
      damageIn(**cache),
      ElementsAre(AllOf(HasSubstr((*cache)->directory() + "/"),
                        HasSubstr(CacheKey({{"name", "broken"}}).hash()))));
}

TEST(CacheDamageTest, CountsWhatThereIs) {
  CacheDamage damage;
  EXPECT_TRUE(damage.isEmpty());
  EXPECT_EQ(damage.counts(), "");
  damage.unreadable = {"a: cannot open: Permission denied"};
  EXPECT_FALSE(damage.isEmpty());
  EXPECT_EQ(damage.counts(), "1 unreadable");
  damage.damaged = {"b", "c"};
  EXPECT_EQ(damage.counts(), "2 damaged, 1 unreadable");
}

} // namespace
