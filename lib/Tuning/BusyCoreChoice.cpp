// The part of a tuning that prefers kernels for busy minutes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/BusyCoreChoice.h"

#include "Schedule/CoreModel.h"
#include "Schedule/Partition.h"
#include "Schedule/Ranking.h"
#include "Tuning/LastRival.h"
#include "Tuning/ReadersChoice.h"
#include "Tuning/StoreChoice.h"

#include <algorithm>

namespace lintel {

/// So much longer, in a quiet minute, pays in one in which another hyperthread
/// works: 9x48 with five rows embedded took 7 % less there than 8x48 with rows
/// in place, and -1 to 2 % more in a quiet one (decision 113). Of two that
/// embed rows the rival was the faster one in both (decision 114).
static constexpr double kWorthBusyMinutes = 1.02;
/// The same on tiles: 16x32 took 0.69 to 0.77 of the time of 32x32 while
/// another hyperthread worked, and 1.01 to 1.07 times as long otherwise for
/// large layers, 1.14 to 1.26 times for small ones (decision 121).
static constexpr double kWorthBusyMinutesOnTiles = 1.08;
/// Of so many cores some are busy in every race.
static constexpr int kThreadsThatSeeBoth = 4;
/// What the estimate must promise for such minutes.
static constexpr double kWorthTrying = 0.97;

/// Whether packed rows of a block stay in L2, from all of K: what is read again
/// from beyond it, and how sums of a K that is cut come and go, is slower still
/// where a machine is busy, and the estimate knows quiet ones.
static bool keepsRowsInL2(const Schedule &schedule, const Problem &problem,
                          const Target &target) {
  const int64_t rows = std::min(schedule.mc, problem.rows().typical);
  return schedule.kc >= problem.k() &&
         saturatingProduct({rows, problem.k(), int64_t(sizeof(float))}) <=
             target.l2;
}

/// Whether a core that another hyperthread works on suits it: of vectors those
/// whose multiply-adds broadcast rows, of tiles any, since the estimate knows
/// what registers cost there.
static bool maySuitBusyCores(const Schedule &schedule, const Problem &problem,
                             const Target &target) {
  return schedule.onTiles() ||
         (schedule.embed > 0 && keepsRowsInL2(schedule, problem, target));
}

double worthOnBusyCore(Unit unit) {
  return unit == Unit::amx ? kWorthBusyMinutesOnTiles : kWorthBusyMinutes;
}

bool raceTellsAll(const Schedule &winner, const Problem &problem,
                  const Target &target, int threads) {
  return CoreModel::of(target).uopsBesideHyperthread <= 0 ||
         (winner.onTiles() &&
          threadsTaken(winner, problem, threads) >= kThreadsThatSeeBoth);
}

std::optional<Schedule> rivalOnBusyCore(const Schedule &winner,
                                        const std::vector<Schedule> &space,
                                        const Problem &problem,
                                        const Target &target, int threads) {
  const auto predicted = [&](const Schedule &schedule) {
    return predictBesideHyperthread(schedule, problem, target, threads);
  };
  std::optional<Schedule> rival;
  double least = kWorthTrying * predicted(winner);
  for (const Schedule &schedule : space) {
    if (schedule.unit != winner.unit ||
        !maySuitBusyCores(schedule, problem, target) ||
        !mayStandIn(schedule, winner, problem, target, threads) ||
        chunksOfCall(schedule, problem) < chunksOfCall(winner, problem))
      continue;
    if (const double took = predicted(schedule); took < least) {
      least = took;
      rival = schedule;
    }
  }
  return rival;
}

std::optional<LastRival> rivalForBusyCore(Contest &contest, size_t winner) {
  const Schedule &best = contest.contenders().scheduleOf(winner);
  if (raceTellsAll(best, contest.problem(), contest.target(),
                   contest.threads()))
    return std::nullopt;
  const std::optional<Schedule> rival =
      rivalOnBusyCore(best, contest.permittedSpace(), contest.problem(),
                      contest.target(), contest.threads());
  if (!rival)
    return std::nullopt;
  return onAffordableRows(
      contest, winner, *rival, worthOnBusyCore(best.unit),
      "what it does takes longer where another hyperthread works");
}

} // namespace lintel
