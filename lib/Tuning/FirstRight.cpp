// Who takes the place of a winner that was wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/FirstRight.h"

namespace lintel {

std::optional<size_t> firstRight(const std::vector<size_t> &candidates,
                                 const std::function<bool(size_t)> &isRight,
                                 const std::function<bool()> &stop) {
  for (size_t candidate : candidates) {
    if (stop())
      break;
    if (isRight(candidate))
      return candidate;
  }
  return std::nullopt;
}

} // namespace lintel
