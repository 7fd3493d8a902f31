// Where a prefetched line goes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lintel {

/// Locality hints of memref.prefetch: `prefetcht0`; `prefetcht1`, which leaves
/// L1 to what is in use; and `prefetcht2`, which on Emerald Rapids brings lines
/// to L2 as well, and delays products on tiles less (docs/performance.md).
inline constexpr unsigned kToL1 = 3;
inline constexpr unsigned kToL2 = 2;
inline constexpr unsigned kToL2Unhurried = 1;

} // namespace lintel
