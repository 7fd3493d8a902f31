// Asking for memory that another core has just written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace lintel {

inline constexpr size_t kLineBytes = 64;

/// Asks for the lines of `bytes` bytes from the line of `begin` on, all at once
/// instead of one after the other as each is read. They need not exist.
inline void fetchLines(const void *begin, size_t bytes) {
  for (size_t offset = 0; offset < bytes; offset += kLineBytes)
    __builtin_prefetch(static_cast<const char *>(begin) + offset);
}

} // namespace lintel
