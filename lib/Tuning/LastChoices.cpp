// The end of a tuning: the winner meets some that races could not judge.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/LastChoices.h"

#include "Tuning/AffordableRows.h"
#include "Tuning/FirstRight.h"
#include "Tuning/LastRival.h"
#include "Tuning/RacePlan.h"

#include <algorithm>
#include <fmt/core.h>
#include <iterator>

namespace lintel {

namespace {
struct LastChoice {
  /// Whom the winner meets; none if there is nothing to choose.
  std::optional<LastRival> (*rivalOf)(Contest &contest, size_t winner);
  /// Called once the winner, which is right, lost to that; or null.
  void (*whenLost)(Contest &contest, size_t loser) = nullptr;
};
} // namespace

static constexpr LastChoice kLastChoices[] = {
    {rivalOnFewerThreads}, {rivalOnOneThread, doubtThreads},
    {rivalThatReadsLess},  {rivalThatDeals},
    {rivalInMoreChunks},   {rivalForBusyCore},
    {rivalThatStreams},
};

std::optional<LastRival> onAffordableRows(const Contest &contest, size_t winner,
                                          const Schedule &rival, double worth,
                                          std::string_view why) {
  const Contenders &field = contest.contenders();
  const Problem &problem = contest.problem();
  const int64_t rows =
      affordableRows(problem, {field.scheduleOf(winner), rival},
                     contest.target(), contest.threads(), field.timeOf(winner));
  if (rows == 0 || !leavesChunksToDeal(rival, problem, rows, contest.threads()))
    return std::nullopt;
  return LastRival{rival, rows, worth, why};
}

/// Whether it is right on as many rows as there is memory for, where one that
/// was wrong may have been what others were compared with.
static bool isRightAlone(Contest &contest, size_t who) {
  const Contenders &field = contest.contenders();
  const int64_t rows =
      affordableRows(contest.problem(), {field.scheduleOf(who)},
                     contest.target(), contest.threads(), field.timeOf(who));
  if (rows == 0)
    return false;
  Expected<Arena> arena = contest.makeArena({rows, std::nullopt}, Fill::exact);
  if (!arena)
    return false;
  contest.verifyAfresh(*arena, {who});
  return field[who].alive && contest.stripsAreRight(*arena, who);
}

/// Returns the rival if it takes at most `worth` times as long.
static size_t raceRival(Contest &contest, Arena &arena, size_t winner,
                        size_t rival, double worth) {
  Contenders &field = contest.contenders();
  const auto firstRun = [&](size_t i) {
    return arena.bench->sampleMilliseconds(arena.numbers.at(i));
  };
  const RaceOptions race = lastRace(firstRun(winner) + firstRun(rival),
                                    contest.options().budgetMilliseconds);
  Candidate &ofWinner = field[winner].report, &ofRival = field[rival].report;
  const Candidate winnerBefore = ofWinner, rivalBefore = ofRival;
  // What they took in other races says nothing here.
  for (Candidate *report : {&ofWinner, &ofRival})
    report->medianMicroseconds = report->minMicroseconds = 0;
  contest.raceIn(arena, {winner, rival}, race);
  const double winnerTook = ofWinner.medianMicroseconds;
  const double rivalTook = ofRival.medianMicroseconds;
  // Ctrl-C leaves too few samples to go by, or none.
  if (contest.wasStopped() || winnerTook <= 0 || rivalTook <= 0) {
    ofWinner = winnerBefore;
    ofRival = rivalBefore;
    return winner;
  }
  if (winnerBefore.medianMicroseconds > 0)
    field.rescaleOthers({winner, rival},
                        winnerTook / winnerBefore.medianMicroseconds,
                        std::min(winnerTook, rivalTook));
  if (rivalTook <= worth * winnerTook)
    return rival;
  field.rescaleOthers({winner}, 1, winnerTook);
  return winner;
}

/// Builds the rival, if there is none like it, and races it against the winner.
/// Returns who of them is to be chosen, or who takes the place of a winner that
/// turned out wrong.
static size_t meet(Contest &contest, size_t winner, const LastRival &wanted) {
  Contenders &field = contest.contenders();
  const std::optional<size_t> known = field.find(wanted.schedule);
  const size_t rival = known ? *known : field.add(wanted.schedule);
  if (field[rival].alive)
    contest.build({rival});
  if (!field[rival].alive)
    return winner;
  const Candidate winnerBefore = field[winner].report;
  const Candidate rivalBefore = field[rival].report;
  const Clock::time_point start = Clock::now();
  Expected<Arena> arena =
      contest.makeArena({wanted.rows, std::nullopt}, Fill::exact);
  if (!arena)
    return winner;
  contest.verify(*arena, {winner, rival});
  const bool rivalRan = field[rival].alive;
  const bool rivalIsRight = rivalRan && contest.stripsAreRight(*arena, rival);
  // Its strips may have shown that the winner, which it was compared with, is
  // as wrong as it was itself.
  if (rivalRan && !rivalIsRight && field[winner].alive) {
    contest.verifyAfresh(*arena, {winner});
    if (field[winner].alive)
      (void)contest.stripsAreRight(*arena, winner);
  }
  contest.spent().verifying += millisecondsSince(start);
  if (!field[winner].alive && !field.couldNotRun(winner)) {
    arena->bench.reset(); // its memory is for who comes next
    return firstRight(
               field.fastestFirst(),
               [&](size_t next) { return isRightAlone(contest, next); },
               [&] { return contest.stopped(); })
        .value_or(winner);
  }
  if (field.couldNotRun(rival) && known)
    field.putBack(rival, rivalBefore);
  if (rivalIsRight && field[winner].alive)
    return raceRival(contest, *arena, winner, rival, wanted.worth);
  if (field.couldNotRun(winner))
    field.putBack(winner, winnerBefore);
  return winner;
}

/// Says why one that was faster does not win. One that was found wrong keeps
/// that for its reason.
static void giveWay(Contenders &field, size_t loser, size_t chosen,
                    std::string_view why) {
  const double took = field.timeOf(loser), fastest = field.timeOf(chosen);
  if (!field[loser].alive || took >= fastest)
    return;
  Candidate &report = field[loser].report;
  report.status = CandidateStatus::dropped;
  report.reason = fmt::format("took {:.4g} us, but {}", took, why);
  field.rescaleOthers({chosen}, 1, fastest);
}

size_t makeLastChoices(Contest &contest, size_t winner) {
  for (const LastChoice &choice : kLastChoices) {
    // What was never timed has nothing to say how many rows there is time for.
    if (!contest.contenders()[winner].alive ||
        contest.contenders().timeOf(winner) <= 0 || !contest.triesMore())
      break;
    const std::optional<LastRival> rival = choice.rivalOf(contest, winner);
    const size_t chosen = rival ? meet(contest, winner, *rival) : winner;
    if (chosen == winner)
      continue;
    Contenders &field = contest.contenders();
    giveWay(field, winner, chosen, rival->why);
    if (choice.whenLost && field[winner].alive && field[chosen].alive)
      choice.whenLost(contest, winner);
    winner = chosen;
  }
  return winner;
}

} // namespace lintel
