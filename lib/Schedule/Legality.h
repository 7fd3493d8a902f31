// Which schedules can be compiled and run right.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

namespace lintel {

/// Success if `schedule` can be compiled for the problem on the target and run
/// right: a unit that the target has, sums of f16 where the layer permits them
/// and the target has them, the group of the weight's type or of dot products,
/// nr a multiple of the vector length, and of a cache line where outputs are
/// streamed, a tile that fits the registers (registersOfTile), panels widened
/// where products take them in f32 from rows that are widened too, block sizes
/// and grid at least 1, kc in whole groups, workspace and the sums of slices of
/// K within bounds. The message names the field and gives the legal range;
/// which schedule is meant is the caller's to say.
Status checkSchedule(const Schedule &schedule, const Problem &problem,
                     const Target &target);

} // namespace lintel
