// Schedules that tests plan races of, and what they take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Tuning/MemoryBudget.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <vector>

namespace lintel::test {

/// One for each height.
inline std::vector<Schedule> tiles(std::vector<int64_t> heights) {
  std::vector<Schedule> schedules;
  for (int64_t mr : heights) {
    schedules.emplace_back();
    schedules.back().mr = mr;
  }
  return schedules;
}

/// Bytes of memory that are enough for any race.
inline constexpr int64_t kPlenty = int64_t(1) << 36;

/// What a race of one schedule takes on so many rows.
inline int64_t needOf(const Problem &problem, const Schedule &schedule,
                      int64_t rows = 1) {
  return MemoryNeed::of(problem).bytes(rows,
                                       packedBytes(problem, schedule.panel()));
}

} // namespace lintel::test
