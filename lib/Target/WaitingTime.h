// How long threads have waited for CPUs that others had.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>

namespace lintel {

/// Seconds that the threads of this process were ready and had no CPU, since
/// each began: the second number of the scheduler's statistics of each
/// (`/proc/self/task/*/schedstat`, kernel's sched-stats.rst). Nothing where the
/// system keeps none. `root` stands before the path, for tests.
std::optional<double> secondsWaitedForCpus(const std::string &root = "");

} // namespace lintel
