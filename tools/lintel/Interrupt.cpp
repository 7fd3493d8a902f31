// Ctrl-C that keeps what was found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interrupt.h"

#include "Console.h"

#include <unistd.h>

namespace lintel::tool {

namespace {

volatile std::sig_atomic_t interrupted = 0;

void onInterrupt(int) {
  if (interrupted)
    ::_exit(kInterrupted);
  interrupted = 1;
}

} // namespace

InterruptGuard::InterruptGuard() {
  interrupted = 0;
  struct sigaction action = {};
  action.sa_handler = onInterrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &previous);
}

InterruptGuard::~InterruptGuard() { ::sigaction(SIGINT, &previous, nullptr); }

bool InterruptGuard::requested() { return interrupted != 0; }

} // namespace lintel::tool
