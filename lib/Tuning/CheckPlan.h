// On which rows each candidate of a check meets the oracle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lintel {

/// Candidates that are checked on the same inputs.
struct CheckRound {
  int64_t rows = 1;
  std::vector<size_t> schedules; ///< indices, ascending
};

struct CheckPlan {
  std::vector<CheckRound> rounds;
  /// One for each schedule: why it is in no round, or empty.
  std::vector<std::string> obstacles;
};

/// Plans a check of `schedules`, at least one, with `memory` bytes for a round.
/// Unlike a race, whose candidates all run on one slice of M, it has as many
/// rounds as it takes for every candidate to run each micro-kernel it has.
/// Quick problems are checked on all rows. An error if the memory does not
/// suffice for a single candidate.
Expected<CheckPlan> planCheck(const Problem &problem,
                              const std::vector<Schedule> &schedules,
                              double predictedMicroseconds, int64_t memory);

} // namespace lintel
