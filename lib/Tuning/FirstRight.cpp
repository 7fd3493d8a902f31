// Who takes the place of a winner that was wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/FirstRight.h"

namespace lintel {

std::optional<size_t> firstRight(const std::vector<size_t> &candidates,
                                 const std::function<Trial(size_t)> &tryOne) {
  for (size_t candidate : candidates)
    switch (tryOne(candidate)) {
    case Trial::right:
      return candidate;
    case Trial::interrupted:
      return std::nullopt;
    case Trial::wrong:
    case Trial::impossible:
      break;
    }
  return std::nullopt;
}

} // namespace lintel
