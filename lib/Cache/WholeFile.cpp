// A file of the cache: read with every doubt, written whole or not at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/WholeFile.h"

#include "Cache/EntryName.h"
#include "Cache/FileAccess.h"

#include <limits>

#include <unistd.h>

namespace lintel {
namespace {

LoadedFile failed(FileState state, std::string reason) {
  return {state, std::move(reason), {}, 0};
}

/// Why no cache can have written a file of this status, or nothing.
std::optional<std::string> refuseFile(const struct stat &info,
                                      uint64_t maxBytes) {
  if (!S_ISREG(info.st_mode))
    return "not a regular file";
  if (info.st_uid != ::geteuid())
    return "belongs to user " + std::to_string(info.st_uid);
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    return "others may write to it";
  if (uint64_t(info.st_size) > maxBytes)
    return std::to_string(info.st_size) + " bytes, such a file has at most " +
           std::to_string(maxBytes);
  return std::nullopt;
}

struct Created {
  int file; ///< or -errno
  std::string name;
};

Created createTemporary(CacheFiles &files, int directory,
                        std::string_view hash) {
  constexpr int kMaxNames = 8;
  Created created{-EEXIST, ""};
  for (int i = 0; i < kMaxNames && created.file == -EEXIST; ++i) {
    created.name = temporaryName(hash, files.serial());
    created.file = uninterrupted(
        [&] { return files.createToWrite(directory, created.name); });
  }
  return created;
}

StoreFailure cannotCreate(const Created &temporary) {
  return {"cannot create a temporary file", -temporary.file};
}

/// Makes `bytes` the content of an empty temporary, and closes it.
std::optional<StoreFailure> fill(CacheFiles &files, Descriptor &file,
                                 std::span<const std::byte> bytes) {
  if (int error = writeWhole(files, file.get(), bytes); error < 0)
    return StoreFailure{"cannot write a temporary file", -error};
  if (int error = uninterrupted([&] { return files.sync(file.get()); });
      error < 0)
    return StoreFailure{"cannot sync a temporary file", -error};
  // Network file systems report some failures of writing only here.
  if (int error = file.close(); error < 0)
    return StoreFailure{"cannot close a temporary file", -error};
  return std::nullopt;
}

std::optional<StoreFailure> publish(CacheFiles &files, int directory,
                                    const std::string &temporary,
                                    const std::string &name) {
  const int error =
      uninterrupted([&] { return files.rename(directory, temporary, name); });
  if (error == -EISDIR)
    return StoreFailure{"'" + name + "' is in the way and must be removed",
                        EISDIR};
  if (error < 0)
    return StoreFailure{"cannot rename a temporary file", -error};
  return std::nullopt;
}

/// Names in a directory that are removed at the end.
class PassingNames {
public:
  PassingNames(CacheFiles &files, int directory)
      : files(files), directory(directory) {}
  PassingNames(const PassingNames &) = delete;
  PassingNames &operator=(const PassingNames &) = delete;
  ~PassingNames() {
    for (const std::string &name : names)
      (void)uninterrupted([&] { return files.remove(directory, name); });
  }
  std::vector<std::string> names;

private:
  CacheFiles &files;
  const int directory;
};

} // namespace

int64_t modifiedNanoseconds(const struct stat &info) {
  using Limits = std::numeric_limits<int64_t>;
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t seconds = info.st_mtim.tv_sec;
  if (seconds >= Limits::max() / kSecond)
    return Limits::max();
  if (seconds <= Limits::min() / kSecond)
    return Limits::min();
  return seconds * kSecond + info.st_mtim.tv_nsec;
}

LoadedFile loadFile(CacheFiles &files, int directory, const std::string &name,
                    uint64_t maxBytes) {
  int number = uninterrupted([&] { return files.openToRead(directory, name); });
  if (number == -ENOENT)
    return failed(FileState::absent, "no such file");
  if (number == -ELOOP || number == -ENXIO) // a symbolic link; a socket
    return failed(FileState::foreign, "not a regular file");
  if (number < 0)
    return failed(FileState::unreadable,
                  ioError("cannot open", -number).message());
  Descriptor file(files, number);

  struct stat info;
  if (int error = uninterrupted([&] { return files.describe(number, info); });
      error < 0)
    return failed(FileState::unreadable,
                  ioError("cannot examine", -error).message());
  if (auto reason = refuseFile(info, maxBytes))
    return failed(FileState::foreign, *reason);
  Expected<std::vector<std::byte>> bytes =
      readWhole(files, number, size_t(info.st_size));
  if (!bytes)
    return failed(FileState::unreadable, bytes.error().message());
  return {FileState::whole, "", std::move(*bytes), modifiedNanoseconds(info)};
}

std::optional<StoreFailure> tryStoring(CacheFiles &files, int directory,
                                       std::string_view hash) {
  constexpr size_t kPageBytes = 4096;
  const Created temporary = createTemporary(files, directory, hash);
  if (temporary.file < 0)
    return cannotCreate(temporary);
  Descriptor file(files, temporary.file);
  std::optional<StoreFailure> failure =
      fill(files, file, std::vector<std::byte>(kPageBytes));
  const int removed =
      uninterrupted([&] { return files.remove(directory, temporary.name); });
  if (!failure && removed < 0)
    failure = {"cannot remove a temporary file", -removed};
  return failure;
}

std::optional<StoreFailure> storeFiles(CacheFiles &files, int directory,
                                       std::span<const FileToStore> contents) {
  PassingNames passing(files, directory);
  // The name of each becomes that of its file, which stays once all are there.
  for (const FileToStore &content : contents) {
    const Created temporary = createTemporary(files, directory, content.hash);
    if (temporary.file < 0)
      return cannotCreate(temporary);
    Descriptor file(files, temporary.file);
    passing.names.push_back(temporary.name);
    if (auto failure = fill(files, file, content.bytes))
      return failure;
  }
  for (size_t i = 0; i < contents.size(); ++i) {
    if (auto failure =
            publish(files, directory, passing.names[i], contents[i].name))
      return failure;
    passing.names[i] = contents[i].name;
  }
  passing.names.clear();
  // So that the names, too, survive a loss of power.
  (void)uninterrupted([&] { return files.sync(directory); });
  return std::nullopt;
}

} // namespace lintel
