// How the threads divide the output among them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/ThreadGrids.h"

#include "Schedule/Partition.h"

#include <algorithm>
#include <tuple>

namespace lintel {

namespace {
struct WeighedGrid {
  ThreadGrid grid;
  double largestChunk; ///< strips x panels
  double bytes;        ///< read by the thread that has it

  auto rank() const { return std::tuple(largestChunk, bytes, grid.m, grid.n); }
};
} // namespace

static WeighedGrid weigh(const GridWork &work, ThreadGrid grid) {
  const auto strips = static_cast<double>(ceilDiv(work.strips, grid.m));
  const auto panels = static_cast<double>(ceilDiv(work.panels, grid.n));
  return {grid, strips * panels,
          strips * work.stripBytes + panels * work.panelBytes};
}

std::vector<ThreadGrid> threadGrids(const GridWork &work, int threads,
                                    size_t count) {
  std::vector<WeighedGrid> grids;
  const int64_t parts = std::max(1, threads);
  for (int64_t m = 1; m <= std::min(parts, work.strips); ++m)
    grids.push_back(weigh(work, {m, std::min(work.panels, parts / m)}));

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

} // namespace lintel
