// The cache of a new engine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Engine/EngineImpl.h"
#include "Runtime/Environment.h"

#include <string>

namespace lintel {

/// Makes the cache ready, or says in cacheProblem why kernels will live in
/// memory only. A directory that fails now is asked again by each compilation.
void openCache(Engine::Impl &impl, const EngineOptions &options,
               const Environment &environment);

/// Of a process. One with raised privileges does not heed its environment.
enum class Privileges { plain, raised };

/// Why no directory of a cache is known.
std::string whyNoDirectory(Privileges privileges);

} // namespace lintel
