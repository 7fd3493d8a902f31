// What the tests of the cache share: a directory, keys, entries, raw files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/DiskCache.h"
#include "Cache/EntryName.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lintel::test {

/// Where a test keeps its files: the thousands of small writes of some take ten
/// times as long on a disk.
enum class Storage { memory, disk };

/// A directory of its own, removed at the end.
class TemporaryDirectory {
public:
  explicit TemporaryDirectory(Storage storage = Storage::memory) {
    const bool inMemory =
        storage == Storage::memory && ::access("/dev/shm", W_OK | X_OK) == 0;
    std::filesystem::path parent =
        inMemory ? "/dev/shm" : std::filesystem::temp_directory_path();
    std::string pattern = (parent / "lintel-cache-XXXXXX").string();
    root = ::mkdtemp(pattern.data()) ? pattern : "";
  }
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }
  std::filesystem::path operator/(std::string_view name) const {
    return root / name;
  }

private:
  std::filesystem::path root;
};

/// A cache whose directory is there and may be used.
inline Expected<std::unique_ptr<Cache>>
openCache(const std::string &directory,
          std::shared_ptr<CacheFiles> files = posixFiles(),
          DirectoryOrigin origin = DirectoryOrigin::named) {
  Expected<std::unique_ptr<Cache>> cache =
      DiskCache::at(directory, std::move(files), origin);
  if (cache)
    if (Status prepared = (*cache)->prepare(); !prepared)
      return prepared.error();
  return cache;
}

inline CacheKey keyNumber(int number) {
  return CacheKey(
      {{"problem", "128x768:768x" + std::to_string(number)}, {"dtype", "f32"}});
}

/// An entry of `key`; entries of different `content` differ in every part that
/// may differ.
inline CacheEntry entryFor(const CacheKey &key, int content,
                           size_t objectBytes = 40) {
  CacheEntry entry{key.text(),
                   {"avx2", "fma"},
                   "{\"content\":" + std::to_string(content) + "}",
                   std::vector<std::byte>(objectBytes)};
  for (size_t i = 0; i < objectBytes; ++i)
    entry.object[i] = std::byte(i * 7 + size_t(content));
  return entry;
}

inline bool equal(const CacheEntry &a, const CacheEntry &b) {
  return a.keyText == b.keyText && a.requiredFeatures == b.requiredFeatures &&
         a.record == b.record && a.object == b.object;
}

/// Whether the listing is of that entry.
inline bool lists(const CacheListing &listing, CacheEntry entry) {
  const size_t objectBytes = std::exchange(entry.object, {}).size();
  return equal(listing.entry, entry) && listing.objectBytes == objectBytes;
}

/// Whether `found` is entryFor(key, its own content number, any size).
inline bool isSomeEntryFor(const CacheEntry &found, const CacheKey &key) {
  const int content = std::atoi(found.record.c_str() + 11);
  return equal(found, entryFor(key, content, found.object.size()));
}

inline bool everyFeature(std::string_view) { return true; }

inline std::filesystem::path entryPath(const Cache &cache,
                                       const CacheKey &key) {
  return std::filesystem::path(cache.directory()) / entryName(key.hash());
}

inline std::vector<std::byte> readFile(const std::filesystem::path &path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto *data = reinterpret_cast<const std::byte *>(text.data());
  return {data, data + text.size()};
}

/// With the mode of an entry, whatever the umask.
inline void writeFile(const std::filesystem::path &path,
                      const std::vector<std::byte> &bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()),
             std::streamsize(bytes.size()));
  std::filesystem::permissions(path, std::filesystem::perms(0600));
}

inline void setModified(const std::filesystem::path &path, int64_t unixSeconds,
                        long nanos = 0) {
  const timespec times[2] = {{time_t(unixSeconds), nanos},
                             {time_t(unixSeconds), nanos}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW), 0);
}

/// Names in `directory`, sorted.
inline std::vector<std::string>
namesIn(const std::filesystem::path &directory) {
  std::vector<std::string> names;
  for (const auto &item : std::filesystem::directory_iterator(directory))
    names.push_back(item.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline size_t countOfKind(const std::filesystem::path &directory,
                          FileKind kind) {
  const std::vector<std::string> names = namesIn(directory);
  return size_t(
      std::count_if(names.begin(), names.end(), [&](const std::string &name) {
        return kindOfFile(name) == kind;
      }));
}

} // namespace lintel::test
