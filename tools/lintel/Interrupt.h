// Ctrl-C, and SIGTERM, that keep what was found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <csignal>

namespace lintel::tool {

/// While one lives, the first SIGINT or SIGTERM only sets a flag, and another,
/// from a quarter of a second later on, ends the process at once with exit code
/// 130. A signal that was ignored before stays so: nohup and shells, of jobs in
/// the background, mean it.
class InterruptGuard {
public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard &) = delete;
  InterruptGuard &operator=(const InterruptGuard &) = delete;
  ~InterruptGuard();

  /// True after the first of them.
  static bool requested();

private:
  static constexpr std::array kSignals{SIGINT, SIGTERM};
  std::array<struct sigaction, kSignals.size()> previous;
};

} // namespace lintel::tool
