// Memory on huge pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace lintel {

/// Bytes of a huge page on x86-64.
inline constexpr size_t kHugePage = size_t(2) << 20;

/// Zero-filled memory aligned to 2 MiB, with huge pages requested; null when
/// there is none. `bytes` at most PTRDIFF_MAX - 4 MiB.
void *mapHugePages(size_t bytes);
void unmapHugePages(void *memory, size_t bytes);

} // namespace lintel
