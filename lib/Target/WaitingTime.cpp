// How long threads have waited for CPUs that others had.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/WaitingTime.h"

#include "Target/SystemFile.h"

#include <filesystem>
#include <system_error>

namespace lintel {

std::optional<double> secondsWaitedForCpus(const std::string &root) {
  std::error_code failure;
  std::optional<double> seconds;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator task(root + "/proc/self/task",
                                                failure);
       !failure && task != end; task.increment(failure)) {
    // "RUNNING WAITING SLICES", nanoseconds; a thread may have ended since.
    double running = 0, waiting = 0;
    if (openSystemFile(task->path().string() + "/schedstat") >> running >>
        waiting)
      seconds = seconds.value_or(0) + waiting * 1e-9;
  }
  return seconds;
}

} // namespace lintel
