// An entry as bytes: writer and parser.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/EntryFormat.h"

#include "llvm/Support/BLAKE3.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace lintel {
namespace {

constexpr std::string_view kMagic = "\x89LINTEL\n";
constexpr uint32_t kRelocatableElf = 1;

/// A variable part, in the order of the file.
struct Part {
  std::string_view name;
  uint64_t limit;
};
constexpr std::array<Part, 4> kParts = {{{"key", kMaxKeyBytes},
                                         {"features", kMaxFeaturesBytes},
                                         {"record", kMaxRecordBytes},
                                         {"object", kMaxObjectBytes}}};
constexpr size_t kVersionOffset = 8, kPayloadOffset = 12, kSizesOffset = 16;
static_assert(kMagic.size() == kVersionOffset);
static_assert(kSizesOffset + kParts.size() * sizeof(uint64_t) ==
              kEntryHeaderBytes);

template <class Integer>
void appendInteger(std::vector<std::byte> &bytes, Integer value) {
  for (size_t i = 0; i < sizeof(Integer); ++i)
    bytes.push_back(std::byte(value >> (8 * i)));
}

void appendText(std::vector<std::byte> &bytes, std::string_view text) {
  const auto *data = reinterpret_cast<const std::byte *>(text.data());
  bytes.insert(bytes.end(), data, data + text.size());
}

/// The integer at `offset`, which the caller knows to lie inside.
template <class Integer>
Integer load(std::span<const std::byte> bytes, size_t offset) {
  Integer value = 0;
  for (size_t i = 0; i < sizeof(Integer); ++i)
    value |= Integer(std::to_integer<uint8_t>(bytes[offset + i])) << (8 * i);
  return value;
}

std::string toText(std::span<const std::byte> bytes) {
  return std::string(reinterpret_cast<const char *>(bytes.data()),
                     bytes.size());
}

Error damaged(std::string_view field, size_t offset,
              const std::string &reason) {
  return Error(ErrorCode::corrupt, std::string(field) + " at offset " +
                                       std::to_string(offset) + ": " + reason);
}

/// What is wrong with a part of `size` bytes, or nothing.
std::optional<std::string> refuseSize(const Part &part, uint64_t size) {
  if (size > part.limit)
    return std::to_string(size) + " bytes, at most " +
           std::to_string(part.limit) + " are allowed";
  if (part.name == "object" && size == 0)
    return "0 bytes, an entry holds an object";
  return std::nullopt;
}

Expected<std::vector<std::byte>>
encodeFeatures(std::vector<std::string> features) {
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  std::vector<std::byte> bytes;
  for (const std::string &feature : features) {
    if (feature.empty() || feature.size() > UINT16_MAX)
      return Error(ErrorCode::invalidArgument,
                   "required feature of " + std::to_string(feature.size()) +
                       " bytes; a name has 1 to 65535");
    appendInteger(bytes, uint16_t(feature.size()));
    appendText(bytes, feature);
  }
  return bytes;
}

Expected<std::vector<std::string>>
parseFeatures(std::span<const std::byte> bytes, size_t fileOffset) {
  std::vector<std::string> features;
  for (size_t at = 0; at < bytes.size();) {
    const size_t offset = fileOffset + at;
    if (bytes.size() - at < sizeof(uint16_t))
      return damaged("features", offset, "ends inside a length");
    const size_t length = load<uint16_t>(bytes, at);
    at += sizeof(uint16_t);
    if (length == 0 || length > bytes.size() - at)
      return damaged("features", offset,
                     "name of " + std::to_string(length) + " bytes where " +
                         std::to_string(bytes.size() - at) + " are left");
    std::string name = toText(bytes.subspan(at, length));
    at += length;
    if (!features.empty() && features.back() >= name)
      return damaged("features", offset, "names are not in ascending order");
    features.push_back(std::move(name));
  }
  return features;
}

/// Checks everything up to the sizes.
Status checkFront(std::span<const std::byte> bytes) {
  if (bytes.size() < kMagic.size() ||
      std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
    return damaged("magic", 0, "not a Lintel cache entry");
  if (bytes.size() < kPayloadOffset)
    return damaged("version", kVersionOffset, "the file ends here");
  if (const auto version = load<uint32_t>(bytes, kVersionOffset);
      version != kEntryFormatVersion)
    return Error(ErrorCode::unsupported,
                 "version at offset " + std::to_string(kVersionOffset) +
                     ": format version " + std::to_string(version) +
                     ", this Lintel reads " +
                     std::to_string(kEntryFormatVersion));
  if (bytes.size() < kEntryHeaderBytes + kEntryDigestBytes)
    return damaged("header", kPayloadOffset,
                   "the file has " + std::to_string(bytes.size()) +
                       " bytes, the least is " +
                       std::to_string(kEntryHeaderBytes + kEntryDigestBytes));
  if (const auto payload = load<uint32_t>(bytes, kPayloadOffset);
      payload != kRelocatableElf)
    return damaged("payload", kPayloadOffset,
                   "kind " + std::to_string(payload) + ", the only one is " +
                       std::to_string(kRelocatableElf));
  return {};
}

using Parts = std::array<std::span<const std::byte>, kParts.size()>;

/// Cuts `bytes`, whose front is checked, into its parts. The limits keep the
/// sum of the sizes far from overflow.
Expected<Parts> cut(std::span<const std::byte> bytes) {
  std::array<size_t, kParts.size()> sizes;
  uint64_t total = kEntryHeaderBytes + kEntryDigestBytes;
  for (size_t i = 0; i < kParts.size(); ++i) {
    const size_t offset = kSizesOffset + i * sizeof(uint64_t);
    const auto size = load<uint64_t>(bytes, offset);
    if (auto reason = refuseSize(kParts[i], size))
      return damaged(std::string(kParts[i].name) + "Size", offset, *reason);
    sizes[i] = size_t(size);
    total += size;
  }
  if (total != bytes.size())
    return damaged("sizes", kSizesOffset,
                   "add up to " + std::to_string(total) +
                       " bytes, the file has " + std::to_string(bytes.size()));
  Parts parts;
  size_t offset = kEntryHeaderBytes;
  for (size_t i = 0; i < kParts.size(); offset += sizes[i++])
    parts[i] = bytes.subspan(offset, sizes[i]);
  return parts;
}

} // namespace

std::array<std::byte, kEntryDigestBytes>
entryDigest(std::span<const std::byte> bytes) {
  llvm::BLAKE3 hasher;
  hasher.update(
      {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  return std::bit_cast<std::array<std::byte, kEntryDigestBytes>>(
      hasher.final<kEntryDigestBytes>());
}

Expected<std::vector<std::byte>> writeEntry(const CacheEntry &entry) {
  Expected<std::vector<std::byte>> features =
      encodeFeatures(entry.requiredFeatures);
  if (!features)
    return features.error();
  const std::array<size_t, kParts.size()> sizes = {
      entry.keyText.size(), features->size(), entry.record.size(),
      entry.object.size()};
  size_t total = kEntryHeaderBytes + kEntryDigestBytes;
  for (size_t i = 0; i < kParts.size(); ++i) {
    if (auto reason = refuseSize(kParts[i], sizes[i]))
      return Error(ErrorCode::invalidArgument,
                   "cache entry: " + std::string(kParts[i].name) + ": " +
                       *reason);
    total += sizes[i];
  }

  std::vector<std::byte> bytes;
  bytes.reserve(total);
  appendText(bytes, kMagic);
  appendInteger(bytes, kEntryFormatVersion);
  appendInteger(bytes, kRelocatableElf);
  for (size_t size : sizes)
    appendInteger(bytes, uint64_t(size));
  appendText(bytes, entry.keyText);
  bytes.insert(bytes.end(), features->begin(), features->end());
  appendText(bytes, entry.record);
  bytes.insert(bytes.end(), entry.object.begin(), entry.object.end());
  const auto digest = entryDigest(bytes);
  bytes.insert(bytes.end(), digest.begin(), digest.end());
  return bytes;
}

Expected<CacheEntry> parseEntry(std::span<const std::byte> bytes) {
  if (Status front = checkFront(bytes); !front)
    return front.error();
  Expected<Parts> parts = cut(bytes);
  if (!parts)
    return parts.error();

  const size_t digestOffset = bytes.size() - kEntryDigestBytes;
  const auto digest = entryDigest(bytes.first(digestOffset));
  if (!std::equal(digest.begin(), digest.end(), bytes.begin() + digestOffset))
    return damaged("digest", digestOffset,
                   "does not match the bytes before it");

  const auto &[key, featureBytes, record, object] = *parts;
  Expected<std::vector<std::string>> features =
      parseFeatures(featureBytes, kEntryHeaderBytes + key.size());
  if (!features)
    return features.error();
  return CacheEntry{toText(key), std::move(*features), toText(record),
                    std::vector<std::byte>(object.begin(), object.end())};
}

} // namespace lintel
