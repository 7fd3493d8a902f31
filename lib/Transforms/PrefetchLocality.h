// Where a prefetched line goes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lintel {

/// Locality hints of memref.prefetch: `prefetcht0`, and `prefetcht1`, which
/// leaves L1 to what is in use.
inline constexpr unsigned kToL1 = 3;
inline constexpr unsigned kToL2 = 2;

} // namespace lintel
