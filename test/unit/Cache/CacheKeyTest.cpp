// The canonical text of keys and its hash.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/Cache.h"

#include <gtest/gtest.h>

#include <set>

namespace lintel {
namespace {

TEST(CacheKey, TextNamesEveryFieldWithItsLength) {
  CacheKey key({{"problem", "2x3:3x4 relu"}, {"threads", "2"}});
  EXPECT_EQ(key.text(), "7:problem=12:2x3:3x4 relu\n7:threads=1:2\n");
}

TEST(CacheKey, HashIsTheFirst16BytesOfBlake3) {
  // The published BLAKE3 digest of no bytes begins so.
  EXPECT_EQ(CacheKey({}).hash(), "af1349b9f5f9a1a6a0404dea36dcc949");
  CacheKey key({{"a", "b"}});
  EXPECT_EQ(key.hash(), CacheKey::hashOfText(key.text()));
  EXPECT_EQ(key.hash().size(), 32u);
}

TEST(CacheKey, FieldsAreFoundInTheText) {
  // Values may look like fields.
  const CacheKey key({{"a", "1:b=1:x\n"}, {"b", ""}, {"", "y"}, {"a", "z"}});
  EXPECT_EQ(CacheKey::fieldOfText(key.text(), "a"), "1:b=1:x\n");
  EXPECT_EQ(CacheKey::fieldOfText(key.text(), "b"), "");
  EXPECT_EQ(CacheKey::fieldOfText(key.text(), ""), "y");
  EXPECT_EQ(CacheKey::fieldOfText(key.text(), "c"), std::nullopt);
}

TEST(CacheKey, TextThatIsNoKeyHasNoFields) {
  for (const char *text :
       {"", "a", "1", "1:", "1:a", "1:a=", "1:a=1", "1:a=1:b", "1:a=2:b\n",
        "1:a=0:b\n", "2:a=1:b\n", ":a=1:b\n", "-1:a=1:b\n", "1a=1:b\n",
        "1:a:1:b\n", "1:c=9:b\n1:a=1:b\n", "18446744073709551615:a=1:b\n",
        "18446744073709551616:a=1:b\n"})
    EXPECT_EQ(CacheKey::fieldOfText(text, "a"), std::nullopt) << text;
}

// Every list here says something else, though naive joining makes some alike.
TEST(CacheKey, DifferentFieldsGiveDifferentTextsAndHashes) {
  using Fields = std::vector<std::pair<std::string, std::string>>;
  const std::vector<Fields> lists = {
      {},
      {{"", ""}},
      {{"a", "b"}},
      {{"a", "b\n"}},
      {{"ab", ""}},
      {{"", "ab"}},
      {{"b", "a"}},
      {{"a=1:b", ""}},
      {{"a", "b"}, {"c", "d"}},
      {{"c", "d"}, {"a", "b"}},
      {{"a", "b\n1:c=1:d"}},
      {{"a", "b\n1:c=1:d\n"}},
      {{"a", std::string("b\0", 2)}},
      {{"a", "b"}, {"a", "b"}},
  };
  std::set<std::string> texts, hashes;
  for (const Fields &fields : lists) {
    CacheKey key(fields);
    texts.insert(key.text());
    hashes.insert(key.hash());
  }
  EXPECT_EQ(texts.size(), lists.size());
  EXPECT_EQ(hashes.size(), lists.size());
}

} // namespace
} // namespace lintel
