// The cache over a directory: prune, clear, removal of an entry.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/CacheDirectory.h"
#include "Cache/DiskCache.h"
#include "Cache/EntryFile.h"
#include "Cache/WholeFile.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

namespace lintel {

Expected<std::vector<DiskCache::Item>>
DiskCache::scan(const Expected<Descriptor> &opened) {
  if (!opened)
    return opened.error();
  const int directory = opened->get();
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
                         modifiedNanoseconds(info), info.st_ino});
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

/// Between the look and the removal there is still a moment, of a microsecond
/// and not of a whole run.
Expected<DiskCache::Removal> DiskCache::removeAsSeen(int directory,
                                                     const Item &item) {
  struct stat info;
  const int error = uninterrupted(
      [&] { return files->describeAt(directory, item.name, info); });
  if (error == -ENOENT)
    return Removal::goneBefore;
  if (error < 0)
    return ioError("cannot examine '" + path + "/" + item.name + "'", -error);
  if (info.st_ino != item.inode ||
      modifiedNanoseconds(info) != item.modifiedNanoseconds)
    return Removal::changedSince;
  Expected<bool> gone = remove(directory, item.name);
  if (!gone)
    return gone.error();
  return *gone ? Removal::done : Removal::goneBefore;
}

std::vector<DiskCache::Group>
DiskCache::dispensableFirst(int directory, const std::vector<Item> &items,
                            const GroupOfKey &groupOf) {
  std::map<std::string, Group> groups;
  for (const Item &item : items) {
    std::string name;
    const LoadedEntry loaded = loadEntry(*files, directory, item.name);
    const std::optional<Error> wrong = complaintAbout(loaded, item.name);
    const bool isUsed = !wrong || wrong->code() != ErrorCode::corrupt;
    if (groupOf && isUsed && loaded.state == EntryState::whole)
      name = groupOf(loaded.entry.keyText);
    Group &group = groups[name.empty() ? item.name : name];
    group.items.push_back(item);
    group.isUsed = isUsed;
    group.youngestNanoseconds =
        std::max(group.youngestNanoseconds, item.modifiedNanoseconds);
  }
  std::vector<Group> ordered;
  for (auto &[name, group] : groups)
    ordered.push_back(std::move(group));
  std::sort(ordered.begin(), ordered.end(), [](const Group &a, const Group &b) {
    return std::tie(a.isUsed, a.youngestNanoseconds, a.items.front().name) <
           std::tie(b.isUsed, b.youngestNanoseconds, b.items.front().name);
  });
  return ordered;
}

Expected<uint64_t> DiskCache::prune(uint64_t maxBytes,
                                    const GroupOfKey &groupOf) {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  Expected<std::vector<Item>> items = scan(directory);
  if (!items)
    return items.error();
  uint64_t removed = 0;
  std::optional<Error> failure;
  /// Whether what was seen is there no more.
  const auto evict = [&](const Item &item) {
    Expected<Removal> removal = removeAsSeen(directory->get(), item);
    if (!removal)
      failure = failure ? failure : removal.error();
    else if (*removal == Removal::done)
      removed += item.bytes;
    return removal && *removal != Removal::changedSince;
  };

  std::vector<Item> entries;
  uint64_t kept = 0;
  for (Item &item : *items)
    if (item.kind == FileKind::entry) {
      kept += item.bytes;
      entries.push_back(std::move(item));
    } else if (isLeftOver(item)) {
      evict(item);
    }
  if (kept > maxBytes)
    for (const Group &group :
         dispensableFirst(directory->get(), entries, groupOf)) {
      if (kept <= maxBytes)
        break;
      // Of a group that is being written the rest stays.
      for (const Item &item : group.items) {
        if (!evict(item))
          break;
        kept -= item.bytes;
      }
    }
  if (failure)
    return *failure;
  return removed;
}

Expected<uint64_t> DiskCache::clear() {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  Expected<std::vector<Item>> items = scan(directory);
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

Expected<std::vector<std::string>>
DiskCache::groupWith(int directory, const std::string &name,
                     const GroupOfKey &groupOf) {
  const auto groupOfFile = [&](const std::string &file) {
    const LoadedEntry loaded = loadEntry(*files, directory, file);
    return groupOf && loaded.state == EntryState::whole
               ? groupOf(loaded.entry.keyText)
               : "";
  };
  std::vector<std::string> together = {name};
  const std::string group = groupOfFile(name);
  if (group.empty())
    return together;
  Expected<std::vector<std::string>> names =
      namesOf(directory, FileKind::entry);
  if (!names)
    return names.error();
  for (const std::string &other : *names)
    if (other != name && groupOfFile(other) == group)
      together.push_back(other);
  return together;
}

Expected<std::vector<std::string>>
DiskCache::removeEntry(std::string_view prefix, const GroupOfKey &groupOf) {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  if (!directory)
    return directory.error();
  const Expected<std::string> name = entryBeginning(directory->get(), prefix);
  if (!name)
    return name.error();
  const Expected<std::vector<std::string>> together =
      groupWith(directory->get(), *name, groupOf);
  if (!together)
    return together.error();
  std::vector<std::string> removed;
  for (const std::string &one : *together) {
    const Expected<bool> isGone = remove(directory->get(), one);
    if (!isGone)
      return isGone.error();
    if (*isGone)
      removed.emplace_back(hashInName(one));
  }
  if (removed.empty()) // somebody else was faster
    return noEntry(prefix);
  return removed;
}

} // namespace lintel
