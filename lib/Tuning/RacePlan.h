// What of a problem fits into a race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lintel {

/// Who takes part in a race, and on how many rows.
struct RacePlan {
  int64_t rows = 1;
  /// One for each schedule: why it cannot take part, or empty.
  std::vector<std::string> obstacles;
};

/// Plans a race of `schedules` in `memory` bytes. Calls predicted to take long
/// are raced on a slice of M; schedules whose panel width would need a packed
/// weight too many stay out. An error if the memory does not suffice for one of
/// them.
Expected<RacePlan> planRace(const Problem &problem,
                            const std::vector<Schedule> &schedules,
                            double predictedMicroseconds, int64_t memory);

} // namespace lintel
