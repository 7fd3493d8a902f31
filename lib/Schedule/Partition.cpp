// How a schedule cuts a problem into strips, panels and blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Partition.h"

#include "lintel/Problem.h"

#include <algorithm>

namespace lintel {

int64_t largestShare(int64_t count, int64_t parts) {
  return std::max<int64_t>(1, ceilDiv(count, std::max<int64_t>(1, parts)));
}

Partition partition(const Schedule &schedule, int64_t m, int64_t n, int64_t k) {
  Partition result;
  result.strips = std::max<int64_t>(1, ceilDiv(m, schedule.mr));
  result.panels = std::max<int64_t>(1, ceilDiv(n, schedule.nr));
  result.stripsPerBlock =
      std::clamp<int64_t>(schedule.mc / schedule.mr, 1,
                          largestShare(result.strips, schedule.gridM));
  result.panelsPerBlock =
      std::clamp<int64_t>(schedule.nc / schedule.nr, 1,
                          largestShare(result.panels, schedule.gridN));
  const int64_t depth = std::max<int64_t>(1, k);
  result.depth = std::clamp<int64_t>(schedule.kc, 1, depth);
  result.depthBlocks = ceilDiv(depth, result.depth);
  return result;
}

int64_t saturatingProduct(std::initializer_list<int64_t> factors) {
  int64_t product = 1;
  for (int64_t factor : factors)
    if (__builtin_mul_overflow(product, factor, &product))
      return INT64_MAX;
  return product;
}

int64_t mostRowsOfChunk(int64_t m, int64_t strips, int64_t chunks) {
  const int64_t tall = ceilDiv(m, strips);
  const int64_t shortStrips = strips * tall - m;
  const auto rowsOf = [&](int64_t begin, int64_t end) {
    return (end - begin) * tall -
           std::max<int64_t>(0, std::min(end, shortStrips) - begin);
  };
  const int64_t most = ceilDiv(strips, chunks);
  const int64_t large = strips - (most - 1) * chunks; // chunks of so many
  const int64_t ofLarge = rowsOf((large - 1) * most, large * most);
  return large == chunks
             ? ofLarge
             : std::max(ofLarge, rowsOf(strips - (most - 1), strips));
}

int64_t chunksOf(const Schedule &schedule) {
  return saturatingProduct({schedule.gridM, schedule.gridN, schedule.gridK});
}

int64_t chunksOfCall(const Schedule &schedule, const Problem &problem) {
  const Partition parts =
      partition(schedule, problem.rows().typical, problem.n(), problem.k());
  return saturatingProduct({std::min(schedule.gridM, parts.strips),
                            std::min(schedule.gridN, parts.panels),
                            schedule.gridK});
}

int64_t threadsTaken(const Schedule &schedule, const Problem &problem,
                     int threads) {
  return std::min<int64_t>(chunksOfCall(schedule, problem), threads);
}

int64_t partialFloats(const Schedule &schedule, int64_t m, int64_t n) {
  if (schedule.depth() != Depth::sliced)
    return 0;
  return saturatingProduct({schedule.gridK, ceilDiv(m, schedule.mr),
                            schedule.mr, ceilDiv(n, schedule.nr), schedule.nr});
}

int32_t finishingThreads(int64_t floats, int64_t tiles, int32_t threads) {
  constexpr int64_t kFloatsPerThread = 1 << 12;
  const int64_t most = std::min<int64_t>(tiles, threads);
  return static_cast<int32_t>(std::clamp<int64_t>(floats / kFloatsPerThread, 1,
                                                  std::max<int64_t>(1, most)));
}

int64_t strideOfWidenedRows(int64_t depth) {
  constexpr int64_t line = Target::kLineBytes / int64_t(sizeof(float));
  return (ceilDiv(depth, line) | 1) * line;
}

} // namespace lintel
