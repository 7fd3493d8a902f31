// Ctrl-C that keeps what was found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <csignal>

namespace lintel::tool {

/// While one lives, the first SIGINT only sets a flag and the second ends the
/// process at once with exit code 130.
class InterruptGuard {
public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard &) = delete;
  InterruptGuard &operator=(const InterruptGuard &) = delete;
  ~InterruptGuard();

  /// True after the first SIGINT.
  static bool requested();

private:
  struct sigaction previous;
};

} // namespace lintel::tool
