// Loops that measure what the machine gives, to put kernels in proportion.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"

#include <cstddef>
#include <cstdint>

namespace lintel {

/// Runs `iterations` rounds of independent fused multiply-adds (multiply and
/// add on x86-64) in registers on the calling thread; returns the
/// floating-point operations done. The caller takes the time and makes sure
/// that the machine can run `isa`.
int64_t runFmaLoop(IsaLevel isa, int64_t iterations);

/// Reads `bytes` (a multiple of 256) at `data` once with vector loads.
/// Returns a value that depends on the data, so that nothing is optimised away.
float runReadLoop(IsaLevel isa, const void *data, size_t bytes);

} // namespace lintel
