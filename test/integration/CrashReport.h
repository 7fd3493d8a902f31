// Says which call crashed: a kernel that meets a guard page kills the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace lintel::integration {

/// While it lives, a fatal signal first prints `what` to stderr.
class CrashReport {
public:
  explicit CrashReport(std::string what);
  ~CrashReport();
  CrashReport(const CrashReport &) = delete;
  CrashReport &operator=(const CrashReport &) = delete;

private:
  std::string what;
};

} // namespace lintel::integration
