// What noisy samples of a race say of its contestants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/RaceEstimates.h"

#include "Tuning/Statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lintel {

/// Fewer rounds may look alike by chance.
static constexpr double kRoundsToJudge = 5;
/// The scatter of all counts as so many samples of each one's own.
static constexpr double kPooledWeight = 10;
/// How much more scatter than was seen there may be: by this over the number of
/// samples seen.
static constexpr double kDoubtOfFew = 8;
/// Standard error of the lower third of n samples, in deviations over sqrt(n).
static constexpr double kLowerThirdError = 1.3;
/// A machine is never quieter than this, however alike a few samples look.
static constexpr double kLeastDeviation = 0.003;
static constexpr double kLeastDeviationOfFew = 0.02;

/// How much slower the machine was in this round than in those before:
/// everybody's own earlier estimate is the yardstick. Of two, a slow sample
/// must not make the other one look fast: so it is the faster third that tells.
double
RaceEstimates::machineFactor(const std::vector<RaceSample> &round) const {
  std::vector<double> ratios;
  for (const RaceSample &sample : round)
    if (const double before = of(sample.contestant);
        std::isfinite(before) && before > 0)
      ratios.push_back(sample.microseconds / before);
  const double factor = lowerThirdOf(std::move(ratios));
  return factor > 0 && std::isfinite(factor) ? factor : 1;
}

void RaceEstimates::addRound(const std::vector<RaceSample> &round) {
  const double factor = machineFactor(round);
  for (const RaceSample &sample : round) {
    Form &form = forms[sample.contestant];
    form.normalized.push_back(sample.microseconds / factor);
    form.estimate = lowerThirdOf(form.normalized);
    form.deviation = relativeDeviationOf(form.normalized);
  }
  pool();
}

/// The deviation of a few samples is hardly known for one contestant, but
/// well for all of them together.
void RaceEstimates::pool() {
  std::vector<double> residuals;
  for (const Form &form : forms) {
    const std::vector<double> &samples = form.normalized;
    const double center = medianOf(samples);
    if (samples.size() < 2 || !(center > 0) || std::isinf(center))
      continue;
    const auto n = static_cast<double>(samples.size());
    for (double value : samples)
      residuals.push_back(std::abs(value / center - 1) *
                          std::sqrt(n / (n - 1)));
  }
  const auto known = static_cast<double>(residuals.size());
  pooled = kDeviationsPerMad * medianOf(std::move(residuals)) *
           (1 + kDoubtOfFew / std::max(1.0, known));
}

double RaceEstimates::deviationOf(size_t i, size_t rivals) const {
  const auto own = static_cast<double>(samplesOf(i));
  const double variance = (kPooledWeight * pooled * pooled +
                           own * forms[i].deviation * forms[i].deviation) /
                          (kPooledWeight + own);
  const auto all = static_cast<double>(rivals);
  const double hidden = all / std::max(1.0, all - 1);
  return std::max(std::sqrt(variance * hidden), own < kRoundsToJudge
                                                    ? kLeastDeviationOfFew
                                                    : kLeastDeviation);
}

double RaceEstimates::errorOf(size_t i, size_t rivals) const {
  return kLowerThirdError * deviationOf(i, rivals) /
         std::sqrt(static_cast<double>(samplesOf(i)));
}

double RaceEstimates::errorBetween(size_t a, size_t b, size_t rivals) const {
  return std::hypot(errorOf(a, rivals), errorOf(b, rivals));
}

} // namespace lintel
