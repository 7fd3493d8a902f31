// The part of a tuning that times: races among contenders.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/TuningRun.h"

#include <algorithm>
#include <tuple>

namespace lintel {

/// Runs shorter than this say little when they are made once.
static constexpr double kShortMicroseconds = 200;
/// Milliseconds that progress counts at most: any number may be a budget, but
/// not any is one of size_t.
static constexpr double kLongestShown = 1e9;

bool TuningRun::raceIsSliced() const { return coversPart(raced); }

/// Of the rows or columns.
bool TuningRun::coversPart(const Extent &extent) const {
  return extent.columns || extent.rows < problem.rows().typical;
}

ColumnSlice TuningRun::sliceOn(const Extent &extent,
                               const Schedule &schedule) const {
  return extent.columns
             ? lastColumns(schedule, problem.n(), extent.columns->wanted)
             : ColumnSlice();
}

RacedPart TuningRun::partOn(const Extent &extent,
                            const Schedule &schedule) const {
  return {extent.rows, problem.n() - sliceOn(extent, schedule).firstColumn};
}

/// What a contender's time on its part is multiplied with to be that of the
/// whole.
double TuningRun::scaleOn(const Extent &extent, size_t who) const {
  const RacedPart part = partOn(extent, contenders[who].report.schedule);
  return static_cast<double>(problem.rows().typical) /
         static_cast<double>(part.rows) * static_cast<double>(problem.n()) /
         static_cast<double>(part.columns);
}

/// What a call on the whole takes that takes so many microseconds on its part:
/// all grows with the part but packing, of which a slice of the columns has as
/// much as all of them.
double TuningRun::onWhole(const Arena &arena, size_t who,
                          double microseconds) const {
  const double scale = scaleOn(arena.extent, who);
  const auto packing = arena.packing.find(who);
  return packing == arena.packing.end()
             ? scale * microseconds
             : timeOfWhole(microseconds, scale, packing->second);
}

/// What the runs of the verification took; nothing if that says little.
Impressions TuningRun::impressions(const Arena &arena,
                                   const std::vector<size_t> &who) const {
  Impressions seen;
  for (size_t i : who) {
    const double time = arena.bench->firstTime(contenders[i].bench);
    if (time < kShortMicroseconds)
      return {};
    seen.microseconds.push_back(onWhole(arena, i, time));
    seen.tookMilliseconds += time / 1000;
  }
  return seen;
}

/// Returns the winner; contenders get their times, scaled to the whole. The
/// incumbent is a place in `who`, the impressions are the arena's.
size_t TuningRun::raceIn(Arena &arena, const std::vector<size_t> &who,
                         RaceOptions raceOptions) {
  // Or the first sample would take time that is no kernel's.
  arena.bench->wakeThreads();
  const Clock::time_point start = Clock::now();
  raceOptions.impressions = impressions(arena, who);
  const RaceResult result = race(
      who.size(),
      [&](size_t i) {
        const double shown =
            std::min(raceOptions.budgetMilliseconds, kLongestShown);
        progress(static_cast<size_t>(std::min(millisecondsSince(start), shown)),
                 static_cast<size_t>(shown), "timing");
        return onWhole(arena, who[i],
                       arena.bench->time(contenders[who[i]].bench));
      },
      [&] { return millisecondsSince(start); }, [&] { return stopped(); },
      raceOptions);
  timeMilliseconds += millisecondsSince(start);
  for (size_t i = 0; i < who.size(); ++i) {
    if (result.laps[i].samples.empty())
      continue;
    Candidate &report = contenders[who[i]].report;
    report.status =
        result.dropped[i] ? CandidateStatus::dropped : CandidateStatus::timed;
    report.promised = coversPart(arena.extent);
    report.medianMicroseconds = result.microseconds[i];
    report.minMicroseconds =
        std::min(result.microseconds[i], result.laps[i].minimum());
  }
  noisy |= result.noisy;
  // What the first race could not tell apart, later ones do not either.
  if (!hurried)
    hurried = result.hurried;
  if (result.noisy)
    spread = std::max(spread, result.spread);
  return who[result.winner];
}

/// The right ones, fastest first; what was never timed comes last.
std::vector<size_t> TuningRun::fastestFirst() const {
  std::vector<size_t> who = alive();
  auto rank = [&](size_t i) {
    const double median = contenders[i].report.medianMicroseconds;
    return std::tuple(median <= 0, median, i);
  };
  std::sort(who.begin(), who.end(),
            [&](size_t a, size_t b) { return rank(a) < rank(b); });
  return who;
}

/// Those that were raced before keep their ratio to the one that leads `who`,
/// which knows them.
size_t TuningRun::raceAgain(Arena &arena, const std::vector<size_t> &who,
                            const RaceOptions &raceOptions) {
  const double before = contenders[who.front()].report.medianMicroseconds;
  const size_t winner = raceIn(arena, who, raceOptions);
  const double now = contenders[who.front()].report.medianMicroseconds;
  if (before > 0 && now > 0)
    rescaleOthers(who, now / before,
                  contenders[winner].report.medianMicroseconds);
  return winner;
}

/// Makes times of another window or of a slice comparable with those of
/// `timed`; none is below the fastest, whose noise decided.
void TuningRun::rescaleOthers(const std::vector<size_t> &timed, double factor,
                              double fastest) {
  for (size_t i : alive()) {
    Candidate &report = contenders[i].report;
    if (report.medianMicroseconds <= 0)
      continue;
    const bool comparable =
        std::find(timed.begin(), timed.end(), i) != timed.end();
    const double scale = comparable ? 1 : factor;
    report.medianMicroseconds =
        std::max(fastest, scale * report.medianMicroseconds);
    report.minMicroseconds =
        std::min(report.medianMicroseconds, scale * report.minMicroseconds);
  }
}

} // namespace lintel
