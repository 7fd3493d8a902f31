// The part of a tuning that judges micro-kernels by themselves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/SearchSpace.h"
#include "Tuning/FirstRight.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/TuningRun.h"

namespace lintel {

/// For each thread.
static constexpr int64_t kColumnsOfStrips = 256;

/// On rows enough for every micro-kernel, which those of the arena may not be;
/// then on few columns: there may be a thousand rows of them, several times,
/// beside all that the arena holds. Without memory for these, on those of the
/// arena: a long K leaves few rows, and it is that or no kernel at all.
Verdict TuningRun::judgeStrips(Arena &arena, size_t who) {
  const Contender &contender = contenders[who];
  const Schedule &schedule = contender.report.schedule;
  const int64_t needed = rowsWithEveryHeight(schedule.mr, problem.rows());
  if (needed <= arena.rows)
    return arena.bench->verifyStrips(contender.bench);
  const ColumnSlice slice =
      lastColumns(schedule, problem.n(), kColumnsOfStrips * options.threads);
  const Problem part = withColumns(problem, problem.n() - slice.firstColumn);
  const int64_t bytes = MemoryNeed::of(part, {&schedule, 1})
                            .bytes(needed, packedBytes(part, schedule.panel()));
  if (bytes > usableMemory())
    return arena.bench->verifyStrips(contender.bench);
  Expected<Arena> taller =
      makeArena(needed,
                slice.whole() ? std::nullopt
                              : std::optional(problem.n() - slice.firstColumn),
                arena.fill);
  if (!taller)
    return {0, taller.error().message(), /*ran=*/false};
  Expected<size_t> added = taller->bench->add(
      schedule, kernels[contender.kernel].kernel->function(), slice);
  if (!added)
    return {0, added.error().message(), /*ran=*/false};
  return taller->bench->verifyStrips(*added);
}

/// A kernel for a dynamic M has micro-kernels that the planned rows do not
/// reach. `verdicts` has one for each object already judged, and gets this one.
bool TuningRun::stripsAreRight(Arena &arena, size_t who,
                               std::vector<std::optional<Verdict>> &verdicts) {
  if (problem.m())
    return true;
  verdicts.resize(kernels.size());
  std::optional<Verdict> &known = verdicts[contenders[who].kernel];
  const Verdict verdict = known ? *known : judgeStrips(arena, who);
  // One that could not run may run elsewhere.
  if (verdict.ran)
    known = verdict;
  accept(who, verdict);
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
