// Which schedules a winner may meet at the end of a tuning: to stream outputs,
// or for busy cores.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

namespace lintel {

/// Whether `other`, or a twin of it that streams, may race the winner: if it
/// shares out work in the same way, among no more of so many threads, deals out
/// no fewer chunks, and reads a cold weight no more often. The races in which
/// that was decided are not held again.
bool mayStandIn(const Schedule &other, const Schedule &winner,
                const Problem &problem, const Target &target, int threads);

} // namespace lintel
