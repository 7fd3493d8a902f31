// The directory of the cache: made, opened and judged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/Cache.h"
#include "Cache/FileAccess.h"
#include "lintel/Error.h"

#include <string>

namespace lintel {

/// `path` made absolute and without trailing slashes, which would let a
/// symbolic link through. Refuses an empty path and one with a NUL byte.
Expected<std::string> absoluteDirectory(const std::string &path);

/// Whether there is nothing called `path`, not even a link to nothing.
bool isMissing(CacheFiles &files, const std::string &path);

/// Whether `user` may make a directory below one of `owner`. Root may not make
/// one that nobody named below another user's, as `sudo` has it that keeps
/// HOME: it belongs to root, and locks that user out. Otherwise the system says
/// where who may.
bool mayMakeBelow(uid_t owner, uid_t user, DirectoryOrigin origin);

/// Why `path`, which is absolute and missing, is not to be made, by the nearest
/// of its parents that is there.
Status checkCanBeMade(CacheFiles &files, const std::string &path,
                      DirectoryOrigin origin);

/// Makes `path`, if checkCanBeMade() lets it, and the parents it lacks, each
/// 0700. What is there already is left as it is, whatever it is:
/// openCacheDirectory judges.
Status makeDirectories(CacheFiles &files, const std::string &path,
                       DirectoryOrigin origin);

/// Opens a directory that may hold machine code: a directory and no link to
/// one, of the effective user, and writable by nobody else. The message says
/// which of these fails and what to do.
Expected<Descriptor> openCacheDirectory(CacheFiles &files,
                                        const std::string &path);

} // namespace lintel
