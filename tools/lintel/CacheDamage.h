// What is wrong with the kernels on disk.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/Cache.h"
#include "lintel/Error.h"

#include <string>
#include <vector>

namespace lintel::tool {

/// A message for each entry that is damaged, or whole but with a tuning record
/// that cannot be decoded: it would be a miss for ever.
Expected<std::vector<std::string>>
findDamage(Cache &cache, const std::vector<CacheListing> &listings);

} // namespace lintel::tool
