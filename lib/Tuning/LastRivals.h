// Which schedules a winner may meet at the end of a tuning: to stream outputs,
// or to embed rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"

namespace lintel {

/// Whether `other`, or a twin of it that streams, may race the winner: if it
/// shares out work in the same way, among no more of so many threads. The race
/// that dealt chunks or fewer threads won is not held again.
bool mayStandIn(const Schedule &other, const Schedule &winner, int threads);

} // namespace lintel
