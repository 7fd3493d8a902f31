// Where the cache is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/CacheLocation.h"

namespace lintel {

CacheLocation cacheLocation(const Environment &environment) {
  return {cacheDirectory(environment), environment.cacheDirectory
                                           ? DirectoryOrigin::named
                                           : DirectoryOrigin::home};
}

} // namespace lintel
