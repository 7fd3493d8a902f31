// Timing a call by repeating it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Race.h"

#include <chrono>
#include <functional>

namespace lintel::tool {

using Clock = std::chrono::steady_clock;

double microsecondsSince(Clock::time_point start);

/// Samples of `call` in microseconds: at least 10, and for at least 200 ms.
/// Calls too short for the clock are timed several at a time. Ends early when
/// `stop` says so, but not without a sample.
Lap timeRepeatedly(const std::function<void()> &call,
                   const std::function<bool()> &stop);

} // namespace lintel::tool
