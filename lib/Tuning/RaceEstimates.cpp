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

/// How much slower the machine was in each round than it usually was, going by
/// what contestants usually take, but for one of them if one is named. Of two,
/// a slow sample must not make the other one look fast: so it is the faster
/// third that tells.
std::vector<double>
RaceEstimates::machineFactors(const std::vector<RaceSample> &round,
                              std::optional<size_t> butFor) const {
  std::vector<double> factors;
  for (size_t r = 0; r < samplesOf(round.front().contestant); ++r) {
    std::vector<double> ratios;
    for (const auto &[i, microseconds] : round)
      if (i != butFor && std::isfinite(forms[i].usual) && forms[i].usual > 0)
        ratios.push_back(forms[i].samples[r] / forms[i].usual);
    const double factor = lowerThirdOf(std::move(ratios));
    factors.push_back(factor > 0 && std::isfinite(factor) ? factor : 1);
  }
  return factors;
}

static std::vector<double> quotients(std::vector<double> samples,
                                     const std::vector<double> &factors) {
  for (size_t r = 0; r < samples.size(); ++r)
    samples[r] /= factors[r];
  return samples;
}

void RaceEstimates::addRound(const std::vector<RaceSample> &round) {
  if (round.empty())
    return;
  for (const auto &[i, microseconds] : round) {
    forms[i].samples.push_back(microseconds);
    forms[i].usual = lowerThirdOf(forms[i].samples);
  }
  // First by what they took, then by what they took without the machine.
  std::vector<double> factors = machineFactors(round);
  for (const auto &[i, microseconds] : round)
    forms[i].usual = lowerMedianOf(quotients(forms[i].samples, factors));
  factors = machineFactors(round);
  const auto all = static_cast<double>(round.size());
  for (const auto &[i, microseconds] : round) {
    Form &form = forms[i];
    form.estimate = lowerThirdOf(quotients(form.samples, factors));
    // A factor that one has had a say in takes some of its scatter along.
    form.besideOthers = quotients(form.samples, machineFactors(round, i));
    form.ownShare = all > 1 ? std::sqrt((all - 1) / all) : 1;
    form.deviation = form.ownShare * relativeDeviationOf(form.besideOthers);
  }
  pool();
}

/// The deviation of a few samples is hardly known for one contestant, but
/// well for all of them together.
void RaceEstimates::pool() {
  std::vector<double> residuals;
  for (const Form &form : forms) {
    const std::vector<double> &samples = form.besideOthers;
    const double center = medianOf(samples);
    if (samples.size() < 2 || !(center > 0) || std::isinf(center))
      continue;
    const auto n = static_cast<double>(samples.size());
    for (double value : samples)
      residuals.push_back(form.ownShare * std::abs(value / center - 1) *
                          std::sqrt(n / (n - 1)));
  }
  const auto known = static_cast<double>(residuals.size());
  pooled = kDeviationsPerMad * medianOf(std::move(residuals)) *
           (1 + kDoubtOfFew / std::max(1.0, known));
}

double RaceEstimates::deviationOf(size_t i) const {
  const auto own = static_cast<double>(samplesOf(i));
  const double variance = (kPooledWeight * pooled * pooled +
                           own * forms[i].deviation * forms[i].deviation) /
                          (kPooledWeight + own);
  return std::max(std::sqrt(variance), own < kRoundsToJudge
                                           ? kLeastDeviationOfFew
                                           : kLeastDeviation);
}

double RaceEstimates::errorOf(size_t i) const {
  return kLowerThirdError * deviationOf(i) /
         std::sqrt(static_cast<double>(samplesOf(i)));
}

double RaceEstimates::errorBetween(size_t a, size_t b) const {
  return std::hypot(errorOf(a), errorOf(b));
}

} // namespace lintel
