// Files that the kernel writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fstream>
#include <locale>
#include <string>

namespace lintel {

/// Opens one, to be read as it was written, whatever the program's locale is:
/// one that groups digits by blanks takes "50000 100000" for one number.
inline std::ifstream openSystemFile(const std::string &path) {
  std::ifstream file;
  file.imbue(std::locale::classic());
  file.open(path);
  return file;
}

} // namespace lintel
