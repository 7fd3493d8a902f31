// Grouping the search space, and blockings that it would not propose.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"

#include "Schedule/Legality.h"
#include "Schedule/Partition.h"
#include "Schedule/SearchSpace.h"

#include <algorithm>

namespace lintel::integration {

bool takesTiles(DType weight, const Target &target) {
  return target.multipliesTilesOf(weight) ||
         target.multipliesSplitTilesOf(weight);
}

void placeOnTiles(Schedule &schedule, DType weight, const Target &target) {
  schedule.unit = Unit::amx;
  schedule.pack = PackA::block;
  schedule.group = tileInterleaveOf(weight);
  if (target.multipliesTilesOf(weight))
    return;
  schedule.widen = Widen::panel;
  schedule.tiles = LoopOrder::nm;
  schedule.group = interleaveOf(weight);
}

std::vector<CodeVariant> searchSpaceByCode(const Problem &problem,
                                           const Target &target, int threads) {
  std::vector<CodeVariant> variants;
  // Machines without tile registers are tested for the rest.
  const bool sumsHalves = problem.types().accumulate == DType::f16 &&
                          target.has(Extension::avx512Fp16);
  const bool hasTiles = takesTiles(problem.types().weight, target);
  for (const Schedule &schedule :
       enumerateSchedules(problem, target, threads)) {
    if (hasTiles != schedule.onTiles())
      continue;
    // So are those without arithmetic in f16.
    if (sumsHalves != schedule.sumsRunsInHalf())
      continue;
    auto known = std::find_if(
        variants.begin(), variants.end(), [&](const CodeVariant &variant) {
          return variant.first().code() == schedule.code();
        });
    if (known == variants.end())
      variants.push_back({{schedule}});
    else
      known->schedules.push_back(schedule);
  }
  return variants;
}

/// Where x is not packed, in either way: once for all blocks of K, or each.
static Schedule packedOtherwise(Schedule schedule, size_t turn) {
  const PackA packed = turn % 2 == 0 ? PackA::block : PackA::whole;
  schedule.pack = schedule.packsA() ? PackA::none : packed;
  return schedule;
}

/// On tile registers: after the tile, or in the next one.
static Schedule finishedOtherwise(Schedule schedule) {
  schedule.epilogue = schedule.epilogue == EpiloguePlacement::next
                          ? EpiloguePlacement::tile
                          : EpiloguePlacement::next;
  return schedule;
}

std::vector<Schedule> someCodes(const Problem &problem, const Target &target,
                                size_t count, size_t turn) {
  const std::vector<CodeVariant> variants =
      searchSpaceByCode(problem, target, /*threads=*/2);
  std::vector<Schedule> codes;
  for (size_t i = 0; i < std::min(count, variants.size()); ++i)
    codes.push_back(
        variants[(turn * count + i) % variants.size()].schedules.front());
  // Dot products and slices of K read x in place alone, tile registers most
  // layers packed alone.
  if (const Schedule other = packedOtherwise(codes.front(), turn);
      checkSchedule(other, problem, target))
    codes.push_back(other);
  if (const Schedule other = finishedOtherwise(codes.front());
      checkSchedule(other, problem, target))
    codes.push_back(other);
  return codes;
}

/// Fewer slices than cache lines of K and as many, and more, which leaves some
/// without depth.
static void addSliced(std::vector<Schedule> &schedules, const Schedule &code,
                      const Problem &problem) {
  if (code.pack != PackA::none ||
      code.takesWholeDepth(problem.types().weight) ||
      !problem.rows().isBounded())
    return;
  const int64_t lines = (problem.k() + 15) / 16;
  struct Grid {
    int64_t mc, nc, m, n, k;
    LoopOrder tiles;
    Dealing deal = Dealing::fixed;
  };
  for (const Grid &grid : {Grid{code.mr, code.nr, 2, 3, 2, LoopOrder::mn},
                           Grid{Schedule::kWhole, 2 * code.nr, 1, 2,
                                std::max<int64_t>(2, lines), LoopOrder::nm},
                           Grid{2 * code.mr, Schedule::kWhole, 1, 1, lines + 3,
                                LoopOrder::mn, Dealing::dynamic}}) {
    Schedule schedule = code;
    schedule.epilogue = EpiloguePlacement::tile;
    schedule.mc = grid.mc;
    schedule.nc = grid.nc;
    schedule.kc = Schedule::kWhole;
    schedule.tiles = schedule.blocks = grid.tiles;
    schedule.gridM = grid.m;
    schedule.gridN = grid.n;
    schedule.gridK = grid.k;
    schedule.deal = grid.deal;
    schedules.push_back(schedule);
  }
}

std::vector<Schedule> awkwardBlockings(const Schedule &code,
                                       const Problem &problem) {
  constexpr int64_t whole = Schedule::kWhole;
  constexpr LoopOrder mn = LoopOrder::mn, nm = LoopOrder::nm;
  const int64_t mr = code.mr, nr = code.nr;
  const int64_t k = std::max<int64_t>(1, problem.k());
  const int64_t half = (k + 1) / 2, third = (k + 2) / 3;
  const DType weight = problem.types().weight;
  const int64_t step = code.onTiles()
                           ? depthUnitOf(weight)
                           : std::min(code.group, interleaveOf(weight));
  struct Blocking {
    int64_t mc, nc, kc;
    LoopOrder blocks, tiles;
    int64_t gridM, gridN;
    Dealing deal = Dealing::fixed;
  };
  const Blocking blockings[] = {
      {mr, nr, half, nm, mn, 2, 3},
      {2 * mr, whole, std::max<int64_t>(1, k - 1), mn, nm, 3, 1},
      {3 * mr, 2 * nr, k + 1, mn, nm, 1, 2},
      {mr + 1, nr + 1, third, mn, mn, 7, 5, Dealing::dynamic},
      // Chunks of the same rows follow each other, with all of them in a block,
      // with a part of K, and in several blocks.
      {4 * mr, 2 * nr, k, mn, nm, 2, 4, Dealing::dynamic},
      {4 * mr, nr, third, nm, mn, 1, 3, Dealing::dynamic},
      {mr, 2 * nr, k, nm, mn, 1, 4, Dealing::dynamic},
      {1, 1, std::min<int64_t>(k, 7), nm, nm, 1, 1},
      // The largest M must still find its workspace.
      {4 * mr, whole, k, mn, mn, 1, 1},
      // Code for a K that is never cut.
      {2 * mr, 2 * nr, whole, nm, nm, 2, 2},
  };
  std::vector<Schedule> schedules;
  for (const Blocking &blocking : blockings) {
    Schedule schedule = code;
    schedule.mc = blocking.mc;
    schedule.nc = blocking.nc;
    schedule.kc = code.takesWholeDepth(weight)
                      ? whole
                      : ceilDiv(blocking.kc, step) * step;
    schedule.blocks = blocking.blocks;
    // Strips pass a panel that was widened for them.
    schedule.tiles = code.widensPanels() ? nm : blocking.tiles;
    schedule.gridM = blocking.gridM;
    schedule.gridN = blocking.gridN;
    schedule.gridK = 1;
    schedule.deal = blocking.deal;
    schedules.push_back(schedule);
  }
  addSliced(schedules, code, problem);
  return schedules;
}

} // namespace lintel::integration
