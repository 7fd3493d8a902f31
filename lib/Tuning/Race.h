// Successive halving over interleaved timings. Knows nothing of kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace lintel {

struct RaceOptions {
  double budgetMilliseconds = 1000;
  /// A contestant whose best time is beyond this times the leader's leaves
  /// early.
  double dropRatio = 1.25;
};

/// One contestant's measurements so far, in microseconds.
struct Lap {
  std::vector<double> samples;
  double median() const;
  double minimum() const;
  /// Median absolute deviation over the median; 0 for fewer than 3 samples.
  double spread() const;
};

struct RaceResult {
  size_t winner = 0;         ///< index of the contestant
  std::vector<Lap> laps;     ///< one per contestant
  std::vector<bool> dropped; ///< left before the final
  bool interrupted = false;  ///< stopped by `stop` before it was decided
};

/// Races `count` >= 1 contestants. `time(i)` runs contestant i once and returns
/// microseconds; `now()` is a monotonic clock in milliseconds; `stop()` is
/// asked between samples and ends the race with the best so far.
///
/// Rounds are interleaved: every contestant still in runs once a round, in an
/// order that alternates, so that drift hits all alike. After each stage those
/// beyond dropRatio leave, then the slower half. The last two are timed in
/// alternating pairs and the median of the paired ratios decides, unless the
/// budget allows too few pairs. Every contestant is sampled at least once
/// unless the budget is spent before.
RaceResult race(size_t count, const std::function<double(size_t)> &time,
                const std::function<double()> &now,
                const std::function<bool()> &stop, const RaceOptions &options);

} // namespace lintel
