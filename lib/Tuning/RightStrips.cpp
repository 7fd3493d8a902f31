// The part of a contest that judges micro-kernels by themselves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Problem/ProblemTitle.h"
#include "Runtime/Log.h"
#include "Schedule/Strips.h"
#include "Tuning/Contest.h"
#include "Tuning/FirstRight.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/RacePlan.h"

namespace lintel {

/// For each thread.
static constexpr int64_t kColumnsOfStrips = 256;

/// On rows enough for every micro-kernel, which those of the arena may not be;
/// then on few columns: there may be a thousand rows of them, several times,
/// beside all that the arena holds. None without memory for that.
std::optional<Verdict> Contest::judgeAllStrips(Arena &arena, size_t who) const {
  const Schedule &schedule = field.scheduleOf(who);
  const int64_t needed = rowsWithEveryHeight(schedule.mr, layer.rows());
  if (needed <= arena.extent.rows)
    return arena.bench->verifyStrips(arena.numbers.at(who));
  const Extent extent = {needed, sliceColumns({schedule}, layer.n(),
                                              kColumnsOfStrips * threads())};
  const Problem part =
      withColumns(layer, partOn(extent, schedule, layer).columns);
  const int64_t bytes = MemoryNeed::of(part, {&schedule, 1})
                            .bytes(needed, packedBytes(part, schedule.panel()));
  if (bytes > usableMemory())
    return std::nullopt;
  Expected<Arena> taller = makeArena(extent, arena.fill);
  if (!taller)
    return std::nullopt;
  Expected<size_t> added = taller->bench->add(
      schedule, kernels[field[who].kernel].kernel->function(),
      sliceOn(extent, schedule, layer));
  if (!added)
    return std::nullopt;
  return taller->bench->verifyStrips(*added);
}

Verdict Contest::judgeStrips(Arena &arena, size_t who,
                             std::vector<std::optional<Verdict>> &verdicts) {
  if (layer.m())
    return {};
  verdicts.resize(kernels.size());
  std::optional<Verdict> &known = verdicts[field[who].kernel];
  if (!known)
    known = judgeAllStrips(arena, who);
  Verdict verdict;
  if (known) {
    verdict = *known;
  } else {
    verdict = arena.bench->verifyStrips(arena.numbers.at(who));
    verdict.partial = true;
  }
  // One that could not run may run elsewhere.
  if (known && !known->ran())
    known.reset();
  accept(who, verdict);
  return verdict;
}

bool Contest::stripsAreRight(Arena &arena, size_t who) {
  const Verdict verdict = judgeStrips(arena, who, stripVerdicts);
  if (verdict.partial && verdict.right())
    logMessage(LogLevel::warn,
               "{}: {}: no memory to verify micro-kernels of more than {} "
               "rows together",
               problemTitle(layer.text()), field.scheduleOf(who).text(),
               arena.extent.rows);
  return verdict.right();
}

size_t Contest::firstWithRightStrips(Arena &arena, size_t winner) {
  const auto isRight = [&](size_t next) { return stripsAreRight(arena, next); };
  if (isRight(winner))
    return winner;
  return firstRight(field.fastestFirst(), isRight, [&] { return stopped(); })
      .value_or(winner);
}

} // namespace lintel
