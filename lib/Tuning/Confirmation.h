// The tries of a tuning at full size, one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Contest.h"

#include <cstddef>

namespace lintel {

/// Returns who is best on the whole, after a race on `raced`, a part of it. If
/// that is slower than its time on the slice promised, or wrong, the next most
/// promising are tried, too.
size_t confirm(Contest &contest, const Extent &raced, size_t winner);

} // namespace lintel
