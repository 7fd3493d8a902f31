// What is wrong with the kernels and peaks on disk.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/Cache.h"
#include "lintel/Error.h"

#include <string>
#include <vector>

namespace lintel::tool {

/// A message for each file that is of no use.
struct CacheDamage {
  /// Also whole entries with a tuning record that cannot be decoded: they would
  /// be misses for ever.
  std::vector<std::string> damaged;
  /// That the system would not let us read: of their content nothing is known.
  std::vector<std::string> unreadable;
  /// Written by another version of Lintel, which may have a use for them.
  size_t ofOtherVersions = 0;
  std::vector<std::string> peaksOfOtherVersions; ///< those of them
  size_t movedAside = 0; ///< when they were looked for; told, and no damage
  bool hasDamagedEntry = false; ///< not only damaged peaks

  /// Files of other versions are as they should be, and nobody finds what was
  /// moved aside.
  bool isEmpty() const { return damaged.empty() && unreadable.empty(); }
  /// "1 damaged, 2 unreadable, 3 of another version, 4 moved aside", but for
  /// what there is none of.
  std::string counts() const;
};

/// `entries` are those of the cache.
Expected<CacheDamage> findDamage(Cache &cache, const CacheSurvey &entries);

} // namespace lintel::tool
