// Who takes the place of a winner that was wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/FirstRight.h"

namespace lintel {

std::optional<size_t> firstRight(const std::vector<size_t> &candidates,
                                 const std::function<Trial(size_t)> &tryOne,
                                 const std::function<bool()> &stop) {
  for (size_t candidate : candidates) {
    if (stop())
      break;
    if (tryOne(candidate) == Trial::right)
      return candidate;
  }
  return std::nullopt;
}

} // namespace lintel
