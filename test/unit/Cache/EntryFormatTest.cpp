// The binary format: what is written is read back, and nothing else is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/EntryFormat.h"
#include "unit/Cache/CacheTestSupport.h"

#include <gtest/gtest.h>

namespace lintel {
namespace {

using Bytes = std::vector<std::byte>;

constexpr size_t kKeySizeAt = 16, kFeaturesSizeAt = 24, kRecordSizeAt = 32,
                 kObjectSizeAt = 40;

CacheEntry sample() { return test::entryFor(test::keyNumber(1), 5); }

Bytes sampleBytes() {
  Expected<Bytes> bytes = writeEntry(sample());
  EXPECT_TRUE(bytes);
  return *bytes;
}

template <class Integer>
void setInteger(Bytes &bytes, size_t offset, Integer value) {
  for (size_t i = 0; i < sizeof(Integer); ++i)
    bytes[offset + i] = std::byte(value >> (8 * i));
}

/// Makes the digest right again, so that a test reaches what lies behind it.
void reseal(Bytes &bytes) {
  const size_t end = bytes.size() - kEntryDigestBytes;
  const auto digest = entryDigest(std::span(bytes).first(end));
  std::copy(digest.begin(), digest.end(), bytes.begin() + std::ptrdiff_t(end));
}

/// The message of a refusal as damage.
std::string damageOf(const Bytes &bytes) {
  Expected<CacheEntry> entry = parseEntry(bytes);
  if (entry)
    return "accepted";
  EXPECT_EQ(entry.error().code(), ErrorCode::corrupt)
      << entry.error().message();
  return entry.error().message();
}

TEST(EntryFormat, ReadsBackWhatWasWritten) {
  for (size_t objectBytes : {1, 2, 63, 64, 65, 100000}) {
    CacheEntry entry = test::entryFor(test::keyNumber(9), 3, objectBytes);
    entry.record = std::string("{\0}", 3);
    Expected<Bytes> bytes = writeEntry(entry);
    ASSERT_TRUE(bytes);
    Expected<CacheEntry> read = parseEntry(*bytes);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_TRUE(test::equal(*read, entry));
  }
}

TEST(EntryFormat, EmptyPartsAreFineButNotTheObject) {
  CacheEntry entry{"", {}, "", {std::byte(1)}};
  Expected<Bytes> bytes = writeEntry(entry);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->size(), kEntryHeaderBytes + 1 + kEntryDigestBytes);
  Expected<CacheEntry> read = parseEntry(*bytes);
  ASSERT_TRUE(read);
  EXPECT_TRUE(test::equal(*read, entry));
  entry.object.clear();
  Expected<Bytes> refused = writeEntry(entry);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::invalidArgument);
  EXPECT_NE(refused.error().message().find("object"), std::string::npos);
}

TEST(EntryFormat, FeaturesAreWrittenSortedAndOnce) {
  CacheEntry entry = sample();
  entry.requiredFeatures = {"fma", "avx2", "fma", "avx"};
  Expected<Bytes> bytes = writeEntry(entry);
  ASSERT_TRUE(bytes);
  Expected<CacheEntry> read = parseEntry(*bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->requiredFeatures,
            (std::vector<std::string>{"avx", "avx2", "fma"}));
}

TEST(EntryFormat, WriterRefusesWhatTheParserWould) {
  CacheEntry entry = sample();
  entry.requiredFeatures = {""};
  EXPECT_FALSE(writeEntry(entry));
  entry.requiredFeatures = {std::string(65536, 'x')};
  EXPECT_FALSE(writeEntry(entry));
  entry = sample();
  entry.keyText.assign(kMaxKeyBytes, 'k');
  EXPECT_TRUE(writeEntry(entry));
  entry.keyText += 'k';
  EXPECT_FALSE(writeEntry(entry));
  entry = sample();
  entry.record.assign(kMaxRecordBytes + 1, ' ');
  EXPECT_FALSE(writeEntry(entry));
  entry = sample();
  entry.object.resize(kMaxObjectBytes + 1);
  EXPECT_FALSE(writeEntry(entry));
}

// The layout is a promise: a change needs another format version.
TEST(EntryFormat, LayoutOfVersion1) {
  Expected<Bytes> written =
      writeEntry({"k", {"ab"}, "{}", {std::byte(0xee), std::byte(0xff)}});
  ASSERT_TRUE(written);
  const std::vector<int> expected = {
      0x89, 'L', 'I', 'N', 'T', 'E', 'L', '\n', // magic
      1,    0,   0,   0,                        // version
      1,    0,   0,   0,                        // payload
      1,    0,   0,   0,   0,   0,   0,   0,    // keySize
      4,    0,   0,   0,   0,   0,   0,   0,    // featuresSize
      2,    0,   0,   0,   0,   0,   0,   0,    // recordSize
      2,    0,   0,   0,   0,   0,   0,   0,    // objectSize
      'k',  2,   0,   'a', 'b', '{', '}', 0xee, 0xff};
  ASSERT_EQ(written->size(), expected.size() + kEntryDigestBytes);
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(std::to_integer<int>((*written)[i]), expected[i]) << i;
}

TEST(EntryFormat, EveryTruncationIsDamage) {
  const Bytes bytes = sampleBytes();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(damageOf(Bytes(bytes.begin(), bytes.begin() + ptrdiff_t(size))),
              "accepted")
        << size;
}

