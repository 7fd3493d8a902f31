// One entry in its file, read with every doubt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/EntryFile.h"

#include "Cache/EntryFormat.h"
#include "Cache/EntryName.h"
#include "Cache/WholeFile.h"

namespace lintel {
namespace {

LoadedEntry failed(EntryState state, std::string reason) {
  LoadedEntry loaded;
  loaded.state = state;
  loaded.reason = std::move(reason);
  return loaded;
}

EntryState stateOf(FileState state) {
  switch (state) {
  case FileState::absent:
    return EntryState::absent;
  case FileState::unreadable:
    return EntryState::unreadable;
  case FileState::whole:
  case FileState::foreign:
    break;
  }
  return EntryState::damaged;
}

} // namespace

LoadedEntry loadEntry(CacheFiles &files, int directory,
                      const std::string &name) {
  LoadedFile file = loadFile(files, directory, name, kMaxEntryBytes);
  if (file.state != FileState::whole)
    return failed(stateOf(file.state), std::move(file.reason));
  Expected<CacheEntry> entry = parseEntry(file.bytes);
  if (!entry)
    return failed(entry.error().code() == ErrorCode::unsupported
                      ? EntryState::otherVersion
                      : EntryState::damaged,
                  entry.error().message());
  return {EntryState::whole, "", std::move(*entry), file.bytes.size(),
          file.modifiedNanoseconds};
}

std::optional<Error> complaintAbout(const LoadedEntry &loaded,
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

} // namespace lintel
