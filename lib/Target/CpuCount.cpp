// CPUs by affinity mask and control-group quota.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/CpuCount.h"

#include "Target/ControlGroup.h"
#include "Target/SystemFile.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <memory>
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

struct FreeCpuSet {
  void operator()(cpu_set_t *set) const { CPU_FREE(set); }
};

/// The kernel refuses a mask smaller than its own, so the mask grows until it
/// fits.
int64_t affinityCpus() {
  for (int cpus = 1024; cpus <= 1 << 20; cpus *= 4) {
    std::unique_ptr<cpu_set_t, FreeCpuSet> mask(CPU_ALLOC(cpus));
    size_t bytes = CPU_ALLOC_SIZE(cpus);
    if (!mask)
      break;
    if (sched_getaffinity(0, bytes, mask.get()) == 0)
      return CPU_COUNT_S(bytes, mask.get());
    if (errno != EINVAL)
      break;
  }
  return sysconf(_SC_NPROCESSORS_ONLN);
}

} // namespace

std::optional<int64_t> cgroupCpuLimit(const std::string &root) {
  const std::optional<double> tightest =
      tightestCgroupLimit(root, "cpu", quotaOf);
  if (!tightest)
    return std::nullopt;
  return std::max<int64_t>(1, int64_t(std::floor(std::min(*tightest, 1e6))));
}

int64_t usableCpus() {
  int64_t cpus = affinityCpus();
  if (std::optional<int64_t> limit = cgroupCpuLimit(""))
    cpus = std::min(cpus, *limit);
  return std::max<int64_t>(1, cpus);
}

} // namespace lintel
