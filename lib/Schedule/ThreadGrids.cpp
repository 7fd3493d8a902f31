// How the threads divide the output among them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/ThreadGrids.h"

#include "Schedule/Partition.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lintel {

namespace {
struct WeighedGrid {
  ThreadGrid grid;
  double largestChunk; ///< strips x panels, or a share of that
  double bytes;        ///< read by the thread that has it

  auto rank() const {
    return std::tuple(largestChunk, grid.k, bytes, grid.m, grid.n);
  }
};
} // namespace

static WeighedGrid weigh(const GridWork &work, ThreadGrid grid) {
  const auto strips = static_cast<double>(ceilDiv(work.strips, grid.m));
  const auto panels = static_cast<double>(ceilDiv(work.panels, grid.n));
  const auto slices = static_cast<double>(grid.k);
  return {grid, strips * panels / slices,
          (strips * work.stripBytes + panels * work.panelBytes) / slices};
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
  const bool tooManyTiles = work.strips >= chunks || work.panels >= chunks ||
                            work.strips * work.panels >= chunks;
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
