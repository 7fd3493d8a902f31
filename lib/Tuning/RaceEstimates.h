// What noisy samples of a race say of its contestants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace lintel {

/// One sample of a round.
struct RaceSample {
  size_t contestant;
  double microseconds; ///< infinite if it is useless
};

/// Estimates of how long each contestant takes, and of how wrong they may be.
/// What most samples of a round took longer than usually is the machine's doing
/// and is divided out, anew after each round: a first sample that was held up
/// is one of many then, and no yardstick. The scatter of what is left is
/// measured.
class RaceEstimates {
public:
  explicit RaceEstimates(size_t contestants) : forms(contestants) {}

  /// One sample of each who is still in the race: they were in all rounds
  /// before.
  void addRound(const std::vector<RaceSample> &round);

  /// Microseconds in a usual round; infinite before the first sample.
  double of(size_t i) const { return forms[i].estimate; }
  size_t samplesOf(size_t i) const { return forms[i].samples.size(); }

  /// Deviation of all samples, relative; 0 before anybody has two.
  double pooledDeviation() const { return pooled; }

  /// Deviation of one contestant's samples, relative, beside what the others
  /// of its rounds have in common.
  double deviationOf(size_t i) const;

  /// Standard error of the ratio of two estimates.
  double errorBetween(size_t a, size_t b) const;

private:
  struct Form {
    std::vector<double> samples; ///< one for each round
    /// The same without what the machine did: going by all, and by others.
    std::vector<double> normalized, besideOthers;
    double ownShare = 1; ///< of the latter's deviation: others scatter, too
    double usual = 0;    ///< microseconds
    double estimate = std::numeric_limits<double>::infinity();
    double deviation = 0; ///< relative
  };

  bool isUseful(size_t i) const;
  void normalize(const std::vector<RaceSample> &round);
  double errorOf(size_t i) const;
  void pool();

  std::vector<Form> forms;
  double pooled = 0;
};

} // namespace lintel
