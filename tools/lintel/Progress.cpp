// One line on the terminal that says how far long work has come.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Progress.h"

#include "Runtime/Log.h"

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace lintel::tool {

namespace {

constexpr std::string_view kEraseLine = "\r\033[K";

size_t terminalWidth() {
  struct winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 80;
  return size.ws_col;
}

} // namespace

std::string progressLine(std::string_view title, size_t done, size_t total,
                         std::string_view what, size_t width) {
  std::string line = "[" + std::to_string(done) + "/" + std::to_string(total) +
                     "] " + std::string(title) + ": " + std::string(what);
  if (line.size() > width)
    line.resize(width);
  return line;
}

Progress::Progress(std::string title)
    : title(std::move(title)), onTerminal(::isatty(STDERR_FILENO) == 1) {
  overwriteLineWithLog(onTerminal);
}

Progress::~Progress() {
  overwriteLineWithLog(false);
  if (drawn)
    std::fputs(kEraseLine.data(), stderr);
}

void Progress::show(size_t done, size_t total, std::string_view what) {
  // Drawing costs time that a race would measure, so not more often than this.
  constexpr std::chrono::milliseconds kInterval(50);
  auto now = std::chrono::steady_clock::now();
  if (!onTerminal || (drawn && now - lastDrawn < kInterval))
    return;
  // The last column stays free: some terminals wrap when it is written.
  std::string line =
      progressLine(title, done, total, what, terminalWidth() - 1);
  // The log's next line takes its place.
  std::fprintf(stderr, "%s%s\r", kEraseLine.data(), line.c_str());
  std::fflush(stderr);
  drawn = true;
  lastDrawn = now;
}

} // namespace lintel::tool
