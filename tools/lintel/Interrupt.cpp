// Ctrl-C, and SIGTERM, that keep what was found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interrupt.h"

#include "Console.h"

#include <cerrno>
#include <string_view>
#include <unistd.h>

namespace lintel::tool {

namespace {

volatile std::sig_atomic_t interrupted = 0;

/// Said at once, as what is under way may take a second to end.
constexpr std::string_view kEnding =
    "interrupted: ending soon; a second time ends at once\n";

void onInterrupt(int) {
  if (interrupted)
    ::_exit(kInterrupted);
  interrupted = 1;
  const int error = errno;
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, kEnding.data(), kEnding.size());
  errno = error;
}

} // namespace

InterruptGuard::InterruptGuard() {
  interrupted = 0;
  struct sigaction action = {};
  action.sa_handler = onInterrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &previous[i]);
    if (previous[i].sa_handler != SIG_IGN)
      ::sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (size_t i = 0; i < kSignals.size(); ++i)
    ::sigaction(kSignals[i], &previous[i], nullptr);
}

bool InterruptGuard::requested() { return interrupted != 0; }

} // namespace lintel::tool
