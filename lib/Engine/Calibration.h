// How much work makes a sample of the peak.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Runtime/Clock.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lintel {

/// Long enough to time well, short enough that most samples escape
/// interruptions.
inline constexpr double kSampleMilliseconds = 1;

/// The rounds, `fewest` times a power of two, for which work(rounds) lasts
/// about a sample. Timed on the calling thread, as waking others may take
/// longer than the rounds themselves, and three times, as the thread may be
/// interrupted.
template <class Work> int64_t roundsOfSample(int64_t fewest, const Work &work) {
  constexpr int64_t kLargest = int64_t(1) << 32;
  int64_t rounds = fewest;
  for (; rounds < kLargest; rounds *= 2) {
    double fastest = HUGE_VAL;
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Clock::time_point start = Clock::now();
      work(rounds);
      fastest = std::min(fastest, millisecondsSince(start));
    }
    if (fastest >= kSampleMilliseconds / 2)
      break;
  }
  return rounds;
}

} // namespace lintel
