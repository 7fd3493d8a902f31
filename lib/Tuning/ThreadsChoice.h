// Whether a layer leaves some of the threads to others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "lintel/Problem.h"

namespace lintel {

/// A schedule and the time of its calls.
struct TimedSchedule {
  const Schedule &schedule;
  double microseconds = 0; ///< 0: never timed
};

/// Whether `candidate` takes half of the winner's threads or fewer, and was so
/// little slower that it may serve as well.
bool mayServeOnFewerThreads(const TimedSchedule &candidate,
                            const TimedSchedule &winner, const Problem &problem,
                            int threads);

/// The schedule for one thread, which does all the work of a call.
Schedule onOneThread(Schedule schedule);

} // namespace lintel
