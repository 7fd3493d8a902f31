// The cache over a directory: survey, show, prune, clear.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/CacheDirectory.h"
#include "Cache/DiskCache.h"
#include "Cache/EntryFile.h"
#include "Cache/WholeFile.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace lintel {
namespace {

/// Why a file that has the name of an entry is of no use, or nothing. One that
/// went away is not wrong.
std::optional<Error> complaint(const LoadedEntry &loaded,
                               const std::string &name) {
  switch (loaded.state) {
  case EntryState::absent:
    return std::nullopt;
  case EntryState::otherVersion:
    return Error(ErrorCode::unsupported, loaded.reason);
  case EntryState::unreadable:
    return Error(ErrorCode::io, loaded.reason);
  case EntryState::damaged:
    return Error(ErrorCode::corrupt, loaded.reason);
  case EntryState::whole:
    break;
  }
  std::string hash = CacheKey::hashOfText(loaded.entry.keyText);
  if (hash == hashInName(name))
    return std::nullopt;
  return Error(ErrorCode::corrupt,
               "holds the entry of key " + hash + ", so it is never found");
}

CacheListing toListing(LoadedEntry loaded, const std::string &name) {
  CacheListing listing{std::string(hashInName(name)), loaded.bytes,
                       loaded.modifiedNanoseconds, std::move(loaded.entry)};
  listing.objectBytes = std::exchange(listing.entry.object, {}).size();
  return listing;
}

bool isNewer(const CacheListing &a, const CacheListing &b) {
  return std::tie(b.modifiedNanoseconds, a.hash) <
         std::tie(a.modifiedNanoseconds, b.hash);
}

} // namespace

Expected<std::vector<std::string>> DiskCache::namesOf(int directory,
                                                      FileKind kind) {
  std::vector<std::string> names;
  int error = uninterrupted([&] {
    names.clear();
    return files->list(directory, names);
  });
  if (error < 0)
    return ioError("cannot list cache directory '" + path + "'", -error);
  std::erase_if(
      names, [&](const std::string &name) { return kindOfFile(name) != kind; });
  std::sort(names.begin(), names.end());
  return names;
}

Expected<CacheSurvey> DiskCache::survey() {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  if (!directory)
    return directory.error();
  Expected<std::vector<std::string>> names =
      namesOf(directory->get(), FileKind::entry);
  if (!names)
    return names.error();
  CacheSurvey survey;
  for (const std::string &name : *names) {
    LoadedEntry loaded = loadEntry(*files, directory->get(), name);
    if (std::optional<Error> wrong = complaint(loaded, name))
      survey.complaints.push_back(wrong->in(path + "/" + name));
    else if (loaded.state == EntryState::whole)
      survey.listings.push_back(toListing(std::move(loaded), name));
  }
  std::sort(survey.listings.begin(), survey.listings.end(), isNewer);
  return survey;
}

Expected<CacheListing> DiskCache::show(std::string_view prefix) {
  constexpr size_t kMinDigits = 4;
  const std::string quoted = "'" + std::string(prefix) + "'";
  if (prefix.size() < kMinDigits || !isLowerHex(prefix))
    return Error(ErrorCode::invalidArgument,
                 "cache key " + quoted +
                     ": a key is at least 4 of the digits 0-9 and a-f");
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  if (!directory)
    return directory.error();
  Expected<std::vector<std::string>> names =
      namesOf(directory->get(), FileKind::entry);
  if (!names)
    return names.error();
  std::erase_if(*names, [&](const std::string &name) {
    return !hashInName(name).starts_with(prefix);
  });
  const Error noEntry(ErrorCode::invalidArgument, "cache key " + quoted +
                                                      ": no entry in '" + path +
                                                      "' begins with it");
  if (names->empty())
    return noEntry;
  if (names->size() > 1)
    return Error(ErrorCode::invalidArgument,
                 "cache key " + quoted + ": " + std::to_string(names->size()) +
                     " entries begin with it, among them " +
                     std::string(hashInName((*names)[0])) + " and " +
                     std::string(hashInName((*names)[1])) +
                     "; give more digits");

  const std::string &name = names->front();
  LoadedEntry loaded = loadEntry(*files, directory->get(), name);
  const std::string where = path + "/" + name;
  if (loaded.state == EntryState::absent) // removed since it was listed
    return noEntry;
  if (std::optional<Error> wrong = complaint(loaded, name))
    return wrong->in(where);
  return toListing(std::move(loaded), name);
}

Expected<std::vector<DiskCache::Item>> DiskCache::scan(int directory) {
  std::vector<Item> items;
  for (FileKind kind :
       {FileKind::entry, FileKind::quarantined, FileKind::temporary}) {
    Expected<std::vector<std::string>> names = namesOf(directory, kind);
    if (!names)
      return names.error();
    for (std::string &name : *names) {
      struct stat info;
      int error = uninterrupted(
          [&] { return files->describeAt(directory, name, info); });
      if (error == -ENOENT)
        continue;
      if (error < 0)
        return ioError("cannot examine '" + path + "/" + name + "'", -error);
      if (!S_ISDIR(info.st_mode)) // no cache makes one here: foreign
        items.push_back({std::move(name), kind, uint64_t(info.st_size),
                         modifiedNanoseconds(info)});
    }
  }
  return items;
}

Expected<bool> DiskCache::remove(int directory, const std::string &name) {
  int error = uninterrupted([&] { return files->remove(directory, name); });
  if (error < 0 && error != -ENOENT)
    return ioError("cannot remove '" + path + "/" + name + "'", -error);
  return error == 0;
}

bool DiskCache::isLeftOver(const Item &item) {
  constexpr int64_t kStaleSeconds = 3600;
  // A time far in the future is no sign of a living writer either.
  const int64_t age = files->now() - item.modifiedNanoseconds / 1'000'000'000;
  return item.kind == FileKind::quarantined ||
         (item.kind == FileKind::temporary && std::abs(age) > kStaleSeconds);
}

Expected<uint64_t> DiskCache::prune(uint64_t maxBytes) {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  if (!directory)
    return directory.error();
  Expected<std::vector<Item>> items = scan(directory->get());
  if (!items)
    return items.error();
  std::sort(items->begin(), items->end(), [](const Item &a, const Item &b) {
    return std::tie(a.modifiedNanoseconds, a.name) <
           std::tie(b.modifiedNanoseconds, b.name);
  });
  uint64_t kept = 0, removed = 0;
  for (const Item &item : *items)
    kept += item.kind == FileKind::entry ? item.bytes : 0;
  std::optional<Error> failure;
  for (const Item &item : *items) {
    const bool evicted = item.kind == FileKind::entry && kept > maxBytes;
    if (!evicted && !isLeftOver(item))
      continue;
    Expected<bool> gone = remove(directory->get(), item.name);
    if (!gone) {
      failure = failure ? failure : gone.error();
      continue;
    }
    kept -= evicted ? item.bytes : 0;
    removed += *gone ? item.bytes : 0;
  }
  if (failure)
    return *failure;
  return removed;
}

Expected<uint64_t> DiskCache::clear() {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  if (!directory)
    return directory.error();
  Expected<std::vector<Item>> items = scan(directory->get());
  if (!items)
    return items.error();
  uint64_t entries = 0;
  std::optional<Error> failure;
  // Temporaries of living writers too: their put begins anew.
  for (const Item &item : *items) {
    Expected<bool> gone = remove(directory->get(), item.name);
    if (!gone)
      failure = failure ? failure : gone.error();
    else
      entries += *gone && item.kind == FileKind::entry;
  }
  if (failure)
    return *failure;
  return entries;
}

} // namespace lintel
