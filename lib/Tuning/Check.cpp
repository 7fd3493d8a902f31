// A run that compares candidates with the oracle and times none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/MemoryBudget.h"
#include "Tuning/TuningRun.h"

namespace lintel {

/// Checks the candidates of a round that are right so far.
Status TuningRun::checkRound(const CheckRound &round, Fill fill) {
  std::vector<size_t> who = round.schedules;
  std::erase_if(who, [&](size_t i) { return !contenders[i].alive; });
  if (who.empty())
    return {};
  Expected<Arena> arena = makeArena({round.rows, std::nullopt}, fill);
  if (!arena)
    return arena.error();
  arena->grids = Grids::named;
  verify(*arena, who);
  std::vector<std::optional<Verdict>> strips; // of data of this kind
  for (size_t i : who)
    if (contenders[i].alive && judgeStrips(*arena, i, strips).partial &&
        contenders[i].alive)
      exclude(contenders[i], CandidateStatus::dropped,
              "no memory for the rows that all of its strips take");
  return {};
}

/// Of a round that an interrupt came before.
void TuningRun::leaveUnchecked(const CheckRound &round) {
  for (size_t i : round.schedules)
    if (contenders[i].alive)
      exclude(contenders[i], CandidateStatus::dropped,
              "interrupted before it was verified");
}

Expected<std::vector<Candidate>> TuningRun::check() {
  Expected<CheckPlan> plan =
      planCheck(problem, schedules(), predictedMicroseconds(), usableMemory());
  if (!plan)
    return plan.error();
  for (size_t i = 0; i < contenders.size(); ++i)
    if (!plan->obstacles[i].empty())
      exclude(contenders[i], CandidateStatus::dropped, plan->obstacles[i]);
  build(alive());
  for (const CheckRound &round : plan->rounds) {
    if (stopped()) {
      leaveUnchecked(round);
      continue;
    }
    for (Fill fill : {Fill::exact, Fill::gaussian})
      if (Status done = checkRound(round, fill); !done)
        return done.error();
  }

  std::vector<Candidate> candidates;
  for (Contender &contender : contenders) {
    Candidate &report = contender.report;
    if (contender.alive)
      report.status = CandidateStatus::right;
    else if (report.status == CandidateStatus::dropped)
      report.status = CandidateStatus::unchecked;
    candidates.push_back(std::move(report));
  }
  return candidates;
}

} // namespace lintel
