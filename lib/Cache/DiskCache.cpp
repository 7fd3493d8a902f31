// The cache over a directory: open, find, put.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/DiskCache.h"

#include "Cache/CacheDirectory.h"
#include "Cache/EntryFile.h"
#include "Cache/EntryFormat.h"
#include "Runtime/Log.h"

#include <algorithm>
#include <new>

namespace lintel {

Cache::~Cache() = default;

Expected<std::unique_ptr<Cache>> Cache::at(std::string directory,
                                           DirectoryOrigin origin) {
  return DiskCache::at(directory, posixFiles(), origin);
}

Expected<std::unique_ptr<Cache>>
DiskCache::at(const std::string &directory, std::shared_ptr<CacheFiles> files,
              DirectoryOrigin origin) {
  Expected<std::string> path = absoluteDirectory(directory);
  if (!path)
    return path.error();
  return std::unique_ptr<Cache>(
      new DiskCache(std::move(*path), std::move(files), origin));
}

Status DiskCache::prepare() {
  Expected<Descriptor> opened = openOrMakeDirectory();
  return opened ? Status() : opened.error();
}

Expected<bool> DiskCache::isThere() {
  Expected<Descriptor> opened = openCacheDirectory(*files, path);
  if (opened)
    return true;
  if (!isMissing(*files, path))
    return opened.error();
  if (Status can = checkCanBeMade(*files, path, origin); !can)
    return can.error();
  return false;
}

Expected<Descriptor> DiskCache::openOrMakeDirectory() {
  Expected<Descriptor> opened = openCacheDirectory(*files, path);
  if (opened)
    return opened;
  if (isMissing(*files, path))
    if (Status made = makeDirectories(*files, path, origin); !made)
      return made.error();
  return openCacheDirectory(*files, path);
}

std::optional<CacheEntry>
DiskCache::find(const CacheKey &key,
                const std::function<bool(std::string_view)> &usable) {
  std::optional<CacheEntry> entry;
  try {
    entry = lookUp(key, usable);
  } catch (const std::bad_alloc &) {
    // A miss like any other doubt: entries may be large.
  }
  ++(entry ? hits : misses);
  return entry;
}

std::optional<CacheEntry>
DiskCache::lookUp(const CacheKey &key,
                  const std::function<bool(std::string_view)> &usable) {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  if (!directory)
    return std::nullopt;
  const std::string name = entryName(key.hash());
  LoadedEntry loaded = loadEntry(*files, directory->get(), name);
  if (loaded.state == EntryState::damaged)
    quarantine(directory->get(), name);
  if (loaded.state != EntryState::whole)
    return std::nullopt;
  // A hash is not an identity, and a file can be renamed.
  if (loaded.entry.keyText != key.text())
    return std::nullopt;
  const std::vector<std::string> &features = loaded.entry.requiredFeatures;
  if (!std::all_of(features.begin(), features.end(),
                   [&](const std::string &feature) {
                     return usable && usable(feature);
                   }))
    return std::nullopt;
  return std::move(loaded.entry);
}

void DiskCache::quarantine(int directory, const std::string &name) {
  // Look again: since the first look a writer may have put a whole entry here.
  LoadedEntry second = loadEntry(*files, directory, name);
  if (second.state != EntryState::damaged)
    return;
  const std::string aside = quarantineName(name);
  int error =
      uninterrupted([&] { return files->rename(directory, name, aside); });
  if (error == 0) {
    // Or between that look and now: either of two whole entries may stay.
    if (loadEntry(*files, directory, aside).state == EntryState::whole) {
      (void)uninterrupted(
          [&] { return files->rename(directory, aside, name); });
      return;
    }
    ++quarantined;
    logMessage(LogLevel::warn,
               "cache entry '{}/{}' is damaged and now called '{}': {}", path,
               name, aside, second.reason);
    return;
  }
  if (error == -ENOENT) // another process did it
    return;
  // A directory that finds its place taken. Whoever stores an entry is told.
  if (error == -ENOTEMPTY || error == -EEXIST || error == -ENOTDIR)
    return;
  std::lock_guard lock(reportedMutex);
  if (reported.insert(name).second)
    logMessage(LogLevel::warn, "cache entry '{}/{}' is damaged: {}; {}", path,
               name, second.reason,
               ioError("it cannot be moved aside", -error).message());
}

Status DiskCache::put(const CacheKey &key, const CacheEntry &entry) {
  if (entry.keyText == key.text())
    return putTogether({&entry, 1});
  ++writeFailures;
  return Error(
      ErrorCode::invalidArgument,
      "cache entry: its key text is not the text of the key it is put under");
}

Status DiskCache::putTogether(std::span<const CacheEntry> entries) {
  Status written;
  try {
    written = write(entries);
  } catch (const std::bad_alloc &) {
    written = Error(ErrorCode::io, "out of memory");
  }
  (written ? writes : writeFailures) += entries.size();
  return written;
}

Status DiskCache::write(std::span<const CacheEntry> entries) {
  std::vector<FileToStore> contents;
  for (const CacheEntry &entry : entries) {
    Expected<std::vector<std::byte>> bytes = writeEntry(entry);
    if (!bytes)
      return bytes.error();
    const std::string hash = CacheKey::hashOfText(entry.keyText);
    contents.push_back({hash, entryName(hash), std::move(*bytes)});
  }
  return store(contents);
}

Status DiskCache::store(std::span<const FileToStore> contents) {
  return storeInDirectory(
      [&](int directory) { return storeFiles(*files, directory, contents); });
}

Status DiskCache::checkWritable() {
  // Any name will do; entries are named by such hashes.
  const std::string hash = CacheKey::hashOfText("");
  return storeInDirectory(
      [&](int directory) { return tryStoring(*files, directory, hash); });
}

Status DiskCache::storeInDirectory(
    const std::function<std::optional<StoreFailure>(int)> &attemptIn) {
  std::optional<StoreFailure> failure;
  // The second attempt is for a directory, or a temporary, removed meanwhile.
  for (int attempt = 0; attempt < 2; ++attempt) {
    Expected<Descriptor> directory = openOrMakeDirectory();
    if (!directory)
      return directory.error();
    failure = attemptIn(directory->get());
    if (!failure)
      return {};
    if (failure->error != ENOENT)
      break;
  }
  return ioError("cache directory '" + path + "': " + failure->step,
                 failure->error);
}

CacheStatistics DiskCache::statistics() const {
  return {hits, misses, quarantined, writes, writeFailures};
}

} // namespace lintel
