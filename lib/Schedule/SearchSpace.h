// All schedules worth considering for a problem on a target.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <vector>

namespace lintel {

/// Success if `schedule` can be compiled for the problem on the target and run
/// right: nr a multiple of the vector length, mr*nv + nv + 1 registers at most,
/// block sizes and grid at least 1, workspace within bounds. The message names
/// the field and the legal range.
Status checkSchedule(const Schedule &schedule, const Problem &problem, const Target &target);

/// Rows M that the space is made for: the problem's, or 512 when it is dynamic.
int64_t planningRows(const Problem &problem);

/// Rows of the micro-kernels a schedule needs: strips are balanced, so a known M
/// needs one or two sizes, a dynamic M all of 1..mr. Descending.
std::vector<int64_t> stripSizes(int64_t mr, std::optional<int64_t> m);

/// Bytes of workspace one thread needs to run `schedule` on m rows.
int64_t workspaceBytesPerThread(const Schedule &schedule, const Problem &problem, int64_t m);

/// Every legal combination of register tile, packing, epilogue placement, block
/// sizes (the cache model's and their neighbours), loop orders and thread grids;
/// deterministic order, no duplicates.
std::vector<Schedule> enumerateSchedules(const Problem &problem, const Target &target,
                                         int threads);

} // namespace lintel
