// A run that compares candidates with the oracle and times none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/CheckRun.h"

#include "Schedule/Ranking.h"
#include "Tuning/CheckPlan.h"
#include "Tuning/MemoryBudget.h"

#include <optional>
#include <utility>

namespace lintel {

/// Checks the candidates of a round that are right so far.
static Status checkRound(Contest &contest, const CheckRound &round, Fill fill) {
  Contenders &field = contest.contenders();
  std::vector<size_t> who = round.schedules;
  std::erase_if(who, [&](size_t i) { return !field[i].alive; });
  if (who.empty())
    return {};
  Expected<Arena> arena = contest.makeArena({round.rows, std::nullopt}, fill);
  if (!arena)
    return arena.error();
  arena->grids = Grids::named;
  contest.verify(*arena, who);
  std::vector<std::optional<Verdict>> strips; // of data of this kind
  for (size_t i : who)
    if (field[i].alive && contest.judgeStrips(*arena, i, strips).partial &&
        field[i].alive)
      field.exclude(i, CandidateStatus::dropped,
                    "no memory for the rows that all of its strips take");
  return {};
}

/// Of a round that an interrupt came before.
static void leaveUnchecked(Contenders &field, const CheckRound &round) {
  for (size_t i : round.schedules)
    if (field[i].alive)
      field.exclude(i, CandidateStatus::dropped,
                    "interrupted before it was verified");
}

/// Whether nothing is known of a kernel: nobody came to it, or memory that the
/// plan had counted on was not to be had.
static bool remainedUnchecked(const Contender &contender) {
  const CandidateStatus status = contender.report.status;
  return status == CandidateStatus::dropped ||
         (status == CandidateStatus::failed &&
          contender.error == ErrorCode::io);
}

static std::vector<Candidate> reportsOf(Contenders &field) {
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < field.size(); ++i) {
    Candidate &report = field[i].report;
    if (field[i].alive)
      report.status = CandidateStatus::right;
    else if (remainedUnchecked(field[i]))
      report.status = CandidateStatus::unchecked;
    candidates.push_back(std::move(report));
  }
  return candidates;
}

Expected<std::vector<Candidate>>
runCheck(const Problem &problem, const std::vector<Schedule> &schedules,
         const TuningContext &context, const TuningOptions &options) {
  Contest contest(problem, schedules, context, options);
  Contenders &field = contest.contenders();
  Expected<CheckPlan> plan =
      planCheck(problem, schedules,
                predictMicroseconds(schedules.front(), problem, context.target,
                                    options.threads),
                usableMemory());
  if (!plan)
    return plan.error();
  for (size_t i = 0; i < field.size(); ++i)
    if (!plan->obstacles[i].empty())
      field.exclude(i, CandidateStatus::dropped, plan->obstacles[i]);
  contest.build(field.alive());
  for (const CheckRound &round : plan->rounds) {
    if (contest.stopped()) {
      leaveUnchecked(field, round);
      continue;
    }
    for (Fill fill : {Fill::exact, Fill::gaussian})
      if (Status done = checkRound(contest, round, fill); !done)
        return done.error();
  }
  return reportsOf(field);
}

} // namespace lintel
