// The directory of the cache: made, opened and judged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/FileAccess.h"
#include "lintel/Error.h"

#include <string>

namespace lintel {

/// `path` made absolute and without trailing slashes, which would let a
/// symbolic link through. Refuses an empty path and one with a NUL byte.
Expected<std::string> absoluteDirectory(const std::string &path);

/// Makes `path`, which is absolute, and the parents it lacks, each 0700. What
/// is there already is left as it is, whatever it is: openCacheDirectory
/// judges.
Status makeDirectories(CacheFiles &files, const std::string &path);

/// Opens a directory that may hold machine code: a directory and no link to
/// one, of the effective user, and writable by nobody else. The message says
/// which of these fails and what to do.
Expected<Descriptor> openCacheDirectory(CacheFiles &files,
                                        const std::string &path);

} // namespace lintel
