// A file of the cache: read with every doubt, written whole or not at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/CacheFiles.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lintel {

enum class FileState {
  whole, ///< as far as the system knows; says nothing of the content
  absent,
  unreadable, ///< the system would not let us read it
  foreign,    ///< not a file that a cache would have written
};

struct LoadedFile {
  FileState state = FileState::absent;
  std::string reason;           ///< why it is not whole
  std::vector<std::byte> bytes; ///< of a whole one, as is the following
  int64_t modifiedNanoseconds = 0;
};

/// Reads the file `name` of the open directory.
LoadedFile loadFile(CacheFiles &files, int directory, const std::string &name,
                    uint64_t maxBytes);

struct StoreFailure {
  std::string step; ///< "cannot write a temporary file"
  int error;        ///< errno
};

struct FileToStore {
  std::string hash; ///< which the name of its temporary begins with
  std::string name;
  std::vector<std::byte> bytes;
};

/// Gives each file its content: temporary files, synced, and renamed once all
/// are. Nothing that happens after the last rename is a failure. Where one
/// behind the first fails, files that were renamed are removed again.
std::optional<StoreFailure> storeFiles(CacheFiles &files, int directory,
                                       std::span<const FileToStore> contents);

/// Writes a page to a temporary file of `hash`, syncs and removes it.
std::optional<StoreFailure> tryStoring(CacheFiles &files, int directory,
                                       std::string_view hash);

/// Last modification, in nanoseconds since 1970: from 1677 to 2262, or the
/// nearer end of that.
int64_t modifiedNanoseconds(const struct stat &info);

} // namespace lintel
