// One problem on its way to a winner.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Contest.h"
#include "Tuning/Tuner.h"

#include <vector>

namespace lintel {

/// Races `schedules`, at least one, and what the winner leads to: its
/// neighbours (Exploration), the whole problem where the race had a part of it
/// (Confirmation), and what races cannot judge (LastChoices).
Expected<TuningResult> runTuning(const Problem &problem,
                                 const std::vector<Schedule> &schedules,
                                 const TuningContext &context,
                                 const TuningOptions &options);

} // namespace lintel
