// The largest that a tensor can be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace lintel {

/// What a process on x86-64 can address.
inline constexpr int64_t kAddressSpaceBytes = int64_t(1) << 47;

} // namespace lintel
