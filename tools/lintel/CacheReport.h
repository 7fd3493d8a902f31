// Entries of the cache as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/Cache.h"

#include <string>

namespace lintel::tool {

/// A line of `lintel cache ls --json`: the file, the layer and the choice.
std::string listingJson(const CacheListing &listing);

/// `lintel cache show --json`: that, with the features that the kernel needs,
/// its tuning record as it stands there, and the text of its key.
std::string entryJson(const CacheListing &listing);

} // namespace lintel::tool
