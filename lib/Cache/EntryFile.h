// One entry in its file, read with every doubt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/Cache.h"
#include "Cache/CacheFiles.h"

#include <cstdint>
#include <optional>
#include <string>

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

/// Why a file that has the name of an entry is of no use, or nothing. One that
/// went away is not wrong.
std::optional<Error> complaintAbout(const LoadedEntry &loaded,
                                    const std::string &name);

} // namespace lintel
