// What checkSchedule() says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "unit/Schedule/TestTargets.h"

#include "Schedule/Legality.h"

#include <string>
#include <string_view>

namespace lintel {

/// The message, or "accepted".
inline std::string refusal(std::string_view schedule, std::string_view problem,
                           const Target &target,
                           std::string_view types = "f32") {
  Status status =
      checkSchedule(scheduleOf(schedule), problemOf(problem, types), target);
  return status ? "accepted" : status.error().message();
}

} // namespace lintel
