// Which schedule suits a core better that another hyperthread works on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <optional>
#include <vector>

namespace lintel {

/// Whether races of so many threads say all there is to say of such cores:
/// other hyperthreads cost nothing that the estimate knows of, or some of the
/// cores always have one that works.
bool seesBusyCores(const Schedule &winner, const Target &target, int threads);

/// Of the schedules of `space` that use the winner's unit and share out work as
/// it does, the one that the estimate likes best beside another hyperthread;
/// none if it does not promise enough.
std::optional<Schedule> rivalOnBusyCore(const Schedule &winner,
                                        const std::vector<Schedule> &space,
                                        const Problem &problem,
                                        const Target &target, int threads);

/// How many times as long as a winner on that unit the rival may take in a
/// race, which may have seen a quiet moment.
double worthOnBusyCore(Unit unit);

} // namespace lintel
