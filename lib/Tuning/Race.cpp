// Successive halving over interleaved timings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Race.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace lintel {

/// More rounds than this a stage, or pairs in the final, teach nothing new.
static constexpr int kRoundsPerStage = 15;
static constexpr int kRoundsAlone = 31;
static constexpr int kFinalPairs = 61;
/// Fewer pairs say less than all samples of the race do.
static constexpr size_t kPairsToDecide = 5;
/// The final's share of the budget.
static constexpr double kFinalShare = 0.3;
/// One sample may be an outlier; from two on the slower half can leave.
static constexpr size_t kSamplesForHalving = 2;

/// 0 for no values.
static double medianOf(std::vector<double> values) {
  if (values.empty())
    return 0;
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double Lap::median() const { return medianOf(samples); }

double Lap::minimum() const {
  return samples.empty() ? 0
                         : *std::min_element(samples.begin(), samples.end());
}

double Lap::spread() const {
  const double center = median();
  if (samples.size() < 3 || !(center > 0) || std::isinf(center))
    return 0;
  std::vector<double> deviations;
  for (double sample : samples)
    deviations.push_back(std::abs(sample - center));
  return medianOf(std::move(deviations)) / center;
}

/// The lower third of the samples: noise mostly adds, so the median of a few is
/// often an outlier, while the minimum of many is a lucky shot.
static double scoreOf(const Lap &lap) {
  if (lap.samples.empty())
    return std::numeric_limits<double>::infinity();
  std::vector<double> samples = lap.samples;
  const auto third = samples.begin() + (samples.size() - 1) / 3;
  std::nth_element(samples.begin(), third, samples.end());
  return *third;
}

namespace {
class Track {
public:
  Track(size_t count, const std::function<double(size_t)> &time,
        const std::function<double()> &now, const std::function<bool()> &stop,
        const RaceOptions &options)
      : time(time), now(now), stop(stop), options(options), running(count) {
    std::iota(running.begin(), running.end(), size_t(0));
    result.laps.resize(count);
    result.dropped.resize(count, false);
    const double start = now();
    end = start + options.budgetMilliseconds;
    halvingEnd = end - kFinalShare * options.budgetMilliseconds;
  }

  RaceResult run() {
    if (running.size() == 1)
      runRounds(kRoundsAlone, end);
    while (running.size() > 2 && !finished) {
      const double stages = std::ceil(std::log2(double(running.size()) / 2));
      runRounds(kRoundsPerStage, now() + (halvingEnd - now()) / stages);
      if (!finished)
        dropTheSlow();
    }
    result.winner = fastest();
    if (running.size() == 2 && !finished)
      decideFinal();
    for (size_t i : running)
      result.dropped[i] = result.laps[i].samples.empty() && i != result.winner;
    return std::move(result);
  }

private:
  /// Times contestant i once, unless the race is over.
  void sample(size_t i) {
    if (finished)
      return;
    if (now() >= end) {
      finished = true;
      return;
    }
    if (stop()) {
      finished = result.interrupted = true;
      return;
    }
    const double microseconds = time(i);
    result.laps[i].samples.push_back(
        microseconds >= 0 ? microseconds
                          : std::numeric_limits<double>::infinity());
  }

  /// At least one round, then as many as fit before the deadline.
  void runRounds(int most, double deadline) {
    for (int round = 0; round < most && !finished; ++round) {
      const double start = now();
      for (size_t position = 0; position < running.size(); ++position)
        sample(
            running[round % 2 == 0 ? position : running.size() - 1 - position]);
      const double finish = now();
      if (finish + (finish - start) > deadline)
        return;
    }
  }

  void dropTheSlow() {
    std::sort(running.begin(), running.end(), [&](size_t a, size_t b) {
      return std::pair(scoreOf(result.laps[a]), a) <
             std::pair(scoreOf(result.laps[b]), b);
    });
    const double best = scoreOf(result.laps[running.front()]);
    size_t kept = running.size();
    while (kept > 2 &&
           result.laps[running[kept - 1]].minimum() > options.dropRatio * best)
      --kept;
    if (result.laps[running.front()].samples.size() >= kSamplesForHalving)
      kept = std::min(kept, std::max<size_t>(2, (running.size() + 1) / 2));
    for (size_t position = kept; position < running.size(); ++position)
      result.dropped[running[position]] = true;
    running.resize(kept);
  }

  size_t fastest() const {
    return *std::min_element(
        running.begin(), running.end(), [&](size_t a, size_t b) {
          return scoreOf(result.laps[a]) < scoreOf(result.laps[b]);
        });
  }

  /// Neighbours in time see the same clock and the same neighbours on the
  /// machine, so the ratio within a pair is steadier than either time.
  void decideFinal() {
    const size_t a = running[0], b = running[1];
    std::vector<double> ratios;
    int lead = 0;
    for (int pair = 1; pair <= kFinalPairs && !clear(lead, pair - 1); ++pair) {
      sample(pair % 2 == 0 ? b : a);
      sample(pair % 2 == 0 ? a : b);
      if (finished)
        break;
      const double timeA = result.laps[a].samples.back();
      const double timeB = result.laps[b].samples.back();
      ratios.push_back(timeA == timeB ? 1 : timeA / timeB);
      lead += (timeA < timeB) - (timeB < timeA);
    }
    if (ratios.size() < kPairsToDecide)
      result.winner = fastest();
    else
      result.winner = medianOf(std::move(ratios)) <= 1 ? a : b;
  }

  /// Three standard deviations of a fair coin.
  static bool clear(int lead, int pairs) {
    return pairs > 0 && lead * lead >= 9 * pairs;
  }

  const std::function<double(size_t)> &time;
  const std::function<double()> &now;
  const std::function<bool()> &stop;
  const RaceOptions &options;
  double end, halvingEnd;
  bool finished = false;
  std::vector<size_t> running;
  RaceResult result;
};
} // namespace

RaceResult race(size_t count, const std::function<double(size_t)> &time,
                const std::function<double()> &now,
                const std::function<bool()> &stop, const RaceOptions &options) {
  if (count == 0)
    return {};
  return Track(count, time, now, stop, options).run();
}

} // namespace lintel
