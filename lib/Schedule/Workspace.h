// The memory that a thread works in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <cstdint>

namespace lintel {

/// The parts of the memory that a thread works in, in bytes, each in whole
/// cache lines; INT64_MAX where 64 bits cannot count them.
struct Workspace {
  int64_t accumulators = 0;
  int64_t panel = 0; ///< that is widened
  int64_t packedRows = 0;
  int64_t bytes() const; ///< of all
};

/// What one thread needs to run `schedule` on m rows, laid out as
/// [accumulators][widened panel][packed A].
///
/// A block has stripsPerBlock strips of mr rows and panelsPerBlock panels of nr
/// columns (Partition.h). Accumulators:
/// strips*mr x panels*nr floats when kc < K, whose sums wait there; else one
/// tile of mr x nr, two with `epilogue = next`, which kernels with the epilogue
/// on a tile or without mask registers use and others leave alone, and two
/// vectors more where vectors run along K. The panel, when `widen = panel`: the
/// depth of a block in whole groups x nr floats, or on tile registers in whole
/// cache lines x nr pairs of bf16. Packed A, when `pack = block`:
/// strips*mr x min(kc, K) activations, the depth in whole groups, or cache
/// lines on tile registers, of pairs of bf16 where f16 is split, or, widened,
/// strips*mr x
/// strideOfWidenedRows(min(kc, K)) of Schedule::typeOfRows; with `pack = whole`
/// all of K.
/// Nothing where threads share K, whose sums are not a thread's own
/// (partialFloats).
Workspace workspacePerThread(const Schedule &schedule, const Problem &problem,
                             const Target &target, int64_t m);
/// The same in all.
int64_t workspaceBytesPerThread(const Schedule &schedule,
                                const Problem &problem, const Target &target,
                                int64_t m);

} // namespace lintel
