// Time that has passed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>

namespace lintel {

using Clock = std::chrono::steady_clock;

/// Since some moment in the past, for times that are compared later.
inline double millisecondsNow() {
  return std::chrono::duration<double, std::milli>(
             Clock::now().time_since_epoch())
      .count();
}

inline double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

inline double microsecondsSince(Clock::time_point start) {
  return 1000 * millisecondsSince(start);
}

} // namespace lintel
