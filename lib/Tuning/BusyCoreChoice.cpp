// The part of a tuning that prefers kernels for busy minutes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/CoreModel.h"
#include "Schedule/Partition.h"
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/LastRivals.h"
#include "Tuning/ReadersChoice.h"
#include "Tuning/TuningRun.h"

#include <algorithm>

namespace lintel {

/// So much longer, in a quiet minute, pays in one in which another hyperthread
/// works: 9x48 with five rows embedded took 7 % less there than 8x48 with rows
/// in place, and -1 to 2 % more in a quiet one (decision 113). Of two that
/// embed rows the rival was the faster one in both (decision 114).
static constexpr double kWorthBusyMinutes = 1.02;
/// What the estimate must promise for such minutes.
static constexpr double kWorthTrying = 0.97;

/// Whether packed rows of a block stay in L2, from all of K: what is read again
/// from beyond it, and how sums of a K that is cut come and go, is slower still
/// where a machine is busy, and the estimate knows quiet ones.
bool TuningRun::keepsRowsInL2(const Schedule &schedule) const {
  const int64_t rows = std::min(schedule.mc, planningRows(problem));
  return schedule.kc >= problem.k() &&
         saturatingProduct({rows, problem.k(), int64_t(sizeof(float))}) <=
             context.target.l2;
}

/// Of the schedules whose multiply-adds broadcast rows, and which share out
/// work as the winner does, the one that the estimate likes best beside another
/// hyperthread; none if it does not promise enough.
std::optional<Schedule> TuningRun::rivalOnBusyCore(size_t winner) {
  const Schedule &best = contenders[winner].report.schedule;
  const auto predicted = [&](const Schedule &schedule) {
    return predictBesideHyperthread(schedule, problem, context.target,
                                    options.threads);
  };
  if (space.empty())
    space = enumerateSchedules(problem, context.target, options.threads);
  std::optional<Schedule> rival;
  double least = kWorthTrying * predicted(best);
  for (const Schedule &schedule : space) {
    if (schedule.embed == 0 ||
        (options.panel && schedule.panel() != *options.panel) ||
        !keepsRowsInL2(schedule) ||
        !mayStandIn(schedule, best, problem, context.target, options.threads) ||
        chunksOfCall(schedule, problem) < chunksOfCall(best, problem))
      continue;
    if (const double took = predicted(schedule); took < least) {
      least = took;
      rival = schedule;
    }
  }
  return rival;
}

/// The winner meets one that the estimate prefers on a busy core: a race sees
/// some minutes of a machine, and other ones are busier.
size_t TuningRun::chooseForBusyCore(size_t winner) {
  if (CoreModel::of(context.target).uopsBesideHyperthread <= 0 || !triesMore())
    return winner;
  const std::optional<Schedule> rival = rivalOnBusyCore(winner);
  return rival ? meetLastRival(winner, *rival, kWorthBusyMinutes,
                               "what it does takes longer where another "
                               "hyperthread works")
               : winner;
}

} // namespace lintel
