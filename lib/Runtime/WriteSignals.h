// Keeping a write that fails from ending the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <csignal>
#include <ctime>

#include <pthread.h>

namespace lintel {

/// While it lives, the signals that a write raises in its own thread are
/// blocked there, and those that were raised are taken: SIGPIPE where a reader
/// went away, SIGXFSZ where a file may not grow. The write says so by an error.
/// Fit for a signal handler: sigtimedwait, which POSIX does not list as such,
/// is a system call on Linux and nothing more.
class WriteSignals {
public:
  WriteSignals() {
    sigemptyset(&ours);
    sigset_t pending;
    sigpending(&pending);
    for (int signal : {SIGPIPE, SIGXFSZ})
      if (!sigismember(&pending, signal)) // or it would be somebody else's
        sigaddset(&ours, signal);
    pthread_sigmask(SIG_BLOCK, &ours, &previous);
  }
  ~WriteSignals() {
    const timespec noWait = {};
    while (sigtimedwait(&ours, nullptr, &noWait) > 0)
      ;
    pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  }
  WriteSignals(const WriteSignals &) = delete;
  WriteSignals &operator=(const WriteSignals &) = delete;

private:
  sigset_t ours;
  sigset_t previous;
};

} // namespace lintel
