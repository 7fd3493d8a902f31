// Schedules close to a good one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lintel {

/// At most `count` legal schedules that differ from `schedule` in one field
/// other than the tile, and in what goes with it: the order of loops with
/// `share`, `embed` with how rows and panels are read. In each field the values
/// that schedules of `space` with the same tile have. None that would deal out
/// dynamically no more chunks than there are threads. The predicted fastest
/// first.
std::vector<Schedule> neighboursOf(const Schedule &schedule,
                                   const std::vector<Schedule> &space,
                                   const Problem &problem, const Target &target,
                                   int threads, size_t count);

/// `schedule` on the tile of another one of its unit, whose block sizes it
/// takes. Strips that ask for the next panel share that out anew; a lone one on
/// vectors asks for none. None where that is not legal, or where the loops
/// leave strips nothing to share out.
std::optional<Schedule> onTileOf(const Schedule &other,
                                 const Schedule &schedule,
                                 const Problem &problem, const Target &target);

} // namespace lintel
