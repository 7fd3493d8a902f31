// How fast the threads of an executor read memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "lintel/Error.h"
#include "lintel/Executor.h"

#include <cstdint>

namespace lintel::tool {

/// Gigabytes a second over a buffer that no cache of `target` holds; the best
/// of several passes.
Expected<double> measureReadBandwidth(Executor &executor, int32_t threads,
                                      const Target &target);

} // namespace lintel::tool
