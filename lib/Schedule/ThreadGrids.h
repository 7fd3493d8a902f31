// How the threads divide the output among them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lintel {

struct ThreadGrid {
  int64_t m = 1; ///< chunks along M
  int64_t n = 1; ///< chunks along N
  int64_t k = 1; ///< slices of K
  friend bool operator==(const ThreadGrid &, const ThreadGrid &) = default;
};

/// The output as the grid sees it.
struct GridWork {
  int64_t strips = 1, panels = 1; ///< what a chunk is made of
  double stripBytes = 1;          ///< of x that a chunk reads for a strip
  double panelBytes = 1;          ///< of w that it reads for a panel
  double sumBytes = 1;            ///< that slices of K leave of a tile
  int64_t mostSlices = 1;         ///< that K may be cut into
};

/// The best `count` grids, best first: the smallest largest chunk, then the
/// fewest bytes read by one thread. For every TM up to `threads` the grid TM x
/// (threads / TM) is weighed, so grids need not use every thread nor divide
/// anything; no grid has more chunks along a dimension than strips or panels.
std::vector<ThreadGrid> threadGrids(const GridWork &work, int threads,
                                    size_t count);

/// The best `count` grids of at most `chunks` chunks that share K, by the same
/// measures, of which sums that wait for a second phase are part. None where
/// tiles are more than four times as many as chunks: there a chunk reads enough
/// columns for each of its rows, or is one of many.
std::vector<ThreadGrid> slicedGrids(const GridWork &work, int chunks,
                                    size_t count);

} // namespace lintel
