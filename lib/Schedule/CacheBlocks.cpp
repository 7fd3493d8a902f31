// Block sizes and loop orders: the cache model's, and their neighbours.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/CacheBlocks.h"

#include "Schedule/AmxSchedules.h"
#include "Schedule/CoreModel.h"
#include "Schedule/Partition.h"
#include "Schedule/Prefetching.h"
#include "Schedule/Workspace.h"

#include <algorithm>

namespace lintel {

/// Bytes of a column of a K block for a 32 KiB L1, and the sizes around it.
static constexpr int64_t kModelDepthBytes = 384 * 4;
static constexpr int64_t kDepthBytes[] = {256 * 4, 384 * 4, 512 * 4, 1024 * 4};

/// Bytes of a column of w up to which K is short.
static constexpr int64_t kShortDepthBytes = 512;

/// Of a thread, in L2 caches.
static constexpr int64_t kMostWorkspace = 4;
/// Of a thread whose sums may leave L2, in bytes.
static constexpr int64_t kMostWideWorkspace = int64_t(32) << 20;

namespace {
/// Sizes of a block along one dimension, in strips or panels, largest first.
using Counts = std::vector<int64_t>;

/// The tiles of one chunk.
struct Chunk {
  int64_t strips, panels;
};

} // namespace

static void addOnce(Counts &counts, int64_t value) {
  if (std::find(counts.begin(), counts.end(), value) == counts.end())
    counts.push_back(value);
}

/// The size of equal parts of `total`, each at most `largest`.
static int64_t evenPart(int64_t total, int64_t largest) {
  return ceilDiv(total, ceilDiv(total, std::clamp<int64_t>(largest, 1, total)));
}

int64_t rowElementBytes(const Schedule &schedule, const Problem &problem,
                        const Target &target) {
  return schedule.bytesOfRows(problem.types().activation, target);
}

/// Whether K need not be cut for L1's sake. On tiles a panel stays there; on
/// vectors a strip does.
static bool wholeDepthSuitsL1(const Schedule &base, int64_t depthBytes,
                              int64_t scale, const Target &target) {
  if (base.onTiles())
    return base.nr * depthBytes <= 3 * target.l1 / 4;
  return 2 * depthBytes <= 3 * kModelDepthBytes * scale;
}

/// All of K, and where that overflows the L1 model even parts of it, cut at
/// cache lines of A.
static std::vector<int64_t> depthBlocks(const Problem &problem,
                                        const Schedule &base,
                                        const Target &target) {
  const DType weight = problem.types().weight;
  const int64_t depth = std::max<int64_t>(1, problem.k());
  if (base.takesWholeDepth(weight) || base.depth() == Depth::sliced)
    return {depth};
  const int64_t bytes = rowElementBytes(base, problem, target);
  const int64_t line = Target::kLineBytes / bytesOf(weight);
  const int64_t scale = std::max<int64_t>(1, target.l1 >> 15);
  std::vector<int64_t> depths{depth};
  if (wholeDepthSuitsL1(base, depth * bytes, scale, target))
    return depths;
  for (int64_t seed : kDepthBytes) {
    const int64_t even =
        ceilDiv(evenPart(depth, seed / bytes * scale), line) * line;
    if (even < depth)
      addOnce(depths, even);
  }
  return depths;
}

/// All of `total`, and what fits `shares` of L2.
static Counts blockCounts(int64_t total, int64_t bytesEach,
                          std::initializer_list<int64_t> shares,
                          const Target &target) {
  Counts counts{total};
  for (int64_t share : shares) {
    const int64_t fitting = target.l2 / share / std::max<int64_t>(1, bytesEach);
    addOnce(counts, evenPart(total, std::max<int64_t>(1, fitting)));
  }
  return counts;
}

/// Strips of a block: packed rows share L2 with the sums. Where K is short, it
/// is rather outputs that a block on tiles fills L2 with: 2048x100:100x512 bias
/// in bf16 takes 303 us in blocks of 256 rows, an eighth of L2, and 342 in one
/// (16x64, Emerald Rapids, one thread; K of 13, 50 and 200 162, 202 and 430
/// instead of 192, 227 and 499).
static Counts stripCounts(const Schedule &base, const Chunk &chunk,
                          const Problem &problem, int64_t rowBytes,
                          const Target &target) {
  const int64_t bytesEach = base.mr * rowBytes;
  if (!base.onTiles())
    return blockCounts(chunk.strips, bytesEach, {2, 4}, target);
  Counts counts = blockCounts(chunk.strips, bytesEach, {2, 4, 8, 16}, target);
  if (rowBytes > kShortDepthBytes)
    return counts;
  const int64_t outputBytes = saturatingProduct(
      {base.mr, base.nr, chunk.panels, bytesOf(problem.types().result),
       static_cast<int64_t>(problem.epilogue().numResults())});
  for (int64_t strips : blockCounts(chunk.strips, outputBytes, {8}, target))
    addOnce(counts, strips);
  return counts;
}

/// Whether the sums of a block may wait beyond L2: tiles ask for those of the
/// next one in time, and rows of x stay in L2 for the whole width of the block.
/// 512x4096:4096x4096 in bf16, blocks of 512, 1024 and all 4096 columns: 1398,
/// 1470 and 1526 GFLOP/s (Emerald Rapids, one thread).
static bool sumsMayLeaveL2(const Schedule &schedule) {
  return schedule.onTiles() && schedule.depth() == Depth::cut &&
         schedule.tiles == LoopOrder::nm;
}

/// What each chunk may keep in the cache that all threads share. The thread
/// that calls keeps the workspaces of all, so there is a bound whatever L3 has.
static int64_t shareOfL3(const Schedule &schedule, const Target &target) {
  const double share =
      CoreModel::of(target).shareOfL3 * static_cast<double>(target.l3);
  return std::min(kMostWideWorkspace,
                  static_cast<int64_t>(share) / chunksOf(schedule));
}

/// Blocks whose sums or packed rows would spill out of L2 read them back slower
/// than they gain, but for sums that tiles ask for. Rows packed for all of K
/// take turns there: from one block of columns to the next they come from L3,
/// as x itself would.
static bool workspaceFits(const Schedule &schedule, const Problem &problem,
                          const Target &target) {
  const int64_t rows = problem.rows().most;
  Schedule inL2 = schedule;
  if (schedule.pack == PackA::whole)
    inL2.pack = PackA::block;
  const bool beyond = sumsMayLeaveL2(schedule);
  if (beyond)
    inL2.nc = schedule.nr;
  const int64_t most = kMostWorkspace * target.l2;
  return workspaceBytesPerThread(inL2, problem, target, rows) <= target.l2 &&
         workspaceBytesPerThread(schedule, problem, target, rows) <=
             (beyond ? std::max(most, shareOfL3(schedule, target)) : most);
}

static bool hintSuits(const Schedule &schedule) {
  return schedule.hint == StreamHint::none ||
         schedule.hint == passingFactor(schedule);
}

/// The orders of the tiles of a block that differ. Strips on tile registers
/// pass a panel that stays in L1, even where it is the only one.
static std::vector<LoopOrder> tileOrders(const Schedule &schedule,
                                         const BlockTiles &block) {
  if ((schedule.onTiles() && schedule.prefetchesNextPanel()) ||
      schedule.widensPanels())
    return {LoopOrder::nm};
  if (block.strips == 1)
    return {LoopOrder::mn};
  if (block.panels == 1)
    return {schedule.onTiles() ? LoopOrder::nm : LoopOrder::mn};
  return {LoopOrder::mn, LoopOrder::nm};
}

static std::vector<Schedule> ordersOf(Schedule schedule, const Chunk &chunk,
                                      const BlockTiles &block) {
  std::vector<Schedule> orders;
  const bool severalBlocks =
      block.strips < chunk.strips && block.panels < chunk.panels;
  for (LoopOrder tiles : tileOrders(schedule, block))
    for (LoopOrder blocks : {LoopOrder::mn, LoopOrder::nm}) {
      if (blocks == LoopOrder::nm && !severalBlocks)
        continue;
      schedule.tiles = tiles;
      schedule.blocks = blocks;
      if (hintSuits(schedule) && sharingSuits(schedule, block))
        orders.push_back(schedule);
    }
  return orders;
}

/// Rows of a block of `strips` strips; for a dynamic M "all" has no size.
static int64_t blockRows(const Problem &problem, const Schedule &base,
                         const Chunk &chunk, int64_t strips,
                         bool needsWorkspace) {
  const bool all = strips == chunk.strips;
  return all && !problem.m() && !needsWorkspace ? Schedule::kWhole
                                                : strips * base.mr;
}

/// Rows packed for all of K, or in place, that meet one panel at a time: half
/// of L2, and no more than have their sums in half of L1, where they then stay
/// from one block of K to the next.
static int64_t stripsPerPanel(const Schedule &base, const Chunk &chunk,
                              const Problem &problem, const Target &target) {
  const auto bytes = bytesOf(problem.types().weight);
  const int64_t stripBytes =
      std::max<int64_t>(1, base.mr * bytes * problem.k());
  const int64_t sumBytes = base.mr * base.nr * kSumBytes;
  return evenPart(chunk.strips, std::min(target.l2 / 2 / stripBytes,
                                         target.l1 / 2 / sumBytes));
}

/// Blocks of a chunk, `depth` of K deep, that the caches suggest.
static std::vector<BlockTiles> blocksOf(const Schedule &base,
                                        const Chunk &chunk,
                                        const Problem &problem, int64_t depth,
                                        const Target &target) {
  const int64_t depthOfSlice = ceilDiv(depth, base.gridK);
  const int64_t columnBytes = depthOfSlice * bytesOf(problem.types().weight);
  const int64_t rowBytes =
      depthOfSlice * rowElementBytes(base, problem, target);
  std::vector<BlockTiles> blocks;
  for (int64_t strips : stripCounts(base, chunk, problem, rowBytes, target))
    for (int64_t panels :
         blockCounts(chunk.panels, base.nr * columnBytes, {2, 4}, target))
      blocks.push_back({strips, panels});
  const bool asksInPlace = base.pack == PackA::none && base.prefetch > 0;
  if (!base.onTiles() || !(base.pack == PackA::whole || asksInPlace))
    return blocks;
  const BlockTiles onePanel{stripsPerPanel(base, chunk, problem, target), 1};
  if (std::find(blocks.begin(), blocks.end(), onePanel) == blocks.end())
    blocks.push_back(onePanel);
  return blocks;
}

/// Whether rows packed for all of K are found so by a second block of columns,
/// or by the next chunk. If not, blocks of K packed one by one stay in L2 until
/// they are read: 512x4096:4096x4096 in bf16, as wide as the layer, 1423
/// instead of 1284 GFLOP/s on Emerald Rapids.
static bool findsRowsPacked(const Schedule &schedule, const Chunk &chunk,
                            const BlockTiles &block) {
  const bool nextBlock =
      block.panels < chunk.panels && schedule.blocks == LoopOrder::mn;
  const bool nextChunk = schedule.deal == Dealing::dynamic &&
                         schedule.gridN > 1 && block.strips == chunk.strips;
  return nextBlock || nextChunk;
}

std::vector<Schedule> blockedSchedules(const Schedule &base,
                                       const Problem &problem,
                                       const Target &target) {
  const Partition whole =
      partition(base, problem.rows().typical, problem.n(), problem.k());
  const Chunk chunk{ceilDiv(whole.strips, base.gridM),
                    ceilDiv(whole.panels, base.gridN)};
  std::vector<Schedule> schedules;
  for (int64_t depth : depthBlocks(problem, base, target)) {
    const bool needsWorkspace = depth < problem.k() || base.packsA();
    // Packed for all of K, blocks of K are all there is to pack it for.
    if (base.pack == PackA::whole && depth >= problem.k())
      continue;
    for (const BlockTiles &block :
         blocksOf(base, chunk, problem, depth, target)) {
      // A lone strip has nobody to share with, and on vectors would widen as
      // it multiplies.
      const bool forOthers =
          base.share > 0 || (base.widensPanels() && !base.onTiles());
      if (forOthers && block.strips == 1)
        continue;
      Schedule schedule = base;
      schedule.kc = depth < problem.k() ? depth : Schedule::kWhole;
      schedule.mc =
          blockRows(problem, base, chunk, block.strips, needsWorkspace);
      schedule.nc = block.panels * base.nr;
      if (base.prefetchesNextPanel())
        shareNextPanel(schedule, block.strips, problem.types().weight, target);
      for (const Schedule &ordered : ordersOf(schedule, chunk, block)) {
        if (base.pack == PackA::whole &&
            !findsRowsPacked(ordered, chunk, block))
          continue;
        if (!needsWorkspace || workspaceFits(ordered, problem, target))
          schedules.push_back(ordered);
      }
    }
  }
  return schedules;
}

} // namespace lintel
