// Pieces of huge pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace lintel {

/// Memory of arbitrary contents aligned to 64 bytes, for something that would
/// waste much of huge pages of its own: it shares them with others. Reading it
/// then takes one entry of the TLB and not one every 4 KiB. Null when there is
/// none. Thread-safe, also in the child of a fork.
void *takeFromSharedHugePages(size_t bytes);
/// Keeps a piece for those who ask next; pages of which nothing is left in use
/// go back to the system.
void returnToSharedHugePages(void *memory, size_t bytes);

} // namespace lintel
