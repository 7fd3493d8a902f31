// How many CPUs the calling thread may use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lintel {

/// The CPU quota of the process's control groups (v1 and v2, the tightest of
/// the group and its parents), rounded down to whole CPUs, at least 1; empty
/// without a quota. Reads `<root>/proc/self/{mountinfo,cgroup}` and the quota
/// files below the mount points found there; the root is "" on a real machine.
std::optional<int64_t> cgroupCpuLimit(const std::string &root);

/// CPUs in the affinity mask of the calling thread, which threads that it
/// begins inherit; at most the quota of the process, and at least 1.
int64_t usableCpus();

} // namespace lintel
