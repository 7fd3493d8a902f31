// A run that compares candidates with the oracle and times none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Contest.h"
#include "Tuning/Tuner.h"

#include <vector>

namespace lintel {

/// Returns the candidates of `schedules`, at least one, in their order.
Expected<std::vector<Candidate>>
runCheck(const Problem &problem, const std::vector<Schedule> &schedules,
         const TuningContext &context, const TuningOptions &options);

} // namespace lintel
