// Asking for memory that another core has just written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"

#include <cstddef>
#include <cstdint>

namespace lintel {

inline constexpr size_t kLineBytes = Target::kLineBytes;

/// Asks for the lines of `bytes` bytes from the line of `begin` on, all at once
/// instead of one after the other as each is read. They need not exist.
inline void fetchLines(const void *begin, size_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(begin);
  for (size_t offset = 0; offset < bytes; offset += kLineBytes)
    __builtin_prefetch(reinterpret_cast<const void *>(address + offset));
}

} // namespace lintel
