// Writing a file whole or not at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lintel::tool {

/// Success if writeFile() could begin, and nothing is known that keeps an older
/// file in its place: makes the temporary file and removes it.
Status checkCanBeWritten(const std::string &path);

/// Writes the parts, one after the other, to a temporary file beside `path` and
/// renames it; a file that was there hands down its mode. Where `path` is a
/// symbolic link, that stays, and what it leads to is written. On failure
/// nothing is left behind and an older file stays as it was. Refuses to replace
/// anything but a regular file, and a file that no rename can replace.
Status writeFile(const std::string &path,
                 const std::vector<std::span<const std::byte>> &parts);

} // namespace lintel::tool
