// The file operations of the cache: the seam where tests inject failures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <sys/types.h>

namespace lintel {

/// One member a system call, more or less. Each returns what the call returns,
/// or -errno; none retries and none follows a symbolic link in the last
/// component.
class CacheFiles {
public:
  virtual ~CacheFiles();

  /// A descriptor of the directory `path`.
  virtual int openDirectory(const std::string &path) = 0;
  /// 0700 whatever the umask says. Its parent must be there.
  virtual int makeDirectory(const std::string &path) = 0;
  virtual int describePath(const std::string &path, struct stat &info) = 0;

  /// Never blocks, whatever kind of file `name` is.
  virtual int openToRead(int directory, const std::string &name) = 0;
  /// A new file, 0600 whatever the umask says; -EEXIST if the name is taken.
  virtual int createToWrite(int directory, const std::string &name) = 0;
  virtual int describe(int file, struct stat &info) = 0;
  virtual int describeAt(int directory, const std::string &name,
                         struct stat &info) = 0;
  virtual ssize_t read(int file, void *data, size_t size) = 0;
  virtual ssize_t write(int file, const void *data, size_t size) = 0;
  /// Of a file or of a directory.
  virtual int sync(int file) = 0;
  /// The descriptor is gone even if this fails.
  virtual int close(int file) = 0;
  virtual int rename(int directory, const std::string &from,
                     const std::string &to) = 0;
  virtual int remove(int directory, const std::string &name) = 0;
  /// The names in the directory, in no order, without "." and "..".
  virtual int list(int directory, std::vector<std::string> &names) = 0;

  /// Wall clock, in seconds since 1970.
  virtual int64_t now() = 0;
  /// A number that other calls, processes and hosts are unlikely to get.
  virtual uint64_t serial() = 0;
};

/// The operating system's.
std::shared_ptr<CacheFiles> posixFiles();

} // namespace lintel
