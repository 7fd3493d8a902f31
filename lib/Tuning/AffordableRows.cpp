// On how many rows schedules can meet at the end of a tuning.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/AffordableRows.h"

#include "Tuning/MemoryBudget.h"
#include "Tuning/RacePlan.h"

#include <algorithm>
#include <string>

namespace lintel {

int64_t rowsForAll(const Problem &problem,
                   const std::vector<Schedule> &schedules, double share) {
  Expected<RowPlan> plan = planRows(problem, schedules, share, usableMemory());
  const bool allFit =
      plan && std::ranges::all_of(plan->obstacles, &std::string::empty);
  return allFit ? plan->rows : 0;
}

int64_t affordableRows(const Problem &problem,
                       const std::vector<Schedule> &schedules,
                       const Target &target, int threads, double microseconds) {
  const double quick =
      shareAtFullSize(problem, schedules, threads, microseconds);
  return rowsForAll(problem, schedules,
                    std::min(quick, shareBeyondCaches(problem, target)));
}

} // namespace lintel
