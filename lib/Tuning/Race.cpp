// Elimination over interleaved timings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Race.h"

#include "Tuning/RaceEstimates.h"
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
/// So much slower that even one sample tells, unless another one is cheap.
static constexpr double kHopeless = 4;
/// The share of the budget up to which a first round says that more are cheap.
/// Of 19 kernels of 12 us on 16 threads three had a first sample of 60 to 230
/// us, and were dropped.
static constexpr double kCheapRound = 0.1;
/// Two run so often before one leaves, while that takes no more than such a
/// share of the budget: samples of short calls that follow each other mislead
/// together. Pairs of 10 to 100 us on 16 threads were told apart in some eight
/// rounds, a fortieth of the budget, and a fifth of them wrongly (decision
/// 119).
static constexpr size_t kRoundsOfTwo = 40;
static constexpr double kShareOfTwo = 0.2;
/// How many standard errors are more than noise.
static constexpr double kConfidence = 3;
/// And how many take an incumbent's place. With three, what a first race had
/// chosen wrongly stayed more often: 28 of 40 tunings of 1x4864:4864x896 were
/// within 3 % of the best, minutes later 35 with two (decision 91).
static constexpr double kConfidenceToReplace = 2;

/// Being wrong by this much does not matter; nor, once the budget is spent, by
/// that much.
static constexpr double kIndifference = 0.01;
static constexpr double kLateIndifference = 0.03;
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
class Track {
public:
  Track(size_t count, const std::function<double(size_t)> &time,
        const std::function<double()> &now, const std::function<bool()> &stop,
        const RaceOptions &options)
      : time(time), now(now), stop(stop), impressions(options.impressions),
        incumbent(options.incumbent), budget(options.budgetMilliseconds),
        longest(incumbent ? 1 : options.timesForNoise),
        leastRounds(options.leastRounds), start(now()), running(count),
        estimates(count) {
    std::iota(running.begin(), running.end(), size_t(0));
    if (!impressions.empty())
      std::sort(running.begin(), running.end(), [&](size_t a, size_t b) {
        return std::pair(impressionOf(a), a) < std::pair(impressionOf(b), b);
      });
    order = running;
    if (firstRoundIsShort())
      std::shuffle(order.begin(), order.end(), random);
    // However soon the end comes, there is something to compare with.
    if (incumbent) {
      const auto place = std::ranges::find(order, *incumbent);
      std::rotate(order.begin(), place, place + 1);
    }
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
    if (rounds >= leastRounds && share() >= (rounds == 0 ? 1 : longest)) {
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
    return !impressions.empty() &&
           impressions.tookMilliseconds <= kLongRound * budget;
  }

  double impressionOf(size_t i) const { return impressions.microseconds[i]; }

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
    std::vector<RaceSample> round;
    for (size_t i : running)
      if (ranLastRound(i))
        round.push_back({i, result.laps[i].samples.back()});
    // Of a round that was cut short those who ran would be told otherwise from
    // then on than the others.
    if (rounds == 1 || round.size() == running.size())
      estimates.addRound(round);
    std::sort(running.begin(), running.end(), [&](size_t a, size_t b) {
      return std::pair(estimates.of(a), a) < std::pair(estimates.of(b), b);
    });
  }

  bool ranLastRound(size_t i) const {
    return result.laps[i].samples.size() == rounds;
  }

  //===--------------------------------------------------------------------===//
  // Leaving
  //===--------------------------------------------------------------------===//

  bool slowerAtFirstSight(size_t i, size_t leader) const {
    return (ratio(i, leader) > kHopeless && share() > kCheapRound) ||
           (!impressions.empty() && ratio(i, leader) > kTwiceSeenSlower &&
            impressionOf(i) > kTwiceSeenSlower * impressionOf(leader));
  }

  /// How many times as long as b contestant a takes.
  double ratio(size_t a, size_t b) const {
    return estimates.of(a) / estimates.of(b);
  }

