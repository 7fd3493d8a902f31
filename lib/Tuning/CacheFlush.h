// Makes memory cold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace lintel {

/// Removes `bytes` at `data` from every level of cache.
void flushFromCaches(const void *data, size_t bytes);

/// Reads `bytes` bytes at `data`, which brings them into the caches.
void bringIntoCaches(const void *data, size_t bytes);

} // namespace lintel
