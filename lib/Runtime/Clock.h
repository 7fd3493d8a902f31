// Time that has passed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>

namespace lintel {

using Clock = std::chrono::steady_clock;

inline double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

inline double microsecondsSince(Clock::time_point start) {
  return 1000 * millisecondsSince(start);
}

} // namespace lintel
