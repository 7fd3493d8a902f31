// Schedules on vector registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/VectorSchedules.h"

#include "Schedule/Accumulation.h"
#include "Schedule/CoreModel.h"
#include "Schedule/Partition.h"
#include "Schedule/Prefetching.h"
#include "Schedule/ProductForm.h"
#include "Schedule/RegisterTiles.h"

#include <algorithm>

namespace lintel {

/// Fewer rows wait for memory, whatever widens them.
static constexpr int64_t kFewestWidenedRows = 4;
/// One strip passes a panel once.
static constexpr int64_t kFewestStripsOfWidened = 2;

/// Loads and prefetches a cycle that leave multiply-adds alone on Emerald
/// Rapids: with 2.0 a cycle tiles of 8x48 took 3 % longer than with 1.85, those
/// of 14x32 less.
static constexpr double kMostLoads = 1.85;

/// Packing A costs a copy: worth weighing when A is reused a lot, when its rows
/// compete for few sets of the L1 cache, where that widens it, and where
/// streams would read it in more places than the core follows.
static bool packingMayPay(const Problem &problem, const Schedule &packing,
                          const Target &target) {
  const DType activation = problem.types().activation;
  const int64_t rows = problem.rows().typical;
  const int64_t rowBytes = problem.k() * bytesOf(activation);
  const bool reusedOften = rows >= 64 && problem.n() >= 4 * packing.nr;
  const bool rowsShareSets = rows > 1 && rowBytes % 2048 == 0;
  const bool widens = rows >= kFewestWidenedRows &&
                      packing.typeOfRows(activation, target) != activation;
  const int64_t followed = CoreModel::of(target).reading.placesFollowed;
  const bool manyPlaces = packing.streams > 1 && rows > 1 && followed > 0 &&
                          (rows + 1) * packing.streams > followed;
  return problem.k() > 0 &&
         (reusedOften || rowsShareSets || widens || manyPlaces);
}

/// Whether streams may pay: where one strip holds all rows, so that no other
/// one finds the weight in a cache, and all that a step needs stays in
/// registers. Where a product stands in one before it is added, that is so of
/// one row.
static bool readsInStreams(const Schedule &tile, int64_t streams,
                           const Problem &problem, const Target &target) {
  const ProductForm form = ProductForm::of(problem.types().weight, target);
  const bool isOneVector = tile.nr == target.lanes();
  const bool takesRowsFromMemory =
      isOneVector && form.broadcastsInProduct && form.conversions == 0;
  const int64_t lowest = std::clamp<int64_t>(problem.rows().least, 1, tile.mr);
  if (streams == 2 && isOneVector &&
      (lowest * form.parts < kFewestProductsInTwoStreams ||
       tile.mr * form.parts > kMostProductsInTwoStreams))
    return false;
  const int64_t tallest = form.uops > 1         ? 1
                          : takesRowsFromMemory ? kTallestVectorInStreams
                                                : kTallestInStreams;
  return tile.mr >= problem.rows().typical && tile.mr <= tallest &&
         tile.nr <= kWidestInStreams * target.lanes() &&
         tile.accumulate == Accumulate::f32 &&
         form.conversions <= kMostConversionsInStreams;
}

/// Blocks say among how many strips the next panel is shared out.
static void setPrefetching(Schedule &schedule, const Prefetching &way,
                           DType weight, const Target &target) {
  schedule.prefetch = way.toL1;
  schedule.ahead = way.toL2;
  schedule.streams = way.streams;
  schedule.share = way.nextPanel == NextPanel::shared
                       ? linesOfTurn(schedule, weight, target)
                       : 0;
}

int64_t rowsToEmbed(const Schedule &schedule, const DataTypes &types,
                    const Target &target) {
  const CoreModel core = CoreModel::of(target);
  const int64_t vectors = schedule.nr / target.lanes();
  if (core.uopsBesideHyperthread <= 0 || schedule.onTiles() ||
      types.weight != DType::f32 || schedule.pack != PackA::block ||
      vectors < 2)
    return 0;
  const int64_t asked =
      (schedule.prefetch > 0 ? vectors : 0) + (schedule.share > 0 ? 1 : 0);
  const double cycles = static_cast<double>(schedule.mr * vectors) / core.fmas;
  const double room =
      kMostLoads * cycles - static_cast<double>(schedule.mr + vectors + asked);
  const auto rows = static_cast<int64_t>(room) / (vectors - 1);
  return std::clamp<int64_t>(rows, 0, schedule.mr);
}

static void addTiles(std::vector<Schedule> &variants, const Problem &problem,
                     const Target &target, Accumulate accumulate) {
  for (const RegisterTile &tile : registerTiles(problem, target, accumulate)) {
    Schedule schedule;
    schedule.mr = tile.mr;
    schedule.nr = tile.nr;
    schedule.accumulate = accumulate;
    schedule.group = depthOfLane(problem.types().weight, target, accumulate);
    if (schedule.sumsRunsInHalf())
      schedule.epilogue = EpiloguePlacement::tile;
    for (const Prefetching &way :
         waysToPrefetch(problem, target, Unit::vector)) {
      if (way.streams > 1 &&
          !readsInStreams(schedule, way.streams, problem, target))
        continue;
      setPrefetching(schedule, way, problem.types().weight, target);
      for (PackA pack : {PackA::none, PackA::block}) {
        schedule.pack = pack;
        schedule.embed = rowsToEmbed(schedule, problem.types(), target);
        if (pack == PackA::none || packingMayPay(problem, schedule, target))
          variants.push_back(schedule);
      }
    }
  }
}

/// Of the ways to ask for a weight the first, which asks for nothing, and the
/// one that asks for most, where it may be asked for when it is widened: strips
/// ask for the next panel, and for this one where L1 does not hold it.
static std::vector<Prefetching>
waysOfWidenedPanels(const Problem &problem, const Target &target, int64_t nr) {
  std::vector<Prefetching> ways = waysToPrefetch(problem, target, Unit::vector);
  std::erase_if(ways, [](const Prefetching &way) {
    return way.toL2 > 0 || way.streams > 1;
  });
  const int64_t panelBytes = problem.k() * nr * bytesOf(DType::f32);
  Prefetching most = ways.back();
  if (panelBytes <= target.l1)
    most.toL1 = 0;
  ways.resize(1);
  if (most.toL1 > 0 || most.nextPanel == NextPanel::shared)
    ways.push_back(most);
  return ways;
}

/// Tiles whose panels are widened before the strips pass them, where there are
/// enough of those. One vector wide they have too few registers for the
/// addresses of all their rows and of the next panel, and read each panel more
/// often: 28x16 took 17 to 58 % longer than 14x32 on Emerald Rapids.
static void addTilesOfWidenedPanels(std::vector<Schedule> &variants,
                                    const Problem &problem,
                                    const Target &target) {
  const DataTypes &types = problem.types();
  Schedule schedule;
  schedule.group = interleaveOf(types.weight);
  schedule.pack = PackA::block;
  schedule.tiles = LoopOrder::nm;
  schedule.widen = Widen::panel;
  if (problem.k() == 0 || !schedule.widensRowsToF32(types.activation, target))
    return;
  for (const RegisterTile &tile :
       registerTiles(problem, target, Accumulate::f32, Widen::panel)) {
    const bool tooNarrow =
        tile.nr == target.lanes() && problem.n() > target.lanes();
    if (tooNarrow ||
        ceilDiv(problem.rows().typical, tile.mr) < kFewestStripsOfWidened)
      continue;
    schedule.mr = tile.mr;
    schedule.nr = tile.nr;
    for (const Prefetching &way :
         waysOfWidenedPanels(problem, target, tile.nr)) {
      setPrefetching(schedule, way, types.weight, target);
      variants.push_back(schedule);
    }
  }
}

static void addDotProducts(std::vector<Schedule> &variants,
                           const Problem &problem, const Target &target) {
  for (const RegisterTile &tile : dotTiles(problem, target)) {
    Schedule schedule;
    schedule.mr = tile.mr;
    schedule.nr = tile.nr;
    schedule.group = groupOfDots(problem.types().weight, target);
    schedule.epilogue = EpiloguePlacement::tile;
    variants.push_back(schedule);
  }
}

std::vector<Schedule> vectorVariants(const Problem &problem,
                                     const Target &target) {
  std::vector<Schedule> variants;
  for (Accumulate accumulate : accumulationsOf(problem.types(), target))
    addTiles(variants, problem, target, accumulate);
  addTilesOfWidenedPanels(variants, problem, target);
  addDotProducts(variants, problem, target);
  return variants;
}

} // namespace lintel
