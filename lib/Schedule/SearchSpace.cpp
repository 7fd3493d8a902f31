// The search space: every schedule worth considering.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/SearchSpace.h"

#include "Lintel/AmxTile.h"
#include "Problem/EpilogueCost.h"
#include "Schedule/AmxSchedules.h"
#include "Schedule/CacheBlocks.h"
#include "Schedule/CostModel.h"
#include "Schedule/Legality.h"
#include "Schedule/Partition.h"
#include "Schedule/PredictedSchedule.h"
#include "Schedule/Prefetching.h"
#include "Schedule/ThreadGrids.h"
#include "Schedule/VectorSchedules.h"

#include <algorithm>

namespace lintel {

/// Keeps check --all-schedules and the ranking quick; the model prunes to it.
static constexpr size_t kMaxSchedules = 2000;
static constexpr size_t kGridsPerTile = 2;
/// Slices of K less deep than this are not worth a second phase.
static constexpr int64_t kLeastSliceDepth = 256;
/// Work this small, in microseconds, or next to so many regions of all threads,
/// may run best on fewer of them.
static constexpr double kSmallWork = 60;
static constexpr double kRegionsOfSmallWork = 2;
/// An epilogue on registers has a copy for each accumulator. Beyond this many
/// cycles' worth of them, 16 copies of a sigmoid, which is 16.25, an object
/// takes 20 ms and more, and the loop over a tile has never been slower.
static constexpr double kMaxInlineCycles = 260;
/// On tile registers, where K is cut: next to that many products fewer cycles a
/// vector are not worth what mixing them costs.
static constexpr double kCyclesWorthHiding = 3;
/// Nor are they next to products of fewer steps: bias in bf16 took 10 % longer
/// in the next tile with one step, 3 % with eight and 2 to 5 % less with 12 and
/// 16, in u8s8 12 % longer with one and as long with four to eight; silu took a
/// third less even with one (2048 rows, 512 columns, Emerald Rapids).
static constexpr int64_t kStepsWorthMixing = 10;
/// How many times as many chunks there are where threads take them as they get
/// free: more of them even threads out better and read x and w more often.
static constexpr int64_t kFinerGrids[] = {2, 4, 8};
/// So many threads seldom run alike: some of that is raced from the start.
static constexpr int kUnevenThreads = 8;
static constexpr int64_t kFirstFinerGrids[] = {2, 4};
/// And of those whose chunks in a row find their rows packed, this many for
/// each thread: they are as cheap as fewer, and even out more.
static constexpr int64_t kPackedChunks = 8;
/// Of one chunk. Fewer do not pay for reading w once more.
static constexpr int64_t kFewestPackedRows = 64;

static std::vector<Schedule> codeVariants(const Problem &problem,
                                          const Target &target, int threads) {
  std::vector<Schedule> variants = vectorVariants(problem, target);
  for (const Schedule &schedule : amxVariants(problem, target, threads))
    variants.push_back(schedule);
  return variants;
}

/// Where the epilogue of tile registers runs.
static EpiloguePlacement placementOnTiles(const Schedule &schedule,
                                          const Problem &problem) {
  const double cycles = epilogueCyclesPerVector(problem.epilogue());
  const auto copies =
      static_cast<double>(AmxTile::of(schedule.mr, schedule.nr).sums());
  const int64_t steps =
      ceilDiv(problem.k(), depthUnitOf(problem.types().weight));
  const bool manyProducts =
      schedule.depth() == Depth::whole && steps >= kStepsWorthMixing;
  const bool pays = manyProducts || cycles >= kCyclesWorthHiding;
  return pays && copies * cycles <= kMaxInlineCycles &&
                 schedule.depth() != Depth::sliced && schedule.nr <= problem.n()
             ? EpiloguePlacement::next
             : EpiloguePlacement::tile;
}

/// Where the epilogue of a schedule may run.
static std::vector<EpiloguePlacement> placementsOf(const Schedule &schedule,
                                                   const Problem &problem,
                                                   const Target &target) {
  const auto copies = static_cast<double>(
      schedule.mr * std::max<int64_t>(1, schedule.nr / target.lanes()));
  if (schedule.onTiles())
    return {schedule.epilogue};
  if (schedule.vectorsAlongK(problem.types().weight) ||
      schedule.sumsRunsInHalf() || schedule.depth() == Depth::sliced ||
      copies * epilogueCyclesPerVector(problem.epilogue()) > kMaxInlineCycles)
    return {EpiloguePlacement::tile};
  // Rows some way apart and the next panel leave an epilogue no registers for
  // its addresses.
  if (schedule.widensPanels() && schedule.share > 0 &&
      schedule.depth() == Depth::cut)
    return {EpiloguePlacement::tile};
  return {EpiloguePlacement::registers, EpiloguePlacement::tile};
}

/// The best `count` grids of each kind that are new.
static void addGrids(std::vector<ThreadGrid> &grids, const GridWork &work,
                     int threads, size_t count) {
  for (const auto &found :
       {threadGrids(work, threads, count), slicedGrids(work, threads, count)})
    for (const ThreadGrid &grid : found)
      if (std::find(grids.begin(), grids.end(), grid) == grids.end())
        grids.push_back(grid);
}

namespace {
struct DealtGrid {
  ThreadGrid grid;
  Dealing deal = Dealing::fixed;
};
} // namespace

/// Grids whose chunks have the rows that a thread packs at a time, for all of
/// K, in half of its L2; and half and a quarter of those.
static std::vector<ThreadGrid>
packedRowGrids(const Schedule &tile, const GridWork &work,
               const Problem &problem, const Target &target, int threads) {
  const int64_t stripBytes = saturatingProduct(
      {tile.mr, problem.k(), rowElementBytes(tile, problem, target)});
  const int64_t stripsAtOnce =
      std::max<int64_t>(1, target.l2 / 2 / std::max<int64_t>(1, stripBytes));
  const int64_t fewest = ceilDiv(work.strips, stripsAtOnce);
  std::vector<ThreadGrid> grids;
  for (int64_t m : {fewest, 2 * fewest, 4 * fewest}) {
    const int64_t rows = ceilDiv(work.strips, m) * tile.mr;
    if (m > fewest && rows < kFewestPackedRows)
      break;
    grids.push_back(
        {m, std::clamp<int64_t>(kPackedChunks * threads / m, 1, work.panels)});
  }
  return grids;
}

/// Grids of more chunks than threads: the best of each fineness, with slices of
/// K where tiles are too few for it, and those that pack their rows once.
static std::vector<ThreadGrid> finerGrids(const Schedule &tile,
                                          const GridWork &work,
                                          const Problem &problem,
                                          const Target &target, int threads) {
  if (threads < kUnevenThreads)
    return {};
  std::vector<ThreadGrid> wanted;
  for (int64_t finer : kFirstFinerGrids)
    addGrids(wanted, work, static_cast<int>(finer) * threads, 1);
  if (tile.packsA())
    for (const ThreadGrid &grid :
         packedRowGrids(tile, work, problem, target, threads))
      wanted.push_back(grid);
  std::vector<ThreadGrid> grids;
  for (const ThreadGrid &grid : wanted)
    if (grid.m * grid.n * grid.k > threads &&
        std::find(grids.begin(), grids.end(), grid) == grids.end())
      grids.push_back(grid);
  return grids;
}

static std::vector<DealtGrid> gridsOf(const Schedule &tile,
                                      const Problem &problem,
                                      const Target &target,
                                      const CostModel &model, int threads) {
  const Partition parts =
      partition(tile, problem.rows().typical, problem.n(), problem.k());
  const double rowBytes =
      static_cast<double>(problem.k() * bytesOf(problem.types().weight));
  GridWork work{parts.strips, parts.panels,
                rowBytes * static_cast<double>(tile.mr),
                rowBytes * static_cast<double>(tile.nr),
                static_cast<double>(tile.mr * tile.nr) * sizeof(float)};
  if (tile.pack == PackA::none && !tile.takesWholeDepth(problem.types().weight))
    work.mostSlices = problem.k() / kLeastSliceDepth;
  std::vector<ThreadGrid> grids;
  addGrids(grids, work, threads, kGridsPerTile);

  Schedule alone = tile;
  alone.mc = alone.nc = alone.kc = Schedule::kWhole;
  const double mostOfSmall =
      std::max(kSmallWork, kRegionsOfSmallWork * model.regionMicroseconds());
  const bool small = model.microseconds(alone) <= mostOfSmall;
  for (int fewer = 1; small && fewer < threads; fewer *= 2)
    addGrids(grids, work, fewer, 1);

  std::vector<DealtGrid> dealt;
  for (const ThreadGrid &grid : grids)
    dealt.push_back({grid, Dealing::fixed});
  for (const ThreadGrid &grid :
       finerGrids(tile, work, problem, target, threads))
    dealt.push_back({grid, Dealing::dynamic});
  return dealt;
}

/// Sorts and keeps the best `count`, of which half are of equal shares, if
/// there are as many: how unevenly threads run is a guess.
static void keepBest(std::vector<PredictedSchedule> &found, size_t count) {
  std::sort(found.begin(), found.end());
  const size_t mostDealt = count - count / 2;
  size_t dealt = 0;
  std::erase_if(found, [&](const PredictedSchedule &one) {
    return one.schedule.deal == Dealing::dynamic && ++dealt > mostDealt;
  });
  found.resize(std::min(count, found.size()));
}

/// The best `count` blockings of one code variant, in a deterministic order.
static std::vector<PredictedSchedule> bestBlockings(const Schedule &variant,
                                                    const Problem &problem,
                                                    const Target &target,
                                                    const CostModel &model,
                                                    int threads, size_t count) {
  std::vector<PredictedSchedule> found;
  for (const auto &[grid, deal] :
       gridsOf(variant, problem, target, model, threads)) {
    Schedule base = variant;
    base.deal = deal;
    base.gridM = grid.m;
    base.gridN = grid.n;
    base.gridK = grid.k;
    if (base.depth() == Depth::sliced)
      base.epilogue = EpiloguePlacement::tile;
    for (Schedule schedule : blockedSchedules(base, problem, target)) {
      if (schedule.onTiles())
        schedule.epilogue = placementOnTiles(schedule, problem);
      if (checkSchedule(schedule, problem, target))
        found.push_back({schedule, model.microseconds(schedule), found.size()});
    }
  }
  keepBest(found, count);
  return found;
}

std::vector<Schedule> enumerateSchedules(const Problem &problem,
                                         const Target &target, int threads) {
  const CostModel model(problem, target, threads);
  const std::vector<Schedule> variants = codeVariants(problem, target, threads);
  const size_t quota =
      std::max<size_t>(1, kMaxSchedules / (2 * variants.size()));

  std::vector<Schedule> schedules;
  for (const Schedule &variant : variants)
    for (const PredictedSchedule &blocking :
         bestBlockings(variant, problem, target, model, threads, quota))
      for (EpiloguePlacement placement :
           placementsOf(blocking.schedule, problem, target)) {
        schedules.push_back(blocking.schedule);
        schedules.back().epilogue = placement;
      }
  return schedules;
}

int64_t outputRowBytes(const Problem &problem) {
  return problem.n() * bytesOf(problem.types().result) *
         problem.epilogue().numResults();
}

std::optional<Schedule> streamingTwin(const Schedule &schedule,
                                      const Problem &problem,
                                      const Target &target) {
  const double outputBytes = static_cast<double>(problem.rows().least) *
                             static_cast<double>(outputRowBytes(problem));
  const bool wholeLines =
      problem.n() * bytesOf(problem.types().result) % Target::kLineBytes == 0;
  if (schedule.streamsOutputs() || !wholeLines ||
      outputBytes <= static_cast<double>(target.l3))
    return std::nullopt;
  Schedule twin = schedule;
  twin.store = StorePolicy::stream;
  if (twin.epilogue == EpiloguePlacement::next)
    twin.epilogue = EpiloguePlacement::tile;
  if (!checkSchedule(twin, problem, target))
    return std::nullopt;
  return twin;
}

/// Strips of a block share out the panel to come; a finer grid may leave a
/// block fewer of them.
static void sharePrefetchAnew(Schedule &twin, const Schedule &schedule,
                              const Problem &problem, const Target &target) {
  const auto blockStrips = [&](const Schedule &one) {
    return partition(one, problem.rows().typical, problem.n(), problem.k())
        .stripsPerBlock;
  };
  const int64_t strips = blockStrips(twin);
  if (twin.prefetchesNextPanel() && strips < blockStrips(schedule))
    shareNextPanel(twin, strips, problem.types().weight, target);
}

std::vector<Schedule> dynamicTwins(const Schedule &schedule,
                                   const Problem &problem, const Target &target,
                                   int threads) {
  if (threads <= 1)
    return {};
  const CostModel model(problem, target, threads);
  const Partition parts =
      partition(schedule, problem.rows().typical, problem.n(), problem.k());
  std::vector<PredictedSchedule> found;
  for (int64_t finer : kFinerGrids)
    for (int64_t m = 1; m <= finer; m *= 2) {
      Schedule twin = schedule;
      twin.deal = Dealing::dynamic;
      twin.gridM *= m;
      twin.gridN *= finer / m;
      sharePrefetchAnew(twin, schedule, problem, target);
      if (twin.gridM <= parts.strips && twin.gridN <= parts.panels &&
          chunksOf(twin) > threads && checkSchedule(twin, problem, target))
        found.push_back({twin, model.microseconds(twin), found.size()});
    }
  std::sort(found.begin(), found.end());
  std::vector<Schedule> twins;
  for (const PredictedSchedule &twin : found)
    twins.push_back(twin.schedule);
  return twins;
}

} // namespace lintel
