// The k loop of a tile of dot products.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"

namespace lintel::ir {

/// Replaces a lintel.microkernel whose schedule lets vectors run along K: each
/// accumulator gathers partial sums of one output, and a tree of shuffles adds
/// up the lanes of a vector's worth of accumulators at once. The finished sums
/// go to `acc`, rows side by side.
void lowerDotMicrokernel(MicrokernelOp op);

} // namespace lintel::ir
