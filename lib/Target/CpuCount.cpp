// CPUs by affinity mask and control-group quota.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/CpuCount.h"

#include "Target/ControlGroup.h"
#include "Target/SystemFile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sched.h>
#include <unistd.h>

namespace lintel {
namespace {

/// CPUs granted to the one group in `directory`.
std::optional<double> quotaOf(const std::string &directory,
                              CgroupVersion version) {
  double quota = 0, period = 0;
  if (version == CgroupVersion::v2) {
    // "max 100000" without a limit: reading a number fails then.
    openSystemFile(directory + "/cpu.max") >> quota >> period;
  } else {
    openSystemFile(directory + "/cpu.cfs_quota_us") >> quota; // -1: no limit
    openSystemFile(directory + "/cpu.cfs_period_us") >> period;
  }
  if (!(quota > 0) || !(period > 0))
    return std::nullopt;
  return quota / period;
}

int64_t affinityCpus() {
  const auto cpus = static_cast<int64_t>(affinityOfThread().count());
  return cpus > 0 ? cpus : sysconf(_SC_NPROCESSORS_ONLN);
}

} // namespace

std::optional<int64_t> cgroupCpuLimit(const std::string &root) {
  const std::optional<double> tightest =
      tightestCgroupLimit(root, "cpu", quotaOf);
  if (!tightest)
    return std::nullopt;
  return std::max<int64_t>(1, int64_t(std::floor(std::min(*tightest, 1e6))));
}

CpuMask affinityOfThread() {
  // The kernel refuses a mask smaller than its own, which one cpu_set_t is on
  // machines of more than 1024 CPUs.
  std::array<cpu_set_t, CpuMask().size() / CPU_SETSIZE> sets = {};
  CpuMask mask;
  if (sched_getaffinity(0, sizeof sets, sets.data()) != 0)
    return mask;
  for (size_t cpu = 0; cpu < mask.size(); ++cpu)
    mask[cpu] = CPU_ISSET_S(cpu, sizeof sets, sets.data());
  return mask;
}

bool leavesOutCpus(const CpuMask &mask, int64_t ofMachine) {
  return static_cast<int64_t>(mask.count()) < ofMachine;
}

int64_t cpusOfMachine() { return sysconf(_SC_NPROCESSORS_ONLN); }

int64_t usableCpus() {
  int64_t cpus = affinityCpus();
  if (std::optional<int64_t> limit = cgroupCpuLimit(""))
    cpus = std::min(cpus, *limit);
  return std::max<int64_t>(1, cpus);
}

} // namespace lintel
