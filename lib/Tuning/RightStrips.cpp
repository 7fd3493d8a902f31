// The part of a tuning that judges micro-kernels by themselves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Problem/ProblemTitle.h"
#include "Runtime/Log.h"
#include "Schedule/Strips.h"
#include "Tuning/FirstRight.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/RacePlan.h"
#include "Tuning/TuningRun.h"

namespace lintel {

/// For each thread.
static constexpr int64_t kColumnsOfStrips = 256;

/// On rows enough for every micro-kernel, which those of the arena may not be;
/// then on few columns: there may be a thousand rows of them, several times,
/// beside all that the arena holds. None without memory for that.
std::optional<Verdict> TuningRun::judgeAllStrips(Arena &arena, size_t who) {
  const Contender &contender = contenders[who];
  const Schedule &schedule = contender.report.schedule;
  const int64_t needed = rowsWithEveryHeight(schedule.mr, problem.rows());
  if (needed <= arena.extent.rows)
    return arena.bench->verifyStrips(contender.bench);
  const Extent extent = {needed,
                         sliceColumns({schedule}, problem.n(),
                                      kColumnsOfStrips * options.threads)};
  const Problem part = withColumns(problem, partOn(extent, schedule).columns);
  const int64_t bytes = MemoryNeed::of(part, {&schedule, 1})
                            .bytes(needed, packedBytes(part, schedule.panel()));
  if (bytes > usableMemory())
    return std::nullopt;
  Expected<Arena> taller = makeArena(extent, arena.fill);
  if (!taller)
    return std::nullopt;
  Expected<size_t> added =
      taller->bench->add(schedule, kernels[contender.kernel].kernel->function(),
                         sliceOn(extent, schedule));
  if (!added)
    return std::nullopt;
  return taller->bench->verifyStrips(*added);
}

/// A kernel for a dynamic M has micro-kernels that the planned rows do not
/// reach. Without memory for all of them, as with a long K, those that the
/// rows of the arena reach are judged. `verdicts` has one for each object
/// already judged, and gets this one.
Verdict TuningRun::judgeStrips(Arena &arena, size_t who,
                               std::vector<std::optional<Verdict>> &verdicts) {
  if (problem.m())
    return {};
  verdicts.resize(kernels.size());
  std::optional<Verdict> &known = verdicts[contenders[who].kernel];
  if (!known)
    known = judgeAllStrips(arena, who);
  Verdict verdict;
  if (known) {
    verdict = *known;
  } else {
    verdict = arena.bench->verifyStrips(contenders[who].bench);
    verdict.partial = true;
  }
  // One that could not run may run elsewhere.
  if (known && !known->ran)
    known.reset();
  accept(who, verdict);
  return verdict;
}

bool TuningRun::stripsAreRight(Arena &arena, size_t who,
                               std::vector<std::optional<Verdict>> &verdicts) {
  const Verdict verdict = judgeStrips(arena, who, verdicts);
  if (verdict.partial && verdict.right())
    logMessage(LogLevel::warn,
               "{}: {}: no memory to verify micro-kernels of more than {} "
               "rows together",
               problemTitle(problem.text()),
               contenders[who].report.schedule.text(), arena.extent.rows);
  return verdict.right();
}

/// The winner, or, where a micro-kernel of its object is wrong, the next best
/// whose are right; the winner, wrong, if there is none, or an interrupt ended
/// the search.
size_t TuningRun::firstWithRightStrips(Arena &arena, size_t winner) {
  const auto isRight = [&](size_t next) {
    return stripsAreRight(arena, next, stripVerdicts);
  };
  if (isRight(winner))
    return winner;
  return firstRight(fastestFirst(), isRight, [&] { return stopped(); })
      .value_or(winner);
}

} // namespace lintel
