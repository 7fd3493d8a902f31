// Timing a call by repeating it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Runtime/Clock.h"
#include "Tuning/Race.h"

#include <functional>

namespace lintel::tool {

/// Samples of `call` in microseconds: at least 10, and for at least 200 ms.
/// Calls too short for the clock are timed several at a time. Ends early when
/// `stop` says so, but not without a sample.
Lap timeRepeatedly(const std::function<void()> &call,
                   const std::function<bool()> &stop);

} // namespace lintel::tool
