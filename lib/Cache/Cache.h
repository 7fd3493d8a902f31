// Tuned kernels on disk: one file an entry, and the peaks of machines. The
// format of entries is in EntryFormat.h, all are in docs/cache-format.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Target/MachinePeaks.h"
#include "lintel/Error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lintel {

/// The identity of an entry: named fields, written as canonical text. Field
/// values may hold any bytes; each is length-prefixed in the text.
class CacheKey {
public:
  explicit CacheKey(std::vector<std::pair<std::string, std::string>> fields);
  /// The full key, stored in the entry and compared on every read.
  const std::string &text() const { return keyText; }
  /// 32 hex digits of BLAKE3(text): the file name, and KEY on command lines.
  const std::string &hash() const { return digest; }
  /// The hash of the key whose text this is.
  static std::string hashOfText(std::string_view text);
  /// The value of the first field of that name in the text of a key; none where
  /// there is no such field, or the text before it is no key's.
  static std::optional<std::string_view> fieldOfText(std::string_view text,
                                                     std::string_view name);

private:
  std::string keyText, digest;
};

/// What an entry holds.
struct CacheEntry {
  std::string keyText;
  std::vector<std::string> requiredFeatures; ///< LLVM names, sorted
  std::string record;            ///< JSON: problem, schedule, measurements
  std::vector<std::byte> object; ///< relocatable ELF
};

/// A line of `lintel cache ls`.
struct CacheListing {
  std::string hash;
  uint64_t bytes = 0;
  int64_t modifiedNanoseconds = 0; ///< since 1970
  CacheEntry entry; ///< without its object: a cache may hold more than memory
  size_t objectBytes = 0;

  int64_t modifiedUnixSeconds() const {
    return modifiedNanoseconds / 1'000'000'000;
  }
};

/// What the entries on disk are.
struct CacheSurvey {
  std::vector<CacheListing> listings; ///< readable ones, newest first
  /// One, with the path, for each that is damaged (ErrorCode::corrupt), that
  /// the system would not let us read (io) or that is of another format version
  /// (unsupported).
  std::vector<Error> complaints;
  /// Files that were moved aside when somebody looked for them and they were
  /// damaged; prune() removes them.
  size_t movedAside = 0;
};

/// Counted since the Cache was made.
struct CacheStatistics {
  uint64_t hits = 0, misses = 0, quarantined = 0, writes = 0, writeFailures = 0;
};

/// What entries have in common that are of use only together, from the text of
/// a key; "" for one that is of use by itself.
using GroupOfKey = std::function<std::string(std::string_view keyText)>;

/// Whose idea a directory is: somebody's who named it, XDG_CACHE_HOME's or
/// HOME's, which sudo may have kept of another user. HOME itself is not made:
/// some users have one so that there be none.
enum class DirectoryOrigin { named, xdgCacheHome, home };

/// A directory of entries. Thread-safe and safe among processes: entries appear
/// by rename, whole or not at all.
class Cache {
public:
  /// Refuses only what can be no path. The directory is looked at by each
  /// operation: one that fails now may work later.
  static Expected<std::unique_ptr<Cache>>
  at(std::string directory, DirectoryOrigin origin = DirectoryOrigin::named);
  virtual ~Cache();

  /// Creates the directory (0700) if missing. Refuses, with the reason, one
  /// that is not a directory, not owned by the effective user, or writable by
  /// others, and to make one of HOME's in root's name below another user's.
  virtual Status prepare() = 0;
  /// Whether the directory is there; makes none. An error is what prepare()
  /// would refuse.
  virtual Expected<bool> isThere() = 0;

  /// The entry of `key` if it is there, undamaged, and `usable` is true of each
  /// CPU feature that it requires; an empty one is true of none. Any doubt is a
  /// miss: a damaged file is renamed to "<name>.bad", counted and logged. Never
  /// an error to the caller.
  virtual std::optional<CacheEntry>
  find(const CacheKey &key,
       const std::function<bool(std::string_view)> &usable) = 0;
  /// Writes to a temporary file in the directory, fsyncs and renames. On
  /// failure nothing is left behind and older entries are untouched.
  virtual Status put(const CacheKey &key, const CacheEntry &entry) = 0;
  /// Puts all of them, each under its own key, or none: all are written and
  /// fsynced before the first is renamed. Where a rename fails behind others,
  /// what those replaced is lost, and what they put is removed.
  virtual Status putTogether(std::span<const CacheEntry> entries) = 0;
  /// Whether put could keep a small entry: writes as much and removes it. A
  /// cache that may only be read is of use, so open does not ask.
  virtual Status checkWritable() = 0;

  /// Reads every entry, one at a time and once.
  virtual Expected<CacheSurvey> survey() = 0;
  /// The entry whose hash begins with `prefix` (at least 4 digits). Errors when
  /// none or several match, or when the file is damaged or cannot be read.
  virtual Expected<CacheListing> show(std::string_view prefix) = 0;
  /// Removes the entry whose hash begins with `prefix` (at least 4 digits),
  /// damaged or not, and those of its group. Errors when none or several match,
  /// or when one cannot be removed. Returns their hashes, its own first.
  virtual Expected<std::vector<std::string>>
  removeEntry(std::string_view prefix, const GroupOfKey &groupOf = {}) = 0;
  /// Complaints, as those of entries, about the peaks of all machines. Those of
  /// another version are told by their names.
  virtual Expected<std::vector<Error>> verifyPeaks() = 0;
  /// Removes entries, damaged and misplaced ones first and then the least
  /// recently written, until at most `maxBytes` remain; also stale temporaries
  /// and quarantined files. Entries of one group go together, and are as young
  /// as the youngest of them. What is written meanwhile stays. Returns the
  /// bytes removed.
  virtual Expected<uint64_t> prune(uint64_t maxBytes,
                                   const GroupOfKey &groupOf = {}) = 0;
  /// Removes every entry. Files that are not Lintel's stay. Returns how many.
  virtual Expected<uint64_t> clear() = 0;

  /// The peaks that were kept for the machine of that fingerprint, which is
  /// this one; nothing if this version kept none, an error if there is any
  /// doubt about the file.
  virtual Expected<std::optional<MachinePeaks>>
  findPeaks(std::string_view machine) = 0;
  /// Keeps them, written as entries are; prune and clear leave them alone.
  virtual Status putPeaks(const MachinePeaks &peaks) = 0;
  virtual CacheStatistics statistics() const = 0;
  virtual const std::string &directory() const = 0;
};

} // namespace lintel
