// Memory that the machine and control groups leave.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/FreeMemory.h"

#include "Target/ControlGroup.h"
#include "Target/SystemFile.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unistd.h>

namespace lintel {
namespace {

/// The number in a file of one, if there is one: "max" is none.
std::optional<double> numberIn(const std::string &path) {
  double number = 0;
  if (openSystemFile(path) >> number)
    return number;
  return std::nullopt;
}

/// Bytes of memory.stat that the kernel takes back when they are needed: files
/// that the group, with those below it, has cached.
double droppableBytes(const std::string &directory, CgroupVersion version) {
  const auto isDroppable = [&](std::string_view name) {
    if (version == CgroupVersion::v1)
      return name == "total_inactive_file" || name == "total_active_file";
    return name == "inactive_file" || name == "active_file" ||
           name == "slab_reclaimable";
  };
  std::ifstream file = openSystemFile(directory + "/memory.stat");
  std::string name;
  double droppable = 0;
  for (double bytes = 0; file >> name >> bytes;)
    droppable += isDroppable(name) ? bytes : 0;
  return droppable;
}

/// What the limit of the one group in `directory` leaves.
std::optional<double> leftIn(const std::string &directory,
                             CgroupVersion version) {
  const bool isV2 = version == CgroupVersion::v2;
  const std::optional<double> limit =
      numberIn(directory + (isV2 ? "/memory.max" : "/memory.limit_in_bytes"));
  const std::optional<double> used = numberIn(
      directory + (isV2 ? "/memory.current" : "/memory.usage_in_bytes"));
  if (!limit || !used)
    return std::nullopt;
  return std::max(0.0, *limit - *used + droppableBytes(directory, version));
}

} // namespace

std::optional<int64_t> cgroupFreeMemory(const std::string &root) {
  const std::optional<double> left =
      tightestCgroupLimit(root, "memory", leftIn);
  // Version 1 writes no limit as one of 2^63.
  constexpr double kNoLimit = 1e18;
  if (!left || *left > kNoLimit)
    return std::nullopt;
  return static_cast<int64_t>(*left);
}

std::optional<int64_t> freeMemoryOfMachine(const std::string &root) {
  constexpr int64_t kUnit = 1024;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / kUnit;
  std::ifstream file = openSystemFile(root + "/proc/meminfo");
  std::string name, unit;
  // "MemAvailable:   123 kB"
  for (int64_t kilobytes = 0; file >> name >> kilobytes;
       std::getline(file, unit))
    if (name == "MemAvailable:")
      return kilobytes >= 0 && kilobytes <= kMost
                 ? std::optional(kilobytes * kUnit)
                 : std::nullopt;
  return std::nullopt;
}

int64_t availableMemory(const std::string &root) {
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  const int64_t pageBytes = sysconf(_SC_PAGESIZE);
  const int64_t physical =
      pages > 0 ? pages * pageBytes : std::numeric_limits<int64_t>::max();
  return std::min({physical, freeMemoryOfMachine(root).value_or(physical),
                   cgroupFreeMemory(root).value_or(physical)});
}

} // namespace lintel
