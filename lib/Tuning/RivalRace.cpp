// The end of a tuning: the winner meets one that races so far could not judge.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/RacePlan.h"
#include "Tuning/TuningRun.h"

#include <algorithm>
#include <fmt/core.h>

namespace lintel {

/// Takes the place of a kernel that turned out wrong: the fastest that the
/// arena finds right; the loser if there is none.
size_t TuningRun::firstRightIn(Arena &arena, size_t loser) {
  for (std::vector<size_t> others = fastestFirst(); !others.empty();
       others = fastestFirst()) {
    const size_t next = others.front();
    // That of the loser may have been what others were compared with.
    arena.bench->forgetReference();
    stripVerdicts.clear();
    verify(arena, {next});
    if (contenders[next].alive && stripsAreRight(arena, next, stripVerdicts))
      return next;
  }
  return loser;
}

/// Whether a tuning looks further than its first race.
bool TuningRun::triesMore() {
  return options.maxNeighbours > 0 && options.budgetMilliseconds > 0 &&
         !stopped();
}

/// Builds a rival of the winner, if there is none like it, and races both on so
/// many rows, all columns wide. Returns the rival if it takes at most `worth`
/// times as long.
size_t TuningRun::meetRival(size_t winner, const Schedule &schedule,
                            int64_t benchRows, double worth) {
  const auto known = std::ranges::find_if(contenders, [&](const Contender &c) {
    return c.report.schedule == schedule;
  });
  const size_t rival = known - contenders.begin();
  const bool isNew = rival == contenders.size();
  if (isNew)
    contenders.emplace_back().report.schedule = schedule;
  if (contenders[rival].alive)
    build({rival});
  if (!contenders[rival].alive)
    return winner;
  const Candidate winnerBefore = contenders[winner].report;
  const Candidate rivalBefore = contenders[rival].report;
  const Clock::time_point start = Clock::now();
  Expected<Arena> arena = makeArena({benchRows, std::nullopt}, Fill::exact);
  if (!arena)
    return winner;
  verify(*arena, {winner, rival});
  const bool rivalIsRight =
      contenders[rival].alive && stripsAreRight(*arena, rival, stripVerdicts);
  verifyMilliseconds += millisecondsSince(start);
  if (!contenders[winner].alive && !couldNotRun(winner))
    return firstRightIn(*arena, winner);
  if (couldNotRun(rival) && !isNew)
    putBack(rival, rivalBefore);
  if (rivalIsRight && contenders[winner].alive)
    return raceRival(*arena, winner, rival, worth);
  if (couldNotRun(winner))
    putBack(winner, winnerBefore);
  return winner;
}

/// Says why one that was faster does not win. One that was found wrong keeps
/// that for its reason.
void TuningRun::giveWay(size_t loser, size_t chosen, std::string_view why) {
  Candidate &report = contenders[loser].report;
  const double took = report.medianMicroseconds;
  const double fastest = contenders[chosen].report.medianMicroseconds;
  if (chosen == loser || !contenders[loser].alive || took >= fastest)
    return;
  report.status = CandidateStatus::dropped;
  report.reason = fmt::format("took {:.4g} us, but {}", took, why);
  rescaleOthers({chosen}, 1, fastest);
}

/// The winner meets a rival on as many rows as there is time for, and says why
/// if it gives way; not one whose chunks so many rows do not leave to deal.
size_t TuningRun::meetLastRival(size_t winner, const Schedule &rival,
                                double worth, std::string_view why) {
  const Candidate &best = contenders[winner].report;
  const int64_t benchRows =
      affordableRows(problem, {best.schedule, rival}, best.medianMicroseconds);
  if (benchRows == 0 || !leavesChunksToDeal(rival, benchRows))
    return winner;
  const size_t chosen = meetRival(winner, rival, benchRows, worth);
  giveWay(winner, chosen, why);
  return chosen;
}

size_t TuningRun::raceRival(Arena &arena, size_t winner, size_t rival,
                            double worth) {
  const auto firstRun = [&](size_t i) {
    return arena.bench->sampleMilliseconds(contenders[i].bench);
  };
  const RaceOptions race =
      lastRace(firstRun(winner) + firstRun(rival), options.budgetMilliseconds);
  Candidate &ofWinner = contenders[winner].report,
            &ofRival = contenders[rival].report;
  const Candidate winnerBefore = ofWinner, rivalBefore = ofRival;
  // What they took in other races says nothing here.
  for (Candidate *report : {&ofWinner, &ofRival})
    report->medianMicroseconds = report->minMicroseconds = 0;
  raceIn(arena, {winner, rival}, race);
  const double winnerTook = ofWinner.medianMicroseconds;
  const double rivalTook = ofRival.medianMicroseconds;
  if (winnerTook <= 0 || rivalTook <= 0) { // Ctrl-C was quicker, nothing else
    ofWinner = winnerBefore;
    ofRival = rivalBefore;
    return winner;
  }
  if (winnerBefore.medianMicroseconds > 0)
    rescaleOthers({winner, rival}, winnerTook / winnerBefore.medianMicroseconds,
                  std::min(winnerTook, rivalTook));
  if (rivalTook <= worth * winnerTook)
    return rival;
  rescaleOthers({winner}, 1, winnerTook);
  return winner;
}

} // namespace lintel
