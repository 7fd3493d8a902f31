// Races among the contenders of a tuning.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Contest.h"
#include "Tuning/RacePlan.h"

#include <algorithm>
#include <utility>

namespace lintel {

/// Runs shorter than this say little when they are made once.
static constexpr double kShortMicroseconds = 200;
/// Milliseconds that progress counts at most: any number may be a budget, but
/// not any is one of size_t.
static constexpr double kLongestShown = 1e9;

double Contest::onWhole(const Arena &arena, size_t who,
                        double microseconds) const {
  const double scale = scaleOn(arena.extent, field.scheduleOf(who), layer);
  const auto packing = arena.packing.find(who);
  return packing == arena.packing.end()
             ? scale * microseconds
             : timeOfWhole(microseconds, scale, packing->second);
}

/// What the runs of the verification took; nothing if that says little.
Impressions Contest::impressions(const Arena &arena,
                                 const std::vector<size_t> &who) const {
  Impressions seen;
  for (size_t i : who) {
    const double time = arena.bench->firstTime(arena.numbers.at(i));
    if (time < kShortMicroseconds)
      return {};
    seen.microseconds.push_back(onWhole(arena, i, time));
    seen.tookMilliseconds += time / 1000;
  }
  return seen;
}

size_t Contest::raceIn(Arena &arena, const std::vector<size_t> &who,
                       RaceOptions options) {
  // Or the first sample would take time that is no kernel's.
  arena.bench->wakeThreads();
  const Clock::time_point start = Clock::now();
  options = withNoiseShared(std::move(options), milliseconds.timing,
                            wishes.budgetMilliseconds);
  options.impressions = impressions(arena, who);
  const RaceResult result = race(
      who.size(),
      [&](size_t i) {
        const double shown =
            std::min(options.budgetMilliseconds, kLongestShown);
        progress(static_cast<size_t>(std::min(millisecondsSince(start), shown)),
                 static_cast<size_t>(shown), "timing");
        return onWhole(arena, who[i],
                       arena.bench->time(arena.numbers.at(who[i])));
      },
      [&] { return millisecondsSince(start); }, [&] { return stopped(); },
      options);
  milliseconds.timing += millisecondsSince(start);
  for (size_t i = 0; i < who.size(); ++i) {
    if (result.laps[i].samples.empty())
      continue;
    Candidate &report = field[who[i]].report;
    report.status =
        result.dropped[i] ? CandidateStatus::dropped : CandidateStatus::timed;
    report.reason.clear(); // of a race before
    report.promised = coversPart(arena.extent, layer);
    report.medianMicroseconds = result.microseconds[i];
    report.minMicroseconds =
        std::min(result.microseconds[i], result.laps[i].minimum());
  }
  races.noisy |= result.noisy;
  // What the first race could not tell apart, later ones do not either.
  if (!races.hurried)
    races.hurried = result.hurried;
  if (result.noisy)
    races.spread = std::max(races.spread, result.spread);
  return who[result.winner];
}

size_t Contest::raceAgain(Arena &arena, const std::vector<size_t> &who,
                          const RaceOptions &options) {
  const double before = field.timeOf(who.front());
  const size_t winner = raceIn(arena, who, options);
  const double now = field.timeOf(who.front());
  if (before > 0 && now > 0)
    field.rescaleOthers(who, now / before, field.timeOf(winner));
  return winner;
}

} // namespace lintel
