// Where the cache is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/Cache.h"
#include "Runtime/Environment.h"

#include <string>

namespace lintel {

struct CacheLocation {
  std::string directory; ///< "": none is known
  DirectoryOrigin origin = DirectoryOrigin::named;
};

/// What the environment says.
CacheLocation cacheLocation(const Environment &environment);

} // namespace lintel
