// Limits that control groups set this process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lintel {

enum class CgroupVersion { v1, v2 };

/// What the one group in `directory` limits; empty without a limit.
using CgroupLimit = std::function<std::optional<double>(
    const std::string &directory, CgroupVersion version)>;

/// The tightest limit of the process's control group and its parents, in every
/// mounted hierarchy of either version that has the controller; empty without
/// one. Reads `<root>/proc/self/{mountinfo,cgroup}`, and whatever `limitOf`
/// reads below the mount points found there; the root is "" on a real machine.
std::optional<double> tightestCgroupLimit(const std::string &root,
                                          std::string_view controller,
                                          const CgroupLimit &limitOf);

} // namespace lintel
