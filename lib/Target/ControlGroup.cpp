// Limits that control groups set this process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/ControlGroup.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

namespace lintel {
namespace {

/// A mounted cgroup hierarchy.
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

/// A path as mountinfo writes it: blanks, newlines and backslashes are three
/// octal digits behind a backslash.
std::string unescaped(const std::string &field) {
  const auto isOctal = [](char c) { return c >= '0' && c <= '7'; };
  std::string path;
  for (size_t i = 0; i < field.size(); ++i) {
    if (field[i] == '\\' && i + 3 < field.size() && isOctal(field[i + 1]) &&
        isOctal(field[i + 2]) && isOctal(field[i + 3])) {
      path += static_cast<char>((field[i + 1] - '0') * 64 +
                                (field[i + 2] - '0') * 8 + field[i + 3] - '0');
      i += 3;
    } else {
      path += field[i];
    }
  }
  return path;
}

/// One line of mountinfo: "36 35 98:0 GROUP POINT options ... - TYPE source
/// SUPER".
std::optional<CgroupMount> parseMount(const std::string &line,
                                      std::string_view controller) {
  std::vector<std::string> fields = split(line, ' ');
  auto dash = std::find(fields.begin(), fields.end(), "-");
  constexpr ptrdiff_t kGroup = 3, kPoint = 4;
  if (dash - fields.begin() <= kPoint || fields.end() - dash < 4)
    return std::nullopt;
  const std::string &type = dash[1], &superOptions = dash[3];
  const auto mountOf = [&](CgroupVersion version) {
    return CgroupMount{version, unescaped(fields[kGroup]),
                       unescaped(fields[kPoint])};
  };
  if (type == "cgroup2")
    return mountOf(CgroupVersion::v2);
  if (type == "cgroup" && listContains(superOptions, controller))
    return mountOf(CgroupVersion::v1);
  return std::nullopt;
}

/// The group of this process, from /proc/self/cgroup: "ID:CONTROLLERS:GROUP",
/// with an empty list of controllers for v2.
std::string groupOfProcess(const std::string &root, CgroupVersion version,
                           std::string_view controller) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    size_t first = line.find(':');
    size_t second =
        first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos)
      continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    if (version == CgroupVersion::v2 ? controllers.empty()
                                     : listContains(controllers, controller))
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

} // namespace

std::optional<double> tightestCgroupLimit(const std::string &root,
                                          std::string_view controller,
                                          const CgroupLimit &limitOf) {
  std::optional<double> tightest;
  const auto consider = [&](std::optional<double> limit) {
    if (limit && (!tightest || *limit < *tightest))
      tightest = limit;
  };
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::optional<CgroupMount> mount = parseMount(line, controller);
    if (!mount)
      continue;
    const CgroupVersion version = mount->version;
    std::string below =
        pathBelowMount(*mount, groupOfProcess(root, version, controller));
    for (;; below.resize(below.rfind('/'))) {
      consider(limitOf(root + mount->point + below, version));
      if (below.empty())
        break;
    }
  }
  return tightest;
}

} // namespace lintel
