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

namespace {
/// What samples of one round took of what is usual, sorted.
class RoundRatios {
public:
  explicit RoundRatios(std::vector<double> ratios) : sorted(std::move(ratios)) {
    std::ranges::sort(sorted);
  }

  /// How much slower the machine was. Of two, a slow sample must not make the
  /// other one look fast: so it is the faster third that tells.
  double factor() const { return factorAt(sorted.size(), 0); }

  /// The same, going by all but the sample with that ratio.
  double factorBut(double ratio) const {
    const size_t others = sorted.size() - 1;
    const size_t place = others == 0 ? 0 : (others - 1) / 3;
    return factorAt(others, ratio <= sorted[place] ? 1 : 0);
  }

private:
  double factorAt(size_t count, size_t skipped) const {
    if (count == 0)
      return 1;
    const double factor = sorted[(count - 1) / 3 + skipped];
    return factor > 0 && std::isfinite(factor) ? factor : 1;
  }

  std::vector<double> sorted;
};
} // namespace

bool RaceEstimates::isUseful(size_t i) const {
  return std::isfinite(forms[i].usual) && forms[i].usual > 0;
}

/// Divides what the machine did out of the samples of those who are in the
/// race, going by what they usually take: all of them, and for the scatter of
/// each the others, since a factor that one has had a say in takes some of its
/// scatter along.
void RaceEstimates::normalize(const std::vector<RaceSample> &round) {
  for (const RaceSample &sample : round) {
    forms[sample.contestant].normalized.clear();
    forms[sample.contestant].besideOthers.clear();
  }
  for (size_t r = 0; r < samplesOf(round.front().contestant); ++r) {
    std::vector<double> taken;
    taken.reserve(round.size());
    for (const RaceSample &sample : round)
      if (const size_t i = sample.contestant; isUseful(i))
        taken.push_back(forms[i].samples[r] / forms[i].usual);
    const RoundRatios ratios(std::move(taken));
    for (const RaceSample &sample : round) {
      Form &form = forms[sample.contestant];
      const double took = form.samples[r];
      form.normalized.push_back(took / ratios.factor());
      form.besideOthers.push_back(took /
                                  (isUseful(sample.contestant)
                                       ? ratios.factorBut(took / form.usual)
                                       : ratios.factor()));
    }
  }
}

void RaceEstimates::addRound(const std::vector<RaceSample> &round) {
  if (round.empty())
    return;
  for (const RaceSample &sample : round) {
    Form &form = forms[sample.contestant];
    form.samples.push_back(sample.microseconds);
    form.usual = lowerThirdOf(form.samples);
  }
  // First by what they took, then by what they took without the machine.
  normalize(round);
  for (const RaceSample &sample : round) {
    Form &form = forms[sample.contestant];
    form.usual = lowerMedianOf(form.normalized);
  }
  normalize(round);
  const auto all = static_cast<double>(round.size());
  for (const RaceSample &sample : round) {
    Form &form = forms[sample.contestant];
    form.estimate = lowerThirdOf(form.normalized);
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
