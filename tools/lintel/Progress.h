// One line on the terminal that says how far long work has come.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace lintel::tool {

/// Writes to stderr, and only if that is a terminal. The line is redrawn in
/// place and removed by the destructor.
class Progress {
public:
  explicit Progress(std::string title);
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  ~Progress();

  void show(size_t done, size_t total, std::string_view what);

private:
  std::string title;
  bool onTerminal;
  bool drawn = false;
  std::chrono::steady_clock::time_point lastDrawn;
};

/// "[3/48] title: what", cut to `width` characters.
std::string progressLine(std::string_view title, size_t done, size_t total,
                         std::string_view what, size_t width);

} // namespace lintel::tool
