// Which schedules may bring a tuning to stream its outputs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"

namespace lintel {

/// Whether a streaming twin of `other` may race the winner, which has none: if
/// it shares out work in the same way, among no more of so many threads. The
/// race that dealt chunks or fewer threads won is not held again.
bool mayStandIn(const Schedule &other, const Schedule &winner, int threads);

} // namespace lintel
