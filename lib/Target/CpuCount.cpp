// CPUs by affinity mask and control-group quota.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/CpuCount.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <memory>
#include <sched.h>
#include <sstream>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace lintel {
namespace {

enum class CgroupVersion { v1, v2 };

/// A mounted cgroup hierarchy that can limit CPU time.
struct CgroupMount {
  CgroupVersion version;
  std::string group; ///< the group that the mount point shows
  std::string point;
};

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

bool listContains(const std::string &list, std::string_view name) {
  std::vector<std::string> parts = split(list, ',');
  return std::find(parts.begin(), parts.end(), name) != parts.end();
}

/// One line of mountinfo: "36 35 98:0 GROUP POINT options ... - TYPE source
/// SUPER".
std::optional<CgroupMount> parseMount(const std::string &line) {
  std::vector<std::string> fields = split(line, ' ');
  auto dash = std::find(fields.begin(), fields.end(), "-");
  constexpr ptrdiff_t kGroup = 3, kPoint = 4;
  if (dash - fields.begin() <= kPoint || fields.end() - dash < 4)
    return std::nullopt;
  const std::string &type = dash[1], &superOptions = dash[3];
  if (type == "cgroup2")
    return CgroupMount{CgroupVersion::v2, fields[kGroup], fields[kPoint]};
  if (type == "cgroup" && listContains(superOptions, "cpu"))
    return CgroupMount{CgroupVersion::v1, fields[kGroup], fields[kPoint]};
  return std::nullopt;
}

/// The group of this process, from /proc/self/cgroup: "ID:CONTROLLERS:GROUP",
/// with an empty list of controllers for v2.
std::string groupOfProcess(const std::string &root, CgroupVersion version) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    size_t first = line.find(':');
    size_t second =
        first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos)
      continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    if (version == CgroupVersion::v2 ? controllers.empty()
                                     : listContains(controllers, "cpu"))
      return line.substr(second + 1);
  }
  return "/";
}

/// Path of the process's group below the mount point: "" for the mount point
/// itself, which is also what a container sees that shows only its own group.
std::string pathBelowMount(const CgroupMount &mount, const std::string &group) {
  if (group.find("/..") != std::string::npos)
    return "";
  std::string shown = mount.group == "/" ? "" : mount.group;
  if (group.compare(0, shown.size(), shown) != 0)
    return "";
  std::string below = group.substr(shown.size());
  return below.empty() || below[0] != '/' || below == "/" ? "" : below;
}

/// CPUs granted to the one group in `directory`.
std::optional<double> quotaOf(const std::string &directory,
                              CgroupVersion version) {
  double quota = 0, period = 0;
  if (version == CgroupVersion::v2) {
    // "max 100000" without a limit: reading a number fails then.
    std::ifstream(directory + "/cpu.max") >> quota >> period;
  } else {
    std::ifstream(directory + "/cpu.cfs_quota_us") >> quota; // -1: no limit
    std::ifstream(directory + "/cpu.cfs_period_us") >> period;
  }
  if (!(quota > 0) || !(period > 0))
    return std::nullopt;
  return quota / period;
}

/// The tightest quota from the process's group up to the mount point.
std::optional<double> quotaOnPath(const std::string &root,
                                  const CgroupMount &mount) {
  std::string below =
      pathBelowMount(mount, groupOfProcess(root, mount.version));
  std::optional<double> tightest;
  while (true) {
    std::optional<double> quota =
        quotaOf(root + mount.point + below, mount.version);
    if (quota && (!tightest || *quota < *tightest))
      tightest = quota;
    if (below.empty())
      return tightest;
    below.resize(below.rfind('/'));
  }
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
  std::optional<double> tightest;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    std::optional<CgroupMount> mount = parseMount(line);
    std::optional<double> quota =
        mount ? quotaOnPath(root, *mount) : std::nullopt;
    if (quota && (!tightest || *quota < *tightest))
      tightest = quota;
  }
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
