// On how many rows schedules can meet at the end of a tuning.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <vector>

namespace lintel {

/// About that share of a problem's rows, on which all of the schedules run
/// within the memory there is; 0 if there are no such.
int64_t rowsForAll(const Problem &problem,
                   const std::vector<Schedule> &schedules, double share);

/// All rows of a problem, if a call of so many microseconds on them is not too
/// long on so many threads, if they do not exceed the caches by far, and if
/// memory allows; 0 if not even one fits.
int64_t affordableRows(const Problem &problem,
                       const std::vector<Schedule> &schedules,
                       const Target &target, int threads, double microseconds);

} // namespace lintel
