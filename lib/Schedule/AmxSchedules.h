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

/// Bytes of the next panel that each step of the k loop asks for, so that the
/// `strips` strips of a block together ask for all of it.
int64_t nextPanelPrefetch(int64_t nr, int64_t strips);

/// Success if the tile registers of `target` can compute `schedule`, of unit
/// amx. The message names the field and what it takes.
Status checkAmxTile(const Schedule &schedule, const Problem &problem,
                    const Target &target);

/// Tile, packing and hint of every kernel on tile registers worth considering
/// for so many threads; none where the target cannot multiply such tiles.
std::vector<Schedule> amxVariants(const Problem &problem, const Target &target,
                                  int threads);

/// Which factors a tile finds in L1; the others come from L2.
struct FactorsInL1 {
  bool a = false, b = false;
};

/// Cycles of one element of K for a tile of `rows` rows, where `busyCores` of
/// all cores (0 to 1) have a hyperthread that works for somebody else.
double amxCyclesPerK(const Schedule &schedule, DType weight, double rows,
                     FactorsInL1 inL1, double busyCores);

} // namespace lintel
