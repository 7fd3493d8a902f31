// One problem on its way to a winner.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/TuningRun.h"

#include "Schedule/Ranking.h"
#include "Tuning/Confirmation.h"
#include "Tuning/Exploration.h"
#include "Tuning/LastChoices.h"
#include "Tuning/LastRival.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/RacePlan.h"
#include "Tuning/WaitedForCpus.h"

#include <algorithm>
#include <fmt/core.h>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace lintel {

/// Shares of the budget for the first race: some is left for the winner's
/// neighbours, and, after a race on slices, for the best few at full size.
static constexpr double kShareOfRace = 0.5;
static constexpr double kShareOfSlicedRace = 0.4;

/// Those that would be raced as equal shares, under another name, for want of
/// rows, are left out; unless there is nobody else, as where one is pinned.
static void leaveOutUndealt(Contest &contest, int64_t rows) {
  Contenders &field = contest.contenders();
  std::vector<size_t> undealt = field.alive();
  const size_t all = undealt.size();
  std::erase_if(undealt, [&](size_t i) {
    return leavesChunksToDeal(field.scheduleOf(i), contest.problem(), rows,
                              contest.threads());
  });
  if (undealt.size() == all)
    return;
  for (size_t i : undealt)
    field.exclude(i, CandidateStatus::dropped,
                  "no more chunks than threads on a slice of " +
                      std::to_string(rows) + " rows");
}

/// What the first race has of the problem. Leaves out who cannot take part.
static Expected<Extent> planFirstRace(Contest &contest) {
  Contenders &field = contest.contenders();
  const std::vector<Schedule> schedules = field.schedules();
  Expected<RacePlan> plan =
      planRace(contest.problem(), schedules, contest.threads(),
               predictMicroseconds(schedules.front(), contest.problem(),
                                   contest.target(), contest.threads()),
               usableMemory());
  if (!plan)
    return plan.error();
  for (size_t i = 0; i < field.size(); ++i)
    if (!plan->rows.obstacles[i].empty())
      field.exclude(i, CandidateStatus::dropped, plan->rows.obstacles[i]);
  leaveOutUndealt(contest, plan->rows.rows);
  return Extent{plan->rows.rows, plan->columns};
}

/// The winner of the first race and of what is tried around it, there.
static Expected<size_t> winnerOn(Contest &contest, const Extent &raced) {
  const Contenders &field = contest.contenders();
  const TuningOptions &options = contest.options();
  const Clock::time_point start = Clock::now();
  Expected<Arena> arena = contest.makeArena(raced, Fill::exact);
  if (!arena)
    return arena.error();
  contest.verify(*arena, field.alive());
  contest.spent().verifying += millisecondsSince(start);
  if (field.alive().empty())
    return contest.nothingRight();
  const double share =
      coversPart(raced, contest.problem()) ? kShareOfSlicedRace : kShareOfRace;
  size_t winner = contest.raceIn(
      *arena, field.alive(),
      {.budgetMilliseconds = share * options.budgetMilliseconds});
  if (!options.pinned)
    winner = explore(contest, *arena, winner);
  return contest.firstWithRightStrips(*arena, winner);
}

/// Why the winner may not be the fastest; empty if there is no reason.
static std::string doubtIn(Contest &contest, const Candidate &winner) {
  const Target &target = contest.target();
  const RaceRecord &record = contest.record();
  const bool untimed = winner.medianMicroseconds <= 0 && !contest.wasStopped();
  const double predicted = predictMicroseconds(
      winner.schedule, contest.problem(), target, contest.threads());
  std::string doubt;
  // Emulation is slow by itself.
  if (!target.emulatesTiles() &&
      waitedForCpus(winner.medianMicroseconds, predicted))
    doubt = timesTheEstimate(winner.medianMicroseconds, predicted);
  else if (!record.lostToOneThread.empty())
    doubt = record.lostToOneThread;
  else if (record.noisy)
    doubt = fmt::format("timings scatter by {:.1f}%, too much to tell the "
                        "fastest apart",
                        100 * record.spread);
  else if (record.hurried.value_or(false) || untimed)
    doubt = untimed ? "there was no time to time any candidate"
                    : "there was no time to time anybody twice in a race that "
                      "decides";
  else
    return "";
  if (contest.threads() > target.cores)
    doubt += fmt::format(", with more threads ({}) than CPUs ({})",
                         contest.threads(), target.cores);
  return doubt;
}

/// Winner first, then by median, then what was never timed, as it came.
static std::vector<Candidate> takeReports(Contenders &field, size_t winner) {
  std::vector<size_t> order(field.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::sort(order, {}, [&](size_t i) {
    return std::tuple(i != winner, field.timeOf(i) <= 0, field.timeOf(i), i);
  });
  std::vector<Candidate> reports;
  for (size_t i : order)
    reports.push_back(std::move(field[i].report));
  return reports;
}

static Expected<TuningResult> resultOf(Contest &contest, size_t winner) {
  Contenders &field = contest.contenders();
  if (!field[winner].alive)
    return contest.nothingRight();
  Candidate &report = field[winner].report;
  report.status = CandidateStatus::winner;
  // It may have given way before it won again.
  report.reason.clear();
  TuningResult result;
  result.objectsCompiled = contest.objectsCompiled();
  BuiltKernel kernel = contest.takeKernel(winner);
  result.winnerObject = std::move(kernel.object);
  result.winnerKernel = std::move(kernel.kernel);
  result.maxError = report.maxError;
  result.interrupted = contest.wasStopped();
  result.doubt = doubtIn(contest, report);
  result.candidates = takeReports(field, winner);
  result.compileMilliseconds = contest.spent().compiling;
  result.verifyMilliseconds = contest.spent().verifying;
  result.timeMilliseconds = contest.spent().timing;
  return result;
}

Expected<TuningResult> runTuning(const Problem &problem,
                                 const std::vector<Schedule> &schedules,
                                 const TuningContext &context,
                                 const TuningOptions &options) {
  const Clock::time_point start = Clock::now();
  Contest contest(problem, schedules, context, options);
  const Contenders &field = contest.contenders();
  Expected<Extent> raced = planFirstRace(contest);
  if (!raced)
    return raced.error();
  contest.build(field.alive());
  if (field.alive().empty())
    return contest.nothingRight();
  Expected<size_t> first = winnerOn(contest, *raced);
  if (!first)
    return first.error();
  size_t winner = *first;
  if (coversPart(*raced, problem) && field[winner].alive)
    winner = confirm(contest, *raced, winner);
  if (!options.pinned && field[winner].alive)
    winner = makeLastChoices(contest, winner);
  if (!options.pinned && contest.record().lostToOneThread.empty())
    doubtThreadsThatWaited(contest, winner);
  Expected<TuningResult> result = resultOf(contest, winner);
  if (result)
    result->totalMilliseconds = millisecondsSince(start);
  return result;
}

} // namespace lintel
