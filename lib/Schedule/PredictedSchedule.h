// A schedule beside its predicted time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"

#include <cstddef>
#include <tuple>

namespace lintel {

struct PredictedSchedule {
  Schedule schedule;
  double microseconds = 0;
  size_t position = 0; ///< in the list it came from; decides between equals

  friend bool operator<(const PredictedSchedule &a,
                        const PredictedSchedule &b) {
    return std::tie(a.microseconds, a.position) <
           std::tie(b.microseconds, b.position);
  }
};

} // namespace lintel
