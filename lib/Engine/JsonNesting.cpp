// How deep JSON text nests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/JsonNesting.h"

#include <cstddef>

namespace lintel {

bool nestsDeeperThan(int most, std::string_view json) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '{' || c == '['))
      ++depth;
    else if (!inString && (c == '}' || c == ']'))
      --depth;
    if (depth > most)
      return true;
  }
  return false;
}

} // namespace lintel
