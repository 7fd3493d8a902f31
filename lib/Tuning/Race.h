// Elimination over interleaved timings. Knows nothing of kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace lintel {

/// One rough time of each contestant, seen before a race.
struct Impressions {
  std::vector<double> microseconds; ///< as samples have them; or empty
  /// What all took together by the race's clock: of slices, whose samples are
  /// scaled to the whole, less than their sum.
  double tookMilliseconds = 0;
  bool empty() const { return microseconds.empty(); }
};

struct RaceOptions {
  double budgetMilliseconds = 300;
  /// How many times the budget noise may cost; once, where an incumbent answers
  /// doubts.
  double timesForNoise = 4;
  /// Rounds that no budget cuts short: a sample that was held up must not keep
  /// the others from having one.
  size_t leastRounds = 0;
  /// They decide who starts where the first round may not end, and, where it
  /// agrees with them, who leaves after it; they are no samples.
  Impressions impressions = {};
  /// Who won a race before, if anybody did. It starts first, and loses its
  /// place only to one that is faster by more than the noise explains: the best
  /// of many newcomers looks faster than it is.
  std::optional<size_t> incumbent = std::nullopt;
};

/// One contestant's measurements so far, in microseconds.
struct Lap {
  std::vector<double> samples; ///< one for each round it took part in
  double median() const;
  double minimum() const;
  /// Robust standard deviation over the median; 0 for fewer than 3 samples.
  double spread() const;
  /// How much slower than the best sample the median is, relative to it.
  double swing() const;
};

struct RaceResult {
  size_t winner = 0;         ///< index of the contestant
  std::vector<Lap> laps;     ///< one per contestant
  std::vector<bool> dropped; ///< left before the end
  /// What to report of each: the winner's median; of the others that times the
  /// median of their ratios to the winner in the rounds that both ran, so that
  /// all come from one window. Never below the winner's. 0: never sampled.
  std::vector<double> microseconds;
  /// Of the winner's samples, or what hides who is the fastest: the larger.
  double spread = 0;
  /// The end came before the samples could tell the last ones apart, or the
  /// winner's own samples scatter widely, or are mostly far above its best.
  bool noisy = false;
  /// Nobody ran twice, though several were left; with a small budget: only
  /// one ran at all.
  bool hurried = false;
  bool interrupted = false; ///< stopped by `stop` before it was decided
};

/// Races `count` >= 1 contestants. `time(i)` runs contestant i once and returns
/// microseconds; `now()` is a monotonic clock in milliseconds; `stop()` is
/// asked between samples and ends the race with the best so far.
///
/// Everybody still in runs once a round, in an order that is drawn anew (but
/// for the first, without impressions) or, among a few, alternates: what slows
/// the machine down for less than a round hits everybody alike. What most of
/// them took longer than usually is the machine's doing and is divided out.
/// After each round those leave that are slower than the leader by more than
/// the noise explains; the noise is measured, not assumed. Two that are left
/// run 40 times before, or for a fifth of the budget. As the time runs out
/// the slowest leave too, down to three: that time is the budget, or up to
/// `timesForNoise` times as much if samples scatter. An incumbent's race is no
/// longer than its budget, since doubt has an answer there. Everyone is sampled
/// at least once unless the budget is spent before, or leastRounds times.
RaceResult race(size_t count, const std::function<double(size_t)> &time,
                const std::function<double()> &now,
                const std::function<bool()> &stop, const RaceOptions &options);

} // namespace lintel
