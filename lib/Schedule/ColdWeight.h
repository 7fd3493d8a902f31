// When a call finds its weight in no cache of the core's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <cstdint>

namespace lintel {

/// Up to this many rows a call is bound by reading the weight, and the layers
/// of a model follow each other fast.
inline constexpr int64_t kStreamingRows = 32;

/// Of the weight as it is, unpacked: at most 2^47, or it were no problem.
int64_t weightBytes(const Problem &problem);

/// Of one column of it.
int64_t weightColumnBytes(const Problem &problem);

/// Whether a call with so many rows finds the weight beyond L2, since only one
/// that fits L1 may still be near after the layers between two calls. With more
/// rows than kStreamingRows never: what a call touches decides.
bool streamsColdWeight(const Problem &problem, int64_t rows,
                       const Target &target);

} // namespace lintel