  /// What noise may have added to that, or taken away.
  double doubt(size_t a, size_t b, double confidence = kConfidence) const {
    return confidence * estimates.errorBetween(a, b);
  }

  /// Contestant i is not faster than the leader by more than `indifference`.
  bool cannotWin(size_t i, size_t leader, double indifference) const {
    const double best = estimates.of(leader);
    if (!std::isfinite(estimates.of(i)) || !(best > 0))
      return std::isfinite(best);
    if (rounds == 1)
      return slowerAtFirstSight(i, leader);
    return ratio(i, leader) - doubt(i, leader) > 1 - indifference;
  }

  /// Contestant i is not faster than the incumbent by more than matters.
  bool cannotBeatIncumbent(size_t i) const {
    return rounds > 1 && std::isfinite(estimates.of(*incumbent)) &&
           ratio(*incumbent, i) + doubt(*incumbent, i) < 1 + kIndifference;
  }

  /// Whether contestant i has shown to be faster than the incumbent, and may be
  /// so by more than matters. Without two samples each, nobody knows what noise
  /// does.
  bool beatsIncumbent(size_t i) const {
    if (!std::isfinite(estimates.of(i)))
      return false;
    if (!std::isfinite(estimates.of(*incumbent)))
      return estimates.samplesOf(*incumbent) > 0; // useless
    return estimates.samplesOf(i) > 1 && estimates.samplesOf(*incumbent) > 1 &&
           !cannotBeatIncumbent(i) &&
           ratio(*incumbent, i) - doubt(*incumbent, i, kConfidenceToReplace) >
               1;
  }

  bool incumbentWins() const {
    return stillRuns(incumbent) && !beatsIncumbent(running.front());
  }

  /// The share that is spent of what the noise seen so far will make it take.
  double plannedShare() const {
    return share() / std::clamp(estimates.pooledDeviation() / kPlannedDeviation,
                                1.0, longest);
  }

  /// How many may go on: geometrically fewer as the time is spent.
  size_t mostToKeep() const {
    const double spent = std::clamp(plannedShare(), 0.0, 1.0);
    const auto all = static_cast<double>(result.laps.size());
    const double kept =
        std::pow(all, 1 - spent) * std::pow(std::min(kFewest, all), spent);
    return static_cast<size_t>(std::ceil(kept));
  }

  /// Two that take little time to be told apart better.
  bool isCheapDuel() const {
    return running.size() == 2 && rounds < kRoundsOfTwo &&
           share() < kShareOfTwo && std::isfinite(estimates.of(running.back()));
  }

  void dropTheSlow() {
    if (finished || isCheapDuel())
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
    const double hiding = doubtful ? estimates.deviationOf(result.winner) : 0;
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
    // Nor do its own samples matter where it stays.
    const bool stays = result.winner == incumbent;
    result.noisy = !result.interrupted && rounds > 1 && scattered && !stays;
    if (winner.swing() > kNoisySwing)
      result.spread = std::max(result.spread, winner.swing());
    for (size_t i = 0; i < result.laps.size(); ++i) {
      const bool sampled = !result.laps[i].samples.empty();
      result.microseconds.push_back(sampled ? ratioToWinner(i) * winner.median()
                                            : 0);
      result.dropped[i] = i != result.winner && (result.dropped[i] || !sampled);
    }
  }

  const std::function<double(size_t)> &time;
  const std::function<double()> &now;
  const std::function<bool()> &stop;
  const Impressions &impressions;
  const std::optional<size_t> incumbent;
  const double budget, longest;
  const size_t leastRounds;
  const double start;
  bool finished = false;
  size_t rounds = 0;
  std::vector<size_t> running; ///< best first, after the first round
  std::vector<size_t> order;   ///< the same, as the next round has them
  std::mt19937_64 random;      ///< always the same numbers
  RaceEstimates estimates;
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
