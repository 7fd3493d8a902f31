// Schedules on the tile registers of AMX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <vector>

namespace lintel {

/// The factor that the inner loop over tiles goes through, while a tile of the
/// other one stays: what the hint is for.
StreamHint passingFactor(const Schedule &schedule);

/// Success if the tile registers of `target` can compute `schedule`, of unit
/// amx. The message names the field and what it takes.
Status checkAmxTile(const Schedule &schedule, const Problem &problem,
                    const Target &target);

/// Tile, packing and hint of every kernel on tile registers worth considering;
/// none where the target cannot multiply such tiles.
std::vector<Schedule> amxVariants(const Problem &problem, const Target &target);

/// Cycles of one element of K for a tile of `rows` rows whose factors are in
/// the caches.
double amxCyclesPerK(const Schedule &schedule, DType weight, double rows);

} // namespace lintel
