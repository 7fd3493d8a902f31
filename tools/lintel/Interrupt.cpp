// Ctrl-C, and SIGTERM, that keep what was found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interrupt.h"

#include "Console.h"

#include "Runtime/Clock.h"
#include "Runtime/WriteSignals.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <poll.h>
#include <string_view>
#include <unistd.h>

namespace lintel::tool {

namespace {

/// `timeout` sends its signal to the program and then to all of its group, to
/// which that belongs: two within microseconds are one. Nobody types as fast.
constexpr std::chrono::milliseconds kOneRequest(250);

volatile std::sig_atomic_t interrupted = 0;

/// When the first came, by the clock's ticks.
std::atomic<Clock::rep> firstTick = 0;
static_assert(decltype(firstTick)::is_always_lock_free);

volatile std::sig_atomic_t onTerminal = 0;

/// Says at once that what is under way ends, which may take a second. What
/// stderr cannot take is dropped: the reader of a pipe may have ended by the
/// same Ctrl-C, and one that does not read must not hold the handler.
void sayEnding() {
  // The line of progress is left as it is.
  constexpr std::string_view kAfterProgress =
      "\nlintel: interrupted, ending soon; a second time ends at once\n";
  const std::string_view text =
      onTerminal ? kAfterProgress : kAfterProgress.substr(1);
  const WriteSignals none;
  pollfd room{STDERR_FILENO, POLLOUT, 0};
  [[maybe_unused]] const bool said =
      ::poll(&room, 1, 0) == 1 && room.revents == POLLOUT &&
      ::write(STDERR_FILENO, text.data(), text.size()) > 0;
}

void onInterrupt(int) {
  const Clock::rep now = Clock::now().time_since_epoch().count();
  if (interrupted) {
    if (Clock::duration(now - firstTick) >= kOneRequest)
      ::_exit(kInterrupted);
    return;
  }
  firstTick = now;
  interrupted = 1;
  const int error = errno;
  sayEnding();
  errno = error;
}

} // namespace

InterruptGuard::InterruptGuard() {
  interrupted = 0;
  onTerminal = ::isatty(STDERR_FILENO);
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
