// Writing a file whole or not at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "formats/OutputFile.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace lintel::tool {

namespace {

/// A file being written; removed again unless it was renamed.
class Temporary {
public:
  explicit Temporary(std::string target)
      : target(std::move(target)),
        path(this->target + ".lintel-" + std::to_string(::getpid()) + ".tmp") {}
  Temporary(const Temporary &) = delete;
  Temporary &operator=(const Temporary &) = delete;
  ~Temporary() {
    if (descriptor >= 0)
      ::close(descriptor);
    if (exists)
      ::unlink(path.c_str());
  }

  bool create() {
    descriptor =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    exists = descriptor >= 0;
    return exists;
  }

  bool write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR)
        continue;
      if (count < 0)
        return false;
      bytes = bytes.subspan(size_t(count));
    }
    return true;
  }

  bool commit() {
    if (::fsync(descriptor) != 0)
      return false;
    int closed = ::close(descriptor);
    descriptor = -1;
    if (closed != 0 || ::rename(path.c_str(), target.c_str()) != 0)
      return false;
    exists = false;
    return true;
  }

private:
  std::string target, path;
  int descriptor = -1;
  bool exists = false;
};

} // namespace

Status writeFile(const std::string &path,
                 const std::vector<std::span<const std::byte>> &parts) {
  std::string target = path;
  struct stat status;
  if (::stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode))
      return Error(ErrorCode::io,
                   path + ": not a regular file; name one to write");
    // A rename would replace a symbolic link instead of what it points to.
    std::error_code ignored;
    target = std::filesystem::canonical(path, ignored).string();
    if (ignored)
      target = path;
  }
  auto failure = [&](std::string_view what) {
    return Error(ErrorCode::io, path + ": " + std::string(what) + ": " +
                                    std::generic_category().message(errno));
  };
  Temporary temporary(target);
  if (!temporary.create())
    return failure("cannot create a file there");
  for (std::span<const std::byte> part : parts)
    if (!temporary.write(part))
      return failure("cannot write");
  if (!temporary.commit())
    return failure("cannot put the written file in place");
  return {};
}

} // namespace lintel::tool
