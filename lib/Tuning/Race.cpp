// Elimination over interleaved timings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Race.h"

#include "Tuning/Statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

namespace lintel {

/// More rounds than this teach nothing new.
static constexpr size_t kMostRounds = 400;
static constexpr size_t kRoundsAlone = 31;
/// The winner has at least this many samples if the budget allows.
static constexpr size_t kWinnerSamples = 7;

/// Slower than the leader in the first round and in what was seen before.
static constexpr double kTwiceSeenSlower = 1.25;
/// So much slower that even one sample tells.
static constexpr double kHopeless = 4;
/// Fewer rounds may look alike by chance.
static constexpr double kRoundsToJudge = 5;
/// The scatter of all counts as so many samples of each one's own.
static constexpr double kPooledWeight = 10;
/// How much more scatter than was seen there may be: by this over the number of
/// samples seen.
static constexpr double kDoubtOfFew = 8;
/// How many standard errors are more than noise.
static constexpr double kConfidence = 3;
/// And how many take an incumbent's place. With three, what a first race had
/// chosen wrongly stayed more often: 28 of 40 tunings of 1x4864:4864x896 were
/// within 3 % of the best, minutes later 35 with two (decision 91).
static constexpr double kConfidenceToReplace = 2;
/// Standard error of the lower third of n samples, in deviations over sqrt(n).
static constexpr double kLowerThirdError = 1.3;
/// A machine is never quieter than this, however alike a few samples look.
static constexpr double kLeastDeviation = 0.003;
static constexpr double kLeastDeviationOfFew = 0.02;

/// Being wrong by this much does not matter; nor, once the budget is spent, by
/// that much.
static constexpr double kIndifference = 0.01;
static constexpr double kLateIndifference = 0.03;
/// Times the budget that noise may cost, unless a doubtful race has an answer:
/// the incumbent.
static constexpr double kLongest = 4;
/// Scatter up to which a race is planned to take its budget; with more, so much
/// longer.
static constexpr double kPlannedDeviation = 0.03;
/// Seen less often, nobody leaves for lack of time.
static constexpr size_t kSeenToBeCut = 3;
/// So few are turned round every other round, so that a drift of the machine's
/// speed hits all alike; among more, chance sees to that.
static constexpr size_t kFewToTurnRound = 8;
/// A first round that takes more than this share of the budget, as impressions
/// have it, may not end: then the best begin.
static constexpr double kLongRound = 0.25;
/// How many may be left when the budget is spent.
static constexpr double kFewest = 3;
/// Scatter that hides differences from a race that could not decide; with less,
/// it was only too short.
static constexpr double kHidingSpread = 0.025;
/// The winner's samples scatter more than this: the times mean little. Or most
/// were so much slower than the best one that something held them up.
static constexpr double kNoisySpread = 0.1;
static constexpr double kNoisySwing = 0.3;

double Lap::median() const { return medianOf(samples); }

double Lap::minimum() const {
  return samples.empty() ? 0
                         : *std::min_element(samples.begin(), samples.end());
}

double Lap::spread() const { return relativeDeviationOf(samples); }

double Lap::swing() const {
  const double best = minimum();
  return best > 0 && !std::isinf(median()) ? median() / best - 1 : 0;
}

/// Milliseconds in which contestants ought to run twice.
static constexpr double kLeastToDecide = 50;

namespace {
/// What one contestant's samples say once the machine's own changes are out.
struct Form {
  std::vector<double> normalized; ///< as if all rounds were like the first
  double estimate = std::numeric_limits<double>::infinity();
  double deviation = 0; ///< relative
};

class Track {
public:
  Track(size_t count, const std::function<double(size_t)> &time,
        const std::function<double()> &now, const std::function<bool()> &stop,
        const RaceOptions &options)
      : time(time), now(now), stop(stop), impressions(options.impressions),
        incumbent(options.incumbent), budget(options.budgetMilliseconds),
        longest(incumbent ? 1 : kLongest), start(now()), running(count),
        forms(count) {
    std::iota(running.begin(), running.end(), size_t(0));
    if (!impressions.empty())
      std::sort(running.begin(), running.end(), [&](size_t a, size_t b) {
        return std::pair(impressions[a], a) < std::pair(impressions[b], b);
      });
    order = running;
    if (firstRoundIsShort())
      std::shuffle(order.begin(), order.end(), random);
    // However soon the end comes, there is something to compare with.
    if (incumbent)
      std::ranges::stable_partition(order,
                                    [&](size_t i) { return i == incumbent; });
    result.laps.resize(count);
    result.dropped.resize(count, false);
  }

  RaceResult run() {
    const size_t alone = running.size() == 1 ? kRoundsAlone : kWinnerSamples;
    while (running.size() > 1 && !finished && rounds < kMostRounds) {
      runRound();
      dropTheSlow();
    }
    const bool undecided = running.size() > 1;
    result.winner = incumbentWins() ? *incumbent : running.front();
    while (!undecided && !finished && rounds < alone && share() < 1)
      runRound();
    report(undecided);
    return std::move(result);
  }

private:
  double share() const {
    return budget > 0 ? (now() - start) / budget
                      : std::numeric_limits<double>::infinity();
  }

