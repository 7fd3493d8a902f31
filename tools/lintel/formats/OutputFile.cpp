// Writing a file whole or not at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "formats/OutputFile.h"

#include "Runtime/WholeWrite.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace lintel::tool {

namespace {

/// A file being written; removed again unless it was renamed.
class Temporary {
public:
  explicit Temporary(std::string target) : target(std::move(target)) {}
  Temporary(const Temporary &) = delete;
  Temporary &operator=(const Temporary &) = delete;
  ~Temporary() {
    if (descriptor >= 0)
      ::close(descriptor);
    remove();
  }

  /// With the mode of the file that is replaced, or that of any new file. A
  /// killed run leaves its temporary behind, and in a container the next one
  /// may have its process id; whose it is nobody knows, so names are tried.
  bool create(std::optional<mode_t> mode) {
    constexpr int kNames = 100;
    // Of a name of its own: that of the target may be as long as names can be.
    const std::string stem = target.substr(0, target.rfind('/') + 1) +
                             ".lintel-" + std::to_string(::getpid());
    for (int i = 1; i <= kNames; ++i) {
      path = stem + (i == 1 ? "" : "-" + std::to_string(i)) + ".tmp";
      // Never with more permissions than the older file.
      descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                          mode.value_or(0666));
      if (descriptor >= 0 || errno != EEXIST)
        break;
    }
    exists = descriptor >= 0;
    return exists && (!mode || takeMode(*mode));
  }

  const std::string &name() const { return path; }

  bool write(std::span<const std::byte> bytes) {
    const int error = writeWhole(descriptor, bytes);
    errno = -error;
    return error == 0;
  }

  bool remove() {
    if (exists && ::unlink(path.c_str()) != 0)
      return false;
    exists = false;
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
  /// What the umask took away is given back: it is for new files. Where a file
  /// system refuses, the file keeps fewer permissions than the older one.
  bool takeMode(mode_t mode) {
    return ::fchmod(descriptor, mode) == 0 || errno == EPERM ||
           errno == ENOTSUP;
  }

  std::string target, path;
  int descriptor = -1;
  bool exists = false;
};

/// What a path stands for.
struct Target {
  std::string path;
  std::optional<mode_t> mode; ///< of the file that is there
};

/// The file that symbolic links lead to, which need not be there.
std::filesystem::path behindLinks(std::filesystem::path path) {
  constexpr int kMostLinks = 40; // as many as the system follows
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code fault;
    const std::filesystem::path next =
        std::filesystem::read_symlink(path, fault);
    if (fault)
      break;
    path = path.parent_path() / next;
  }
  return path;
}

/// Whether a sticky folder, such as /tmp, keeps the file for others.
bool isKeptForOthers(const std::filesystem::path &file,
                     const struct stat &status) {
  struct stat folder;
  const uid_t user = ::geteuid();
  return ::stat(file.parent_path().c_str(), &folder) == 0 &&
         (folder.st_mode & S_ISVTX) != 0 && user != 0 &&
         user != status.st_uid && user != folder.st_uid;
}

/// Why no rename can put another in the place of a file that is there; or "".
/// Only the rename would say so, at the end, and less.
std::string whyItStays(const std::filesystem::path &file,
                       const struct stat &status) {
  struct statx known = {}; // as much as the system tells
  (void)::statx(AT_FDCWD, file.c_str(), 0, 0, &known);
  if ((known.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0)
    return "is a mount point, in whose place no file can be put";
  if ((known.stx_attributes & STATX_ATTR_IMMUTABLE) != 0)
    return "is immutable (chattr +i)";
  if ((known.stx_attributes & STATX_ATTR_APPEND) != 0)
    return "can only be appended to (chattr +a)";
  return isKeptForOthers(file, status)
             ? "is another user's, in a sticky folder, where only its owner "
               "may replace it"
             : "";
}

/// Of a path that leads to a file.
Expected<Target> targetThatIsThere(const std::string &path,
                                   const struct stat &status) {
  if (!S_ISREG(status.st_mode))
    return Error(ErrorCode::io,
                 path + ": not a regular file; name one to write");
  // A rename would replace a symbolic link instead of what it points to. Below
  // /proc links lead to files without names, too.
  std::error_code fault;
  const std::filesystem::path file = std::filesystem::canonical(path, fault);
  if (fault)
    return Error(ErrorCode::io, path + ": leads to a file without a name (" +
                                    fault.message() +
                                    "); name another file to write");
  if (const std::string why = whyItStays(file, status); !why.empty())
    return Error(ErrorCode::io,
                 path + ": " + why + "; name another file to write");
  return Target{file.string(), status.st_mode & 0777};
}

Expected<Target> targetOf(const std::string &path) {
  if (path.empty())
    return Error(ErrorCode::io, "the name of a file to write is empty");
  struct stat status;
  if (::stat(path.c_str(), &status) == 0)
    return targetThatIsThere(path, status);
  // The temporary file has a name of its own, so that only the end would show
  // it.
  const int fault = errno;
  if (fault == ELOOP || fault == ENAMETOOLONG)
    return Error(ErrorCode::io,
                 path + ": " + std::generic_category().message(fault) +
                     (fault == ELOOP ? "; name a file to write"
                                     : "; name a shorter one to write"));
  return Target{behindLinks(path).string(), std::nullopt};
}

/// Of the system, about the temporary file of `path`.
Error failureOf(const std::string &path, std::string_view what,
                const Temporary &temporary) {
  return Error(ErrorCode::io, path + ": " + std::string(what) + " " +
                                  temporary.name() + ": " +
                                  std::generic_category().message(errno));
}

Status create(Temporary &temporary, const std::string &path,
              const Target &target) {
  if (!temporary.create(target.mode))
    return failureOf(path, "cannot create the temporary file", temporary);
  return {};
}

} // namespace

Status checkCanBeWritten(const std::string &path) {
  Expected<Target> target = targetOf(path);
  if (!target)
    return target.error();
  Temporary temporary(target->path);
  if (Status created = create(temporary, path, *target); !created)
    return created;
  // Nor could it be renamed, as in a folder that can only be appended to.
  if (!temporary.remove())
    return failureOf(path, "cannot remove the temporary file", temporary);
  return {};
}

Status writeFile(const std::string &path,
                 const std::vector<std::span<const std::byte>> &parts) {
  Expected<Target> target = targetOf(path);
  if (!target)
    return target.error();
  Temporary temporary(target->path);
  if (Status status = create(temporary, path, *target); !status)
    return status;
  for (std::span<const std::byte> part : parts)
    if (!temporary.write(part))
      return failureOf(path, "cannot write the temporary file", temporary);
  if (!temporary.commit())
    return failureOf(path, "cannot put in place the temporary file", temporary);
  return {};
}

} // namespace lintel::tool
