// The file operations of the cache, as the operating system has them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/CacheFiles.h"

#include "Runtime/WriteSignals.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

namespace lintel {
namespace {

template <class Result> Result orError(Result result) {
  return result < 0 ? -errno : result;
}

struct CloseDirectory {
  void operator()(DIR *stream) const { ::closedir(stream); }
};

class PosixFiles final : public CacheFiles {
public:
  int openDirectory(const std::string &path) override {
    return orError(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
                                            O_NONBLOCK | O_CLOEXEC));
  }

  int makeDirectory(const std::string &path) override {
    if (::mkdir(path.c_str(), 0700) < 0)
      return -errno;
    // The umask may have taken even the owner's bits. Where a mode cannot be
    // changed, the one there is gets judged when the directory is opened.
    (void)::fchmodat(AT_FDCWD, path.c_str(), 0700, AT_SYMLINK_NOFOLLOW);
    return 0;
  }

  int describePath(const std::string &path, struct stat &info) override {
    return orError(::lstat(path.c_str(), &info));
  }

  int openToRead(int directory, const std::string &name) override {
    return orError(
        ::openat(directory, name.c_str(),
                 O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  }

  int createToWrite(int directory, const std::string &name) override {
    int file =
        ::openat(directory, name.c_str(),
                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
      return -errno;
    // As for a directory: undo the umask where that is possible.
    (void)::fchmod(file, 0600);
    return file;
  }

  int describe(int file, struct stat &info) override {
    return orError(::fstat(file, &info));
  }

  int describeAt(int directory, const std::string &name,
                 struct stat &info) override {
    return orError(
        ::fstatat(directory, name.c_str(), &info, AT_SYMLINK_NOFOLLOW));
  }

  ssize_t read(int file, void *data, size_t size) override {
    return orError(::read(file, data, size));
  }

  ssize_t write(int file, const void *data, size_t size) override {
    const WriteSignals taken;
    return orError(::write(file, data, size));
  }

  int sync(int file) override { return orError(::fsync(file)); }
  int close(int file) override { return orError(::close(file)); }

  int rename(int directory, const std::string &from,
             const std::string &to) override {
    return orError(::renameat(directory, from.c_str(), directory, to.c_str()));
  }

  int remove(int directory, const std::string &name) override {
    return orError(::unlinkat(directory, name.c_str(), 0));
  }

  int list(int directory, std::vector<std::string> &names) override {
    // A description of its own: readdir moves the offset.
    int again = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (again < 0)
      return -errno;
    // Closed even where there is no memory for a name.
    const std::unique_ptr<DIR, CloseDirectory> stream(::fdopendir(again));
    if (!stream) {
      int error = errno;
      ::close(again);
      return -error;
    }
    // readdir ends with null in both cases, and what is done with a name may
    // set errno as well.
    errno = 0;
    while (const dirent *item = ::readdir(stream.get())) {
      if (std::string_view name = item->d_name; name != "." && name != "..")
        names.emplace_back(name);
      errno = 0;
    }
    return -errno;
  }

  int64_t now() override {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }

  uint64_t serial() override {
    uint64_t number = 0;
    if (::getrandom(&number, sizeof(number), GRND_NONBLOCK) ==
        ssize_t(sizeof(number)))
      return number;
    // No entropy yet: exclusive creation still settles a clash.
    static std::atomic<uint64_t> count = 0;
    auto ticks =
        uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
    return (uint64_t(::getpid()) << 40) ^ (ticks << 8) ^ count.fetch_add(1);
  }
};

} // namespace

CacheFiles::~CacheFiles() = default;

std::shared_ptr<CacheFiles> posixFiles() {
  return std::make_shared<PosixFiles>();
}

} // namespace lintel
