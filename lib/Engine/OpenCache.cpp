// The cache of a new engine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/OpenCache.h"

#include "Cache/CacheLocation.h"
#include "Runtime/Log.h"

#include <utility>

#include <sys/auxv.h>

namespace lintel {

std::string whyNoDirectory(Privileges privileges) {
  if (privileges == Privileges::raised)
    return "no directory is known: a process with raised privileges ignores "
           "its environment; name one with EngineOptions::cacheDirectory "
           "(cache_directory in C)";
  return "no directory is known: neither LINTEL_CACHE_DIR nor XDG_CACHE_HOME "
         "nor HOME is set to an absolute path";
}

void openCache(Engine::Impl &impl, const EngineOptions &options,
               const Environment &environment) {
  const CacheLocation location = options.cacheDirectory
                                     ? CacheLocation{*options.cacheDirectory}
                                     : cacheLocation(environment);
  impl.cacheDirectory = location.directory;
  if (!options.useCache) {
    impl.cacheProblem = "switched off by the caller";
    return;
  }
  if (impl.cacheDirectory.empty()) {
    impl.cacheProblem = whyNoDirectory(
        ::getauxval(AT_SECURE) ? Privileges::raised : Privileges::plain);
  } else if (Expected<std::unique_ptr<Cache>> cache =
                 Cache::at(location.directory, location.origin)) {
    impl.cache = std::move(*cache);
    if (Status prepared = impl.cache->prepare(); !prepared)
      impl.cacheProblem = prepared.error().message();
  } else {
    impl.cacheProblem = cache.error().message();
  }
  if (!impl.cacheProblem.empty())
    logMessage(LogLevel::warn, "kernels are kept in memory only: {}",
               impl.cacheProblem);
}

} // namespace lintel
