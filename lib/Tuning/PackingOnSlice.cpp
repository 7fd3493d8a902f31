// The part of a contest that tells packing from what grows with a slice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Contest.h"

#include <algorithm>
#include <cmath>

namespace lintel {

/// Runs on the slice, and as many on the narrow part; the fastest count. The
/// slice's first run, of which the verification knows, is no equal of theirs.
static constexpr int kRuns = 2;
/// The part may have this share of the slice's columns: its time shall be
/// packing above all.
static constexpr double kNarrow = 0.25;

/// Once of each: a winner that meets its neighbours gives the measure for all
/// others, and must not change by a new difference of two noisy times.
void Contest::measurePacking(Arena &arena, const std::vector<size_t> &who) {
  for (size_t i : who) {
    const Schedule &schedule = field.scheduleOf(i);
    if (!field[i].alive || arena.packing.contains(i) || !schedule.packsA() ||
        sliceOn(arena.extent, schedule, layer).whole() || stopped())
      continue;
    if (const auto packing = measuredPacking(arena, i))
      arena.packing.emplace(i, *packing);
  }
}

/// Each thread packs its rows of x for any columns, so that a slice of a tenth
/// of them packs as much as all do: with 16 rows and a deep K that is a third
/// of the time of 256 columns, and 16x14336:14336x4096 of f32 was tuned 34 %
/// behind the best. So the kernel also runs on as few columns as it can, which
/// take what packing takes and a little for themselves.
std::optional<PackingOnSlice> Contest::measuredPacking(Arena &arena,
                                                       size_t who) const {
  const Schedule &schedule = field.scheduleOf(who);
  const ColumnSlice part = lastColumns(schedule, layer.n(), /*wanted=*/1);
  const RacedPart whole = {layer.rows().typical, layer.n()};
  const RacedPart slice = partOn(arena.extent, schedule, layer);
  const RacedPart narrow = {slice.rows, layer.n() - part.firstColumn};
  const auto packing = [&](const RacedPart &of) {
    return packingOf(of, narrow, schedule, layer, target(), threads());
  };
  const double share =
      static_cast<double>(narrow.columns) / static_cast<double>(slice.columns);
  if (share * packing(slice) > kNarrow)
    return std::nullopt;
  const size_t kernel = arena.numbers.at(who);
  const auto fastestOn = [&](const ColumnSlice &columns) {
    double fastest = INFINITY;
    for (int run = 0; run < kRuns; ++run)
      fastest = std::min(fastest, arena.bench->timeOnPart(kernel, columns));
    return fastest;
  };
  const double onSlice = fastestOn(sliceOn(arena.extent, schedule, layer));
  const double onNarrow = std::min(onSlice, fastestOn(part));
  return PackingOnSlice{packingTold(onSlice, onNarrow, share, packing(slice)),
                        packing(whole) / packing(slice)};
}

} // namespace lintel
