// How a kernel may ask for the weight before it reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Prefetching.h"

#include "Schedule/CoreModel.h"
#include "Schedule/SearchSpace.h"

namespace lintel {

/// Up to this many rows a kernel may wait for a weight that comes from memory:
/// on one core of Zen 4 64 rows of f32 took 3 to 9 % more without prefetching,
/// 512 and more as much as with it.
static constexpr int64_t kRowsOfOnePass = 64;
/// With more rows than this a core that outruns its own prefetching waits for
/// L2 rather than for memory: on Emerald Rapids 13 rows were faster with the
/// weight in L2, 33 with it in L1.
static constexpr int64_t kRowsThatWaitForMemory = 16;
/// So far that the hardware's own prefetching, which may stop at the end of
/// each page, is not needed (decision 69). 4 KiB into L1 was slower by 0 to 6 %
/// on Zen 5 and within 2 % on Emerald Rapids.
static constexpr int64_t kBytesAhead = 8192;

std::vector<Prefetching> waysToPrefetch(const Problem &problem,
                                        const Target &target, Unit unit) {
  std::vector<Prefetching> ways{{}};
  const auto elementBytes =
      static_cast<int64_t>(byteSize(problem.types().weight));
  if (problem.n() * problem.k() * elementBytes <= target.l1)
    return ways;
  const int64_t rows = planningRows(problem);
  if (unit == Unit::vector && rows > kRowsThatWaitForMemory &&
      CoreModel::of(target).outrunsPrefetching())
    ways.push_back({.toL1 = kBytesAhead});
  else if (rows <= kRowsOfOnePass)
    ways.push_back({.toL2 = kBytesAhead});
  return ways;
}

} // namespace lintel
