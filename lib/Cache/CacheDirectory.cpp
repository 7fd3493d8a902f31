// The directory of the cache: made, opened and judged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/CacheDirectory.h"

#include <filesystem>

#include <unistd.h>

namespace lintel {
namespace {

Error refuse(const std::string &path, const std::string &reason) {
  return Error(ErrorCode::io, "cache directory '" + path + "' " + reason);
}

std::string octalMode(mode_t mode) {
  std::string text = "0000";
  for (size_t i = text.size(); i-- > 0; mode >>= 3)
    text[i] = char('0' + (mode & 7));
  return text;
}

std::string parentOf(const std::string &path) {
  const size_t end = path.find_last_not_of('/', path.rfind('/'));
  return end == std::string::npos ? "/" : path.substr(0, end + 1);
}

/// The error of a system call; of one that is not permitted with whose the
/// nearest directory is that can be looked at.
Error systemError(CacheFiles &files, const std::string &doing,
                  const std::string &path, int error) {
  const Error plain = ioError(doing + " cache directory '" + path + "'", error);
  if (error != EACCES && error != EPERM)
    return plain;
  std::string near = path;
  struct stat info;
  while (uninterrupted([&] { return files.describePath(near, info); }) < 0) {
    if (near == "/")
      return plain;
    near = parentOf(near);
  }
  if (info.st_uid == ::geteuid())
    return plain;
  return Error(plain.code(), plain.message() + "; '" + near +
                                 "' belongs to user " +
                                 std::to_string(info.st_uid));
}

/// Why opening `path` gave `error`, which alone would be riddles: "Not a
/// directory" is also what a symbolic link to a directory gets.
Error explainOpenFailure(CacheFiles &files, const std::string &path,
                         int error) {
  struct stat info;
  if (uninterrupted([&] { return files.describePath(path, info); }) == 0) {
    if (S_ISLNK(info.st_mode))
      return refuse(path, "is a symbolic link; name its target instead");
    if (!S_ISDIR(info.st_mode))
      return refuse(path, "is not a directory; remove it or name another");
  }
  return systemError(files, "cannot open", path, error);
}

Status judge(const struct stat &info, const std::string &path) {
  if (info.st_uid != ::geteuid())
    return refuse(path, "belongs to user " + std::to_string(info.st_uid) +
                            ", not to the effective user " +
                            std::to_string(::geteuid()) +
                            "; name a directory of your own");
  if (info.st_mode & (S_IWGRP | S_IWOTH)) {
    // A sticky directory, such as /tmp, is meant to be everybody's.
    const char *remedy = info.st_mode & S_ISVTX
                             ? "; name a directory of your own"
                             : "; chmod 700 it";
    return refuse(path, "has mode " + octalMode(info.st_mode & 07777) +
                            ", so others can put machine code into it" +
                            remedy);
  }
  return {};
}

Status makeEach(CacheFiles &files, const std::string &path) {
  int made = uninterrupted([&] { return files.makeDirectory(path); });
  if (made == -ENOENT) {
    // Only now look at the parents: those that are there may refuse a mkdir for
    // reasons of their own.
    const std::string parent = parentOf(path);
    if (parent == path)
      return ioError("cannot make cache directory '" + path + "'", ENOENT);
    if (Status parents = makeEach(files, parent); !parents)
      return parents;
    made = uninterrupted([&] { return files.makeDirectory(path); });
  }
  if (made < 0 && made != -EEXIST)
    return systemError(files, "cannot make", path, -made);
  return {};
}

} // namespace

Expected<std::string> absoluteDirectory(const std::string &path) {
  if (path.empty())
    return Error(ErrorCode::invalidArgument,
                 "the cache directory is empty; it must be a path");
  if (path.find('\0') != std::string::npos)
    return Error(ErrorCode::invalidArgument,
                 "the cache directory holds a NUL byte");
  std::error_code error;
  std::string absolute = std::filesystem::absolute(path, error).string();
  if (error)
    return ioError("cannot make cache directory '" + path + "' absolute",
                   error.value());
  while (absolute.size() > 1 &&
         (absolute.ends_with('/') || absolute.ends_with("/.")))
    absolute.pop_back();
  return absolute;
}

bool isMissing(CacheFiles &files, const std::string &path) {
  struct stat info;
  return uninterrupted([&] { return files.describePath(path, info); }) ==
         -ENOENT;
}

bool mayMakeBelow(uid_t owner, uid_t user, DirectoryOrigin origin) {
  return origin == DirectoryOrigin::named || user != 0 || owner == 0;
}

Status checkCanBeMade(CacheFiles &files, const std::string &path,
                      DirectoryOrigin origin) {
  std::string parent = parentOf(path);
  struct stat info;
  // Through links: what leads there is the user's own affair.
  for (int error; (error = uninterrupted([&] {
                     return files.describePath(parent + "/.", info);
                   })) < 0;
       parent = parentOf(parent)) {
    if (error != -ENOENT || parent == "/")
      return systemError(files, "cannot make", path, -error);
    if (!isMissing(files, parent))
      return refuse(path, "cannot be made: '" + parent +
                              "' is a symbolic link to nothing");
  }
  // HOME/.cache/lintel
  const std::string home = parentOf(parentOf(path));
  if (origin == DirectoryOrigin::home && parent.size() < home.size())
    return refuse(path, "is not made: there is no HOME '" + home +
                            "'; name one with LINTEL_CACHE_DIR");
  if (mayMakeBelow(info.st_uid, ::geteuid(), origin))
    return {};
  return refuse(path, "is not made: '" + parent + "' belongs to user " +
                          std::to_string(info.st_uid) +
                          ", whom a directory of root's would lock out; name "
                          "one with LINTEL_CACHE_DIR");
}

Status makeDirectories(CacheFiles &files, const std::string &path,
                       DirectoryOrigin origin) {
  if (Status can = checkCanBeMade(files, path, origin); !can)
    return can;
  return makeEach(files, path);
}

Expected<Descriptor> openCacheDirectory(CacheFiles &files,
                                        const std::string &path) {
  int number = uninterrupted([&] { return files.openDirectory(path); });
  if (number < 0)
    return explainOpenFailure(files, path, -number);
  Descriptor directory(files, number);
  struct stat info;
  if (int error = uninterrupted([&] { return files.describe(number, info); });
      error < 0)
    return ioError("cannot examine cache directory '" + path + "'", -error);
  if (Status judged = judge(info, path); !judged)
    return judged.error();
  return directory;
}

} // namespace lintel