  /// Times contestant i once, unless the race is over.
  void sample(size_t i) {
    if (finished)
      return;
    // Before everybody ran once, more time could not be used well.
    if (share() >= (rounds == 0 ? 1 : longest)) {
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

  /// Impressions come from runs that were verified, not flushed: half of what
  /// a sample costs at least.
  bool firstRoundIsShort() const {
    const double microseconds =
        std::accumulate(impressions.begin(), impressions.end(), 0.0);
    return !impressions.empty() && microseconds <= kLongRound * budget * 1000;
  }

  bool stillRuns(std::optional<size_t> who) const {
    return who && std::ranges::find(running, *who) != running.end();
  }

  /// Who runs when in the next round.
  void putInOrder() {
    std::erase_if(order, [&](size_t i) { return !stillRuns(i); });
    if (rounds % 2 == 1 && order.size() <= kFewToTurnRound)
      std::ranges::reverse(order);
    else if (rounds > 0)
      std::shuffle(order.begin(), order.end(), random);
  }

  void runRound() {
    putInOrder();
    for (size_t i : order)
      sample(i);
    ++rounds;
    judgeRound();
    std::sort(running.begin(), running.end(), [&](size_t a, size_t b) {
      return std::pair(forms[a].estimate, a) < std::pair(forms[b].estimate, b);
    });
  }

  //===--------------------------------------------------------------------===//
  // Estimates
  //===--------------------------------------------------------------------===//

  bool ranLastRound(size_t i) const {
    return result.laps[i].samples.size() == rounds;
  }

  /// How much slower the machine was in the last round than in those before:
  /// everybody's own earlier estimate is the yardstick.
  double machineFactor() const {
    std::vector<double> ratios;
    for (size_t i : running)
      if (const Form &form = forms[i];
          ranLastRound(i) && !form.normalized.empty() &&
          std::isfinite(form.estimate) && form.estimate > 0)
        ratios.push_back(result.laps[i].samples.back() / form.estimate);
    const double factor = lowerThirdOf(std::move(ratios));
    return factor > 0 && std::isfinite(factor) ? factor : 1;
  }

  void judgeRound() {
    const double factor = machineFactor();
    for (size_t i : running) {
      if (!ranLastRound(i))
        continue;
      Form &form = forms[i];
      form.normalized.push_back(result.laps[i].samples.back() / factor);
      form.estimate = lowerThirdOf(form.normalized);
      form.deviation = relativeDeviationOf(form.normalized);
    }
    pool();
  }

  /// The deviation of a few samples is hardly known for one contestant, but
  /// well for all of them together.
  void pool() {
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
    pooledDeviation = kDeviationsPerMad * medianOf(std::move(residuals)) *
                      (1 + kDoubtOfFew / std::max(1.0, known));
  }

  double deviationOf(size_t i) const {
    const auto own = static_cast<double>(forms[i].normalized.size());
    const double variance = (kPooledWeight * pooledDeviation * pooledDeviation +
                             own * forms[i].deviation * forms[i].deviation) /
                            (kPooledWeight + own);
    // What few contestants have in common is taken for the machine's doing.
    const auto rivals = static_cast<double>(running.size());
    const double hidden = rivals / std::max(1.0, rivals - 1);
    return std::max(std::sqrt(variance * hidden), own < kRoundsToJudge
                                                      ? kLeastDeviationOfFew
                                                      : kLeastDeviation);
  }

  //===--------------------------------------------------------------------===//
  // Leaving
  //===--------------------------------------------------------------------===//

  bool slowerAtFirstSight(size_t i, size_t leader) const {
    const double ratio = forms[i].estimate / forms[leader].estimate;
    return ratio > kHopeless ||
           (!impressions.empty() && ratio > kTwiceSeenSlower &&
            impressions[i] > kTwiceSeenSlower * impressions[leader]);
  }

  size_t samplesOf(size_t i) const { return forms[i].normalized.size(); }

  /// Standard error of an estimate, relative.
  double errorOf(size_t i) const {
    return kLowerThirdError * deviationOf(i) /
           std::sqrt(static_cast<double>(samplesOf(i)));
  }

  /// What noise may add to how much slower than b contestant a seems.
  double errorBetween(size_t a, size_t b,
                      double confidence = kConfidence) const {
    return confidence * std::hypot(errorOf(a), errorOf(b));
  }

  /// Contestant i is not faster than the leader by more than `indifference`.
  bool cannotWin(size_t i, size_t leader, double indifference) const {
    const double estimate = forms[leader].estimate;
    if (!std::isfinite(forms[i].estimate) || !(estimate > 0))
      return std::isfinite(estimate);
    if (rounds == 1)
      return slowerAtFirstSight(i, leader);
    return forms[i].estimate / estimate - errorBetween(i, leader) >
           1 - indifference;
  }

  /// Contestant i is not faster than the incumbent by more than matters.
  bool cannotBeatIncumbent(size_t i) const {
    return rounds > 1 && std::isfinite(forms[*incumbent].estimate) &&
           forms[*incumbent].estimate / forms[i].estimate +
                   errorBetween(*incumbent, i) <
               1 + kIndifference;
  }

  /// Whether contestant i has shown to be faster than the incumbent, and may be
  /// so by more than matters. Without two samples each, nobody knows what noise
  /// does.
  bool beatsIncumbent(size_t i) const {
    if (!std::isfinite(forms[i].estimate))
      return false;
    if (!std::isfinite(forms[*incumbent].estimate))
      return samplesOf(*incumbent) > 0; // useless
    return samplesOf(i) > 1 && samplesOf(*incumbent) > 1 &&
           !cannotBeatIncumbent(i) &&
           forms[*incumbent].estimate / forms[i].estimate -
                   errorBetween(*incumbent, i, kConfidenceToReplace) >
               1;
  }

  bool incumbentWins() const {
    return stillRuns(incumbent) && !beatsIncumbent(running.front());
  }

  /// The share that is spent of what the noise seen so far will make it take.
  double plannedShare() const {
    return share() /
           std::clamp(pooledDeviation / kPlannedDeviation, 1.0, longest);
  }

  /// How many may go on: geometrically fewer as the time is spent.
  size_t mostToKeep() const {
    const double spent = std::clamp(plannedShare(), 0.0, 1.0);
    const auto all = static_cast<double>(forms.size());
    const double kept =
        std::pow(all, 1 - spent) * std::pow(std::min(kFewest, all), spent);
    return static_cast<size_t>(std::ceil(kept));
  }

  void dropTheSlow() {
    if (finished)
      return;
    const size_t leader = running.front();
    const double indifference =
        plannedShare() < 1 ? kIndifference : kLateIndifference;
    const size_t seen = rounds + (impressions.empty() ? 0 : 1);
    const size_t most = seen >= kSeenToBeCut ? mostToKeep() : running.size();
    // Who cannot beat the incumbent does not take its place: one of them stays.
    const bool defended = stillRuns(incumbent);
    std::vector<size_t> kept;
    for (size_t i : running) {
      const bool hasPlace =
          i == leader ||
          (kept.size() < most && !cannotWin(i, leader, indifference));
      const bool stays = !defended        ? hasPlace
                         : i == incumbent ? !beatsIncumbent(leader)
                                          : hasPlace && !cannotBeatIncumbent(i);
      if (stays)
        kept.push_back(i);
      else
        result.dropped[i] = true;
    }
    running = std::move(kept);
  }

  //===--------------------------------------------------------------------===//
  // The report
  //===--------------------------------------------------------------------===//

  /// The ratio of contestant i's times to the winner's, round by round.
  double ratioToWinner(size_t i) const {
    const std::vector<double> &own = result.laps[i].samples;
    const std::vector<double> &best = result.laps[result.winner].samples;
    std::vector<double> ratios;
    for (size_t round = 0; round < std::min(own.size(), best.size()); ++round)
      ratios.push_back(own[round] == best[round] ? 1
                                                 : own[round] / best[round]);
    return std::max(1.0, medianOf(std::move(ratios)));
  }

  void report(bool undecided) {
    const Lap &winner = result.laps[result.winner];
    // Doubt is the incumbent's answer.
    const bool doubtful = undecided && result.winner != incumbent;
    const double hiding = doubtful ? deviationOf(result.winner) : 0;
    result.spread = std::max(winner.spread(), hiding);
    const bool scattered = winner.spread() > kNoisySpread ||
                           hiding > kHidingSpread ||
                           winner.swing() > kNoisySwing;
    // A slice is so short that all run many times, unless others have the CPUs.
    // With less time one sample each may do, but not one in all.
    const auto sampled = std::ranges::count_if(
        result.laps, [](const Lap &lap) { return !lap.samples.empty(); });
    result.hurried = !result.interrupted && rounds <= 1 && undecided &&
                     (budget >= kLeastToDecide || sampled < 2);
    result.noisy = !result.interrupted && rounds > 1 && scattered;
    if (winner.swing() > kNoisySwing)
      result.spread = std::max(result.spread, winner.swing());
    for (size_t i = 0; i < forms.size(); ++i) {
      const bool sampled = !result.laps[i].samples.empty();
      result.microseconds.push_back(sampled ? ratioToWinner(i) * winner.median()
                                            : 0);
      result.dropped[i] = i != result.winner && (result.dropped[i] || !sampled);
    }
  }

  const std::function<double(size_t)> &time;
  const std::function<double()> &now;
  const std::function<bool()> &stop;
  const std::vector<double> &impressions;
  const std::optional<size_t> incumbent;
  const double budget, longest, start;
  bool finished = false;
  size_t rounds = 0;
  std::vector<size_t> running; ///< best first, after the first round
  std::vector<size_t> order;   ///< the same, as the next round has them
  std::mt19937_64 random;      ///< always the same numbers
  std::vector<Form> forms;     ///< one per contestant
  double pooledDeviation = 0;
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
