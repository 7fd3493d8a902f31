// How many CPUs the calling thread may use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>

namespace lintel {

/// The CPU quota of the process's control groups (v1 and v2, the tightest of
/// the group and its parents), rounded down to whole CPUs, at least 1; empty
/// without a quota. Reads `<root>/proc/self/{mountinfo,cgroup}` and the quota
/// files below the mount points found there; the root is "" on a real machine.
std::optional<int64_t> cgroupCpuLimit(const std::string &root);

/// One bit for each CPU that Linux can count on x86-64.
using CpuMask = std::bitset<8192>;

/// The CPUs that the calling thread may run on; none where the system does not
/// tell.
CpuMask affinityOfThread();

/// Whether a thread with this mask may not use every CPU of the machine, as one
/// that is bound to some.
bool leavesOutCpus(const CpuMask &mask, int64_t ofMachine);

/// CPUs of the machine that are on, whoever may use them.
int64_t cpusOfMachine();

/// CPUs in the affinity mask of the calling thread, which threads that it
/// begins inherit; at most the quota of the process, and at least 1.
int64_t usableCpus();

} // namespace lintel
