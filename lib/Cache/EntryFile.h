// One entry in its file: read with every doubt, written whole or not at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/Cache.h"
#include "Cache/CacheFiles.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lintel {

enum class EntryState {
  whole,
  absent,
  unreadable,   ///< the system would not let us read it; says nothing of its
                ///< content
  otherVersion, ///< another Lintel's
  damaged,      ///< or not a file that a cache would have written
};

struct LoadedEntry {
  EntryState state = EntryState::absent;
  std::string reason; ///< why it is not whole
  CacheEntry entry;   ///< of a whole one, as are the following
  uint64_t bytes = 0;
  int64_t modifiedNanoseconds = 0;
};

/// Reads the entry `name` of the open directory.
LoadedEntry loadEntry(CacheFiles &files, int directory,
                      const std::string &name);

struct StoreFailure {
  std::string step; ///< "cannot write a temporary file"
  int error;        ///< errno
};

/// Makes `bytes` the content of the entry of `hash`: a temporary file, synced,
/// then renamed. Nothing that happens after the rename is a failure.
std::optional<StoreFailure> storeEntry(CacheFiles &files, int directory,
                                       std::string_view hash,
                                       std::span<const std::byte> bytes);

/// Last modification, in nanoseconds since 1970.
int64_t modifiedNanoseconds(const struct stat &info);

} // namespace lintel
