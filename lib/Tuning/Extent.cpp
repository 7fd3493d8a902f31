// What of a problem contenders run on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Extent.h"

namespace lintel {

bool coversPart(const Extent &extent, const Problem &problem) {
  return extent.columns || extent.rows < problem.rows().typical;
}

ColumnSlice sliceOn(const Extent &extent, const Schedule &schedule,
                    const Problem &problem) {
  return extent.columns
             ? lastColumns(schedule, problem.n(), extent.columns->wanted)
             : ColumnSlice();
}

RacedPart partOn(const Extent &extent, const Schedule &schedule,
                 const Problem &problem) {
  return {extent.rows,
          problem.n() - sliceOn(extent, schedule, problem).firstColumn};
}

double scaleOn(const Extent &extent, const Schedule &schedule,
               const Problem &problem) {
  const RacedPart part = partOn(extent, schedule, problem);
  return static_cast<double>(problem.rows().typical) /
         static_cast<double>(part.rows) * static_cast<double>(problem.n()) /
         static_cast<double>(part.columns);
}

} // namespace lintel
