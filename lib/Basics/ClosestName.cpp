// Which name was meant by one that is unknown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Basics/ClosestName.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace lintel {

/// Levenshtein's distance, where neighbours that changed places count once, a
/// row of the table at a time.
static size_t distance(std::string_view from, std::string_view to) {
  std::vector<size_t> beforeLast(to.size() + 1), last = beforeLast,
                                                 row = beforeLast;
  std::iota(last.begin(), last.end(), size_t(0));
  for (size_t i = 0; i < from.size(); ++i) {
    row[0] = i + 1;
    for (size_t j = 0; j < to.size(); ++j) {
      const size_t changed = last[j] + (from[i] == to[j] ? 0 : 1);
      row[j + 1] = std::min({changed, row[j] + 1, last[j + 1] + 1});
      if (i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j])
        row[j + 1] = std::min(row[j + 1], beforeLast[j - 1] + 1);
    }
    std::swap(beforeLast, last);
    std::swap(last, row);
  }
  return last.back();
}

std::string_view closestName(std::string_view name,
                             std::span<const std::string_view> known,
                             size_t prefix) {
  std::string_view closest;
  // A wild name is no misspelling, and would take long to compare.
  constexpr size_t kLongestName = 100;
  if (name.size() > kLongestName)
    return closest;
  size_t least = (name.size() - prefix) / 3 + 1;
  for (std::string_view candidate : known)
    if (const size_t found = distance(name, candidate); found < least) {
      least = found;
      closest = candidate;
    }
  return closest;
}

} // namespace lintel
