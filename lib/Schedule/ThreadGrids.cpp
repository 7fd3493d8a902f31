// How the threads divide the output among them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/ThreadGrids.h"

#include "Schedule/Partition.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lintel {

/// What a byte of sums costs, stored by one thread and read by another, in
/// bytes of factors that all only read: fitted to 2x2x4, 2x4x2, 1x2x8 and
/// 1x1x16 on 128x7168:7168x256 in bf16, 82, 84, 90 and 119 us on 16 threads of
/// Emerald Rapids.
static constexpr double kBytesOfSum = 8;
/// Tiles for each chunk up to which slices may read less than whole rows: on
/// 256x8192:8192x256 in bf16, 64 tiles of 32x32, 4x4x4 dealt to 16 threads took
/// 91 us there, the best tunings without slices 115 and 129.
static constexpr int64_t kMostTilesOfSlicedChunk = 4;

namespace {
struct WeighedGrid {
  ThreadGrid grid;
  double largestChunk; ///< strips x panels, or a share of that
  double bytes;        ///< read by the thread that has it

  auto rank() const {
    return std::tuple(largestChunk, bytes, grid.k, grid.m, grid.n);
  }
};
} // namespace

static WeighedGrid weigh(const GridWork &work, ThreadGrid grid) {
  const auto strips = static_cast<double>(ceilDiv(work.strips, grid.m));
  const auto panels = static_cast<double>(ceilDiv(work.panels, grid.n));
  const auto slices = static_cast<double>(grid.k);
  const double sums =
      grid.k > 1 ? kBytesOfSum * strips * panels * work.sumBytes : 0;
  return {grid, strips * panels / slices,
          (strips * work.stripBytes + panels * work.panelBytes) / slices +
              sums};
}

static std::vector<ThreadGrid> bestOf(std::vector<WeighedGrid> grids,
                                      size_t count) {
  const size_t kept = std::min(count, grids.size());
  std::partial_sort(grids.begin(), grids.begin() + kept, grids.end(),
                    [](const WeighedGrid &a, const WeighedGrid &b) {
                      return a.rank() < b.rank();
                    });
  std::vector<ThreadGrid> best;
  for (size_t i = 0; i < kept; ++i)
    best.push_back(grids[i].grid);
  return best;
}

std::vector<ThreadGrid> threadGrids(const GridWork &work, int threads,
                                    size_t count) {
  std::vector<WeighedGrid> grids;
  const int64_t parts = std::max(1, threads);
  for (int64_t m = 1; m <= std::min(parts, work.strips); ++m)
    grids.push_back(weigh(work, {m, std::min(work.panels, parts / m)}));
  return bestOf(std::move(grids), count);
}

std::vector<ThreadGrid> slicedGrids(const GridWork &work, int chunks,
                                    size_t count) {
  // Neither factor is below 1, so that the first test bounds the second's
  // product.
  const int64_t most = kMostTilesOfSlicedChunk * chunks;
  const bool tooManyTiles = work.strips > most || work.panels > most ||
                            work.strips * work.panels > most;
  if (tooManyTiles || work.mostSlices < 2)
    return {};
  std::vector<WeighedGrid> grids;
  for (int64_t m = 1; m <= work.strips; ++m)
    for (int64_t n = 1; n <= work.panels; ++n)
      if (int64_t k = std::min(chunks / (m * n), work.mostSlices); k > 1)
        grids.push_back(weigh(work, {m, n, k}));
  return bestOf(std::move(grids), count);
}

} // namespace lintel
