// Which schedule suits a core better that another hyperthread works on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <optional>
#include <vector>

namespace lintel {

/// Whether a race on so many threads tells all that there is of busy cores:
/// other hyperthreads cost nothing that the estimate knows of, or some of the
/// cores that the winner takes always have one that works.
bool raceTellsAll(const Schedule &winner, const Problem &problem,
                  const Target &target, int threads);

/// Of the schedules of `space` that use the winner's unit, share out work as it
/// does and in as many chunks, the one that the estimate likes best beside
/// another hyperthread; none if it does not promise 3 %. On vectors only those
/// that embed rows, take K whole and keep their packed rows in L2.
std::optional<Schedule> rivalOnBusyCore(const Schedule &winner,
                                        const std::vector<Schedule> &space,
                                        const Problem &problem,
                                        const Target &target, int threads);

/// How many times as long as a winner on that unit the rival may take in a
/// race, which may have seen a quiet moment.
double worthOnBusyCore(Unit unit);

} // namespace lintel