TEST(EntryFormat, EveryFlippedBitIsRefused) {
  Bytes bytes = sampleBytes();
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte(1u << (bit % 8));
    EXPECT_FALSE(parseEntry(bytes)) << "bit " << bit;
    bytes[bit / 8] ^= std::byte(1u << (bit % 8));
  }
  EXPECT_TRUE(parseEntry(bytes));
}

TEST(EntryFormat, TrailingBytesAreDamage) {
  Bytes bytes = sampleBytes();
  bytes.push_back(std::byte(0));
  EXPECT_NE(damageOf(bytes).find("sizes at offset 16"), std::string::npos);
}

// The digest is right in each case: the lengths themselves must be refused.
TEST(EntryFormat, HostileLengthsNameTheirField) {
  const struct {
    size_t offset;
    const char *name;
  } fields[] = {{kKeySizeAt, "keySize at offset 16"},
                {kFeaturesSizeAt, "featuresSize at offset 24"},
                {kRecordSizeAt, "recordSize at offset 32"},
                {kObjectSizeAt, "objectSize at offset 40"}};
  for (const auto &field : fields) {
    for (uint64_t size : {uint64_t(1) << 31, uint64_t(1) << 32,
                          uint64_t(1) << 63, UINT64_MAX - 47, UINT64_MAX}) {
      Bytes bytes = sampleBytes();
      setInteger(bytes, field.offset, size);
      reseal(bytes);
      EXPECT_NE(damageOf(bytes).find(field.name), std::string::npos)
          << damageOf(bytes);
    }
    Bytes bytes = sampleBytes();
    setInteger(bytes, field.offset, uint64_t(0));
    reseal(bytes);
    EXPECT_NE(damageOf(bytes), "accepted");
  }
}

// Sizes that are wrong one by one but right in sum move the borders of parts.
TEST(EntryFormat, SizesThatOverflowToTheRightSumAreDamage) {
  Bytes bytes = sampleBytes();
  const CacheEntry entry = sample();
  setInteger(bytes, kKeySizeAt, uint64_t(1) << 63);
  setInteger(bytes, kRecordSizeAt,
             (uint64_t(1) << 63) + entry.record.size() + entry.keyText.size());
  reseal(bytes);
  EXPECT_NE(damageOf(bytes), "accepted");
}

TEST(EntryFormat, WrongMagicAndPayloadAreDamage) {
  Bytes bytes = sampleBytes();
  bytes[1] = std::byte('l');
  reseal(bytes);
  EXPECT_NE(damageOf(bytes).find("magic at offset 0"), std::string::npos);
  bytes = sampleBytes();
  setInteger(bytes, 12, uint32_t(2));
  reseal(bytes);
  EXPECT_NE(damageOf(bytes).find("payload at offset 12"), std::string::npos);
}

TEST(EntryFormat, OtherVersionsAreNotDamage) {
  for (uint32_t version : {0u, kEntryFormatVersion + 1, UINT32_MAX}) {
    Bytes bytes = sampleBytes();
    setInteger(bytes, 8, version);
    bytes.resize(kEntryHeaderBytes); // another version may be laid out at will
    Expected<CacheEntry> entry = parseEntry(bytes);
    ASSERT_FALSE(entry);
    EXPECT_EQ(entry.error().code(), ErrorCode::unsupported);
    EXPECT_NE(entry.error().message().find(std::to_string(version)),
              std::string::npos);
  }
}

TEST(EntryFormat, MalformedFeaturesAreDamage) {
  CacheEntry entry{"k", {"ab", "cd"}, "", {std::byte(1)}};
  const Bytes bytes = *writeEntry(entry);
  const size_t first = kEntryHeaderBytes + 1, second = first + 4;
  const auto damageWithLength = [&](size_t at, uint16_t length) {
    Bytes changed = bytes;
    setInteger(changed, at, length);
    reseal(changed);
    return damageOf(changed);
  };
  EXPECT_NE(damageWithLength(first, 0).find("features at offset 49"),
            std::string::npos);
  EXPECT_NE(damageWithLength(first, 5).find("ends inside a length"),
            std::string::npos);
  EXPECT_NE(damageWithLength(second, 3).find("features at offset 53"),
            std::string::npos);
  EXPECT_NE(damageWithLength(second, 0xffff).find("65535 bytes where 2"),
            std::string::npos);
  for (char letter : {'a', 'A'}) { // the first name again, and one before it
    Bytes changed = bytes;
    changed[second + 2] = std::byte(letter);
    changed[second + 3] = std::byte('b');
    reseal(changed);
    EXPECT_NE(damageOf(changed).find("ascending"), std::string::npos);
  }
}

TEST(EntryFormat, ArbitraryBytesAreRefused) {
  uint32_t state = 12345;
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = sampleBytes();
    // A few random bytes in the header and features, with a right digest: the
    // checks behind the digest must hold on their own.
    for (int i = 0; i < 3; ++i) {
      state = state * 1664525 + 1013904223;
      bytes[12 + (state >> 8) % (bytes.size() - 12 - kEntryDigestBytes)] =
          std::byte(state >> 24);
    }
    reseal(bytes);
    if (Expected<CacheEntry> entry = parseEntry(bytes)) {
      Expected<Bytes> again = writeEntry(*entry);
      ASSERT_TRUE(again);
      EXPECT_EQ(*again, bytes); // what is accepted has one spelling
    }
  }
}

} // namespace
} // namespace lintel
