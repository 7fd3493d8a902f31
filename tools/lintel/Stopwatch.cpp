// Timing a call by repeating it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Stopwatch.h"

#include <algorithm>
#include <cmath>

namespace lintel::tool {

namespace {

/// Reading the clock costs about 30 ns; a sample of this length hides it.
constexpr double kSampleMicroseconds = 20;
constexpr double kWantedMicroseconds = 200e3;
constexpr size_t kFewestSamples = 10;
constexpr int kMostCallsASample = 1000;
/// A first call as long is no cold one of a short call, and is not made twice
/// to find out.
constexpr double kLongMicroseconds = 10e3;

double timeOnce(const std::function<void()> &call, int calls) {
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < calls; ++i)
    call();
  return microsecondsSince(start) / calls;
}

/// Calls of so many microseconds that fill a sample.
int callsPerSample(double microseconds) {
  const double calls =
      std::ceil(kSampleMicroseconds / std::max(microseconds, 0.01));
  return int(std::clamp<double>(calls, 1, kMostCallsASample));
}

} // namespace

Lap timeRepeatedly(const std::function<void()> &call,
                   const std::function<bool()> &stop) {
  const Clock::time_point start = Clock::now();
  Lap lap;
  // Also warms caches, branch predictors and threads.
  const double first = timeOnce(call, 1);
  int calls = 1;
  if (first < kLongMicroseconds && !stop())
    calls = callsPerSample(std::min(first, timeOnce(call, 1)));
  else
    lap.samples.push_back(first);
  while (lap.samples.empty() ||
         (!stop() && (lap.samples.size() < kFewestSamples ||
                      microsecondsSince(start) < kWantedMicroseconds)))
    lap.samples.push_back(timeOnce(call, calls));
  return lap;
}

} // namespace lintel::tool
