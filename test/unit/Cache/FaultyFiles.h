// File operations that fail when told to: the cache's failures, injected.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/CacheFiles.h"

#include <cerrno>
#include <new>
#include <string>
#include <vector>

namespace lintel::test {

enum class Failing { once, fromThenOn };

/// Which calls fail, and how. kShortTransfer in place of an errno cuts reads
/// and writes down to one byte.
struct Injection {
  static constexpr int kShortTransfer = 0;
  int atCall; ///< counted from 1; 0: never
  Failing failing;
  int error;
};

/// The operating system's operations, some of which fail. Syncs are only
/// pretended, since thousands of runs share this. For one thread.
class FaultyFiles : public CacheFiles {
public:
  explicit FaultyFiles(Injection injection = {0, Failing::once, 0})
      : injection(injection) {}

  /// The calls made so far, as words: "openToRead".
  std::vector<std::string> log;
  /// Whether a call was reached that had to fail.
  bool fired = false;
  /// What the clock shows.
  int64_t clock = posixFiles()->now();

  int openDirectory(const std::string &path) override {
    return fails("openDirectory") ? -injection.error
                                  : posix->openDirectory(path);
  }
  int makeDirectory(const std::string &path) override {
    return fails("makeDirectory") ? -injection.error
                                  : posix->makeDirectory(path);
  }
  int describePath(const std::string &path, struct stat &info) override {
    return fails("describePath") ? -injection.error
                                 : posix->describePath(path, info);
  }
  int openToRead(int directory, const std::string &name) override {
    return fails("openToRead") ? -injection.error
                               : posix->openToRead(directory, name);
  }
  int createToWrite(int directory, const std::string &name) override {
    return fails("createToWrite") ? -injection.error
                                  : posix->createToWrite(directory, name);
  }
  int describe(int file, struct stat &info) override {
    return fails("describe") ? -injection.error : posix->describe(file, info);
  }
  int describeAt(int directory, const std::string &name,
                 struct stat &info) override {
    return fails("describeAt") ? -injection.error
                               : posix->describeAt(directory, name, info);
  }
  ssize_t read(int file, void *data, size_t size) override {
    const bool failing = hit("read");
    if (failing && injection.error != Injection::kShortTransfer)
      return -injection.error;
    return posix->read(file, data, failing && size > 0 ? 1 : size);
  }
  ssize_t write(int file, const void *data, size_t size) override {
    const bool failing = hit("write");
    if (failing && injection.error != Injection::kShortTransfer)
      return -injection.error;
    return posix->write(file, data, failing && size > 0 ? 1 : size);
  }
  int sync(int) override { return fails("sync") ? -injection.error : 0; }
  int close(int file) override {
    int result = posix->close(file); // the descriptor is gone in any case
    return fails("close") ? -injection.error : result;
  }
  int rename(int directory, const std::string &from,
             const std::string &to) override {
    return fails("rename") ? -injection.error
                           : posix->rename(directory, from, to);
  }
  int remove(int directory, const std::string &name) override {
    return fails("remove") ? -injection.error : posix->remove(directory, name);
  }
  int list(int directory, std::vector<std::string> &names) override {
    return fails("list") ? -injection.error : posix->list(directory, names);
  }
  int64_t now() override { return clock; }
  uint64_t serial() override { return posix->serial(); }

private:
  bool hit(const char *call) {
    log.push_back(call);
    const int number = int(log.size());
    const bool failing =
        injection.atCall != 0 &&
        (injection.failing == Failing::once ? number == injection.atCall
                                            : number >= injection.atCall);
    fired |= failing;
    return failing;
  }
  bool fails(const char *call) {
    return hit(call) && injection.error != Injection::kShortTransfer;
  }

  const Injection injection;
  const std::shared_ptr<CacheFiles> posix = posixFiles();
};

/// A system that does not let us read any file.
class UnreadableFiles final : public FaultyFiles {
public:
  explicit UnreadableFiles(int error) : error(error) {}
  int openToRead(int, const std::string &) override { return -error; }

private:
  const int error;
};

/// A system in which there is no memory for what is read or written.
class NoMemoryForFiles final : public FaultyFiles {
public:
  ssize_t read(int, void *, size_t) override { throw std::bad_alloc(); }
  ssize_t write(int, const void *, size_t) override { throw std::bad_alloc(); }
};

} // namespace lintel::test
