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
/// What most samples of a round took longer than before is the machine's doing
/// and is divided out; the scatter of what is left is measured.
class RaceEstimates {
public:
  explicit RaceEstimates(size_t contestants) : forms(contestants) {}

  /// At most one sample of each contestant.
  void addRound(const std::vector<RaceSample> &round);

  /// Microseconds, as if all rounds were like the first; infinite before the
  /// first sample.
  double of(size_t i) const { return forms[i].estimate; }
  size_t samplesOf(size_t i) const { return forms[i].normalized.size(); }

  /// Deviation of all samples, relative; 0 before anybody has two.
  double pooledDeviation() const { return pooled; }

  /// Deviation of one contestant's samples, relative, where `rivals` run beside
  /// each other: what few have in common is taken for the machine's doing.
  double deviationOf(size_t i, size_t rivals) const;

  /// Standard error of the ratio of two estimates.
  double errorBetween(size_t a, size_t b, size_t rivals) const;

private:
  struct Form {
    std::vector<double> normalized; ///< as if all rounds were like the first
    double estimate = std::numeric_limits<double>::infinity();
    double deviation = 0; ///< relative
  };

  double machineFactor(const std::vector<RaceSample> &round) const;
  double errorOf(size_t i, size_t rivals) const;
  void pool();

  std::vector<Form> forms;
  double pooled = 0;
};

} // namespace lintel
