// Times a few schedules of one problem against each other, at full size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "Tuning/KernelFactory.h"
#include "lintel/Error.h"
#include "lintel/Executor.h"
#include "lintel/Problem.h"

#include <memory>
#include <vector>

namespace lintel::bench {

/// What it takes to compile and run schedules on this machine.
struct Machine {
  Target target;
  std::shared_ptr<Loader> loader;
  std::shared_ptr<Executor> executor;
  int threads = 1;

  static Expected<Machine> create(int threads);
};

/// One schedule's result.
struct Standing {
  double microseconds = 0; ///< median
  /// Median of the ratios to the first schedule, round by round.
  double ratioToFirst = 1;
};

/// Compiles, checks and times `schedules` on all of the problem, interleaved in
/// rounds for about `seconds`, but at least nine rounds, with the data at three
/// places in memory. One for each.
Expected<std::vector<Standing>>
holdContest(const Machine &machine, const Problem &problem,
            const std::vector<Schedule> &schedules, double seconds);

} // namespace lintel::bench
