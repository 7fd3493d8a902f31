// The estimate of a schedule that is written down.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Schedule/Ranking.h"
#include "unit/Schedule/TestTargets.h"

namespace lintel {

inline double predicted(std::string_view schedule, std::string_view problem,
                        const Target &target, int threads) {
  return predictMicroseconds(Schedule::parse(schedule).value(),
                             problemOf(problem), target, threads);
}

} // namespace lintel
