// Schedules on vector registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <vector>

namespace lintel {

/// What is compiled in of the schedules on vectors that are worth considering:
/// tiles, packing, where a narrow weight is widened, and how it is asked for.
/// Blocks, loops and grids are at their defaults, but for `tiles=nm` where
/// panels are widened.
std::vector<Schedule> vectorVariants(const Problem &problem,
                                     const Target &target);

/// The `embed` of a schedule that is otherwise complete: as many rows as the
/// ports of loads have room for, where that pays.
int64_t rowsToEmbed(const Schedule &schedule, const DataTypes &types,
                    const Target &target);

} // namespace lintel
