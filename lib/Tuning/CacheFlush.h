// Makes memory cold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"
#include "lintel/Executor.h"

#include <cstddef>
#include <cstdint>

namespace lintel {

/// Removes `bytes` at `data` from every level of cache.
void flushFromCaches(const void *data, size_t bytes);

/// The same, on at most `threads` threads of the executor. Fails where that
/// does not run each part once.
Status flushFromCaches(const void *data, size_t bytes, Executor &executor,
                       int32_t threads);

/// Reads `bytes` bytes at `data`, which brings them into the caches.
void bringIntoCaches(const void *data, size_t bytes);

} // namespace lintel
