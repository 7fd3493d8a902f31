// Where the cache is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/CacheLocation.h"

namespace lintel {

static DirectoryOrigin originOf(const Environment &environment) {
  if (environment.cacheDirectory)
    return DirectoryOrigin::named;
  return environment.xdgCacheHome.empty() ? DirectoryOrigin::home
                                          : DirectoryOrigin::xdgCacheHome;
}

CacheLocation cacheLocation(const Environment &environment) {
  return {cacheDirectory(environment), originOf(environment)};
}

} // namespace lintel
