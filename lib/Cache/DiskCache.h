// The cache over a directory, with file operations that a test can replace.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/Cache.h"
#include "Cache/CacheFiles.h"
#include "Cache/EntryName.h"
#include "Cache/FileAccess.h"
#include "Cache/WholeFile.h"

#include <atomic>
#include <limits>
#include <mutex>
#include <set>
#include <span>

namespace lintel {

/// Opens the directory anew for each operation: it may vanish, be replaced or
/// change its mode at any time, descriptors may be closed by a daemonizing
/// host, and it costs microseconds.
class DiskCache final : public Cache {
public:
  static Expected<std::unique_ptr<Cache>>
  at(const std::string &directory, std::shared_ptr<CacheFiles> files,
     DirectoryOrigin origin = DirectoryOrigin::named);
  /// What the file with the peaks of a machine is called.
  static std::string peaksNameOf(std::string_view machine);

  Status prepare() override;
  Expected<bool> isThere() override;

  std::optional<CacheEntry>
  find(const CacheKey &key,
       const std::function<bool(std::string_view)> &usable) override;
  Status put(const CacheKey &key, const CacheEntry &entry) override;
  Status putTogether(std::span<const CacheEntry> entries) override;
  Status checkWritable() override;
  Expected<CacheSurvey> survey() override;
  Expected<CacheListing> show(std::string_view prefix) override;
  Expected<std::vector<std::string>>
  removeEntry(std::string_view prefix, const GroupOfKey &groupOf) override;
  Expected<std::vector<Error>> verifyPeaks() override;
  Expected<uint64_t> prune(uint64_t maxBytes,
                           const GroupOfKey &groupOf) override;
  Expected<uint64_t> clear() override;
  Expected<std::optional<MachinePeaks>>
  findPeaks(std::string_view machine) override;
  Status putPeaks(const MachinePeaks &peaks) override;
  CacheStatistics statistics() const override;
  const std::string &directory() const override { return path; }

private:
  /// A file of the cache as it was seen, whatever it holds.
  struct Item {
    std::string name;
    FileKind kind;
    uint64_t bytes;
    int64_t modifiedNanoseconds;
    uint64_t inode;
  };
  /// Entries that go together.
  struct Group {
    std::vector<Item> items;
    bool isUsed = true; ///< not damaged, and where it is looked for
    int64_t youngestNanoseconds = std::numeric_limits<int64_t>::min();
  };
  enum class Removal { done, goneBefore, changedSince };

  DiskCache(std::string path, std::shared_ptr<CacheFiles> files,
            DirectoryOrigin origin)
      : path(std::move(path)), files(std::move(files)), origin(origin) {}

  Expected<Descriptor> openOrMakeDirectory();
  std::optional<CacheEntry>
  lookUp(const CacheKey &key,
         const std::function<bool(std::string_view)> &usable);
  void quarantine(int directory, const std::string &name);
  Status write(std::span<const CacheEntry> entries);
  /// Gives each file its content, or none.
  Status store(std::span<const FileToStore> contents);
  /// Has `attemptIn` write into the directory, twice if something was removed
  /// meanwhile.
  Status storeInDirectory(
      const std::function<std::optional<StoreFailure>(int)> &attemptIn);

  /// The peaks in the file `name`, if there is one.
  Expected<std::optional<MachinePeaks>> loadPeaks(int directory,
                                                  const std::string &name);
  Expected<std::vector<std::string>> namesOf(int directory, FileKind kind);
  Error noEntry(std::string_view prefix) const;
  /// The one entry whose hash begins so.
  Expected<std::string> entryBeginning(int directory, std::string_view prefix);
  /// `name`, and the other entries of its group.
  Expected<std::vector<std::string>>
  groupWith(int directory, const std::string &name, const GroupOfKey &groupOf);
  /// Or why it is not open.
  Expected<std::vector<Item>> scan(const Expected<Descriptor> &opened);
  /// What is of no use, then the oldest.
  std::vector<Group> dispensableFirst(int directory,
                                      const std::vector<Item> &items,
                                      const GroupOfKey &groupOf);
  Expected<Removal> removeAsSeen(int directory, const Item &item);
  /// Whether it is gone; false if it was gone before.
  Expected<bool> remove(int directory, const std::string &name);
  bool isLeftOver(const Item &item);

  const std::string path;
  const std::shared_ptr<CacheFiles> files;
  const DirectoryOrigin origin;
  std::atomic<uint64_t> hits = 0, misses = 0, quarantined = 0, writes = 0,
                        writeFailures = 0;
  std::mutex reportedMutex;
  std::set<std::string>
      reported; ///< damaged, could not be moved aside, and said so
};

} // namespace lintel
