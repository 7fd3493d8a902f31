// Whether a schedule is one of a layer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Transforms/LayerSchedule.h"

#include "Problem/ReadLinear.h"
#include "Schedule/Legality.h"

namespace lintel::ir {

Status checkScheduleOf(LinearOp op, const Schedule &schedule,
                       const Target &target) {
  Expected<std::vector<Problem>> shapes = shapesOf(op);
  if (!shapes)
    return shapes.error();
  for (const Problem &shape : *shapes)
    if (Status legal = checkSchedule(schedule, shape, target); !legal)
      return legal.error().in("schedule");
  return {};
}

} // namespace lintel::ir
