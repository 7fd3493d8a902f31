// How often a call reads its weight from memory, and in how many chunks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "Tuning/ThreadsChoice.h"
#include "lintel/Problem.h"

#include <cstdint>

namespace lintel {

/// How often a call reads each column of the weight, from wherever it is: once
/// for each range of rows that threads share out.
int64_t readsOfWeight(const Schedule &schedule, const Problem &problem);
/// The same of a weight that a call finds cold; 1 of others, which are near.
int64_t coldReadsOfWeight(const Schedule &schedule, const Problem &problem,
                          const Target &target);
/// Whether `candidate` reads a cold weight less often than the winner, on no
/// more of so many threads, the others being left to others, and was so little
/// slower that it may serve as well.
bool mayReadLess(const TimedSchedule &candidate, const TimedSchedule &winner,
                 const Problem &problem, const Target &target, int threads);

} // namespace lintel
