// A signal handler that prints one line and lets the signal take its course.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CrashReport.h"

#include <csignal>
#include <iterator>
#include <unistd.h>
#include <utility>

namespace lintel::integration {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
struct sigaction earlierActions[std::size(kSignals)];
const std::string *current = nullptr;

/// Puts the earlier handler back and returns, so that the faulting instruction
/// runs into that one.
void report(int signal) {
  const char before[] = "\nthe process died in: ";
  if (current) {
    (void)!write(STDERR_FILENO, before, sizeof before - 1);
    (void)!write(STDERR_FILENO, current->data(), current->size());
    (void)!write(STDERR_FILENO, "\n", 1);
  }
  for (size_t i = 0; i < std::size(kSignals); ++i)
    if (kSignals[i] == signal)
      sigaction(signal, &earlierActions[i], nullptr);
}

void install() {
  struct sigaction action = {};
  action.sa_handler = report;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &action, &earlierActions[i]);
}

} // namespace

CrashReport::CrashReport(std::string text) : what(std::move(text)) {
  [[maybe_unused]] static const bool installed = (install(), true);
  current = &what;
}

CrashReport::~CrashReport() { current = nullptr; }

} // namespace lintel::integration
