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

/// Memory of arbitrary contents aligned to 64 bytes, for something too small
/// for huge pages of its own: it shares them with others. Reading it then takes
/// one entry of the TLB and not one every 4 KiB. Null when there is none.
/// Thread-safe, also in the child of a fork. What is returned is kept for the
/// next that asks.
void *takeFromSharedHugePages(size_t bytes);
void returnToSharedHugePages(void *memory, size_t bytes);

} // namespace lintel
