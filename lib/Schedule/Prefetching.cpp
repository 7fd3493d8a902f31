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
/// So far that the hardware's own prefetching, which may stop at the end of
/// each page, is not needed. Into L2, on Zen 4, 8 KiB were 1 to 4 % faster than
/// 4 for 13 and 33 rows; on Emerald Rapids, where one and more threads read
/// memory 8 to 26 % faster so, 4 and 16 were alike.
static constexpr int64_t kBytesToL1 = 4096;
static constexpr int64_t kBytesToL2 = 8192;

std::vector<Prefetching> waysToPrefetch(const Problem &problem,
                                        const Target &target, Unit unit) {
  std::vector<Prefetching> ways{{}};
  const auto elementBytes =
      static_cast<int64_t>(byteSize(problem.types().weight));
  if (problem.n() * problem.k() * elementBytes <= target.l1)
    return ways;
  if (planningRows(problem) <= kRowsOfOnePass)
    ways.push_back({.toL2 = kBytesToL2});
  if (unit == Unit::vector && CoreModel::of(target).outrunsPrefetching())
    ways.push_back({.toL1 = kBytesToL1});
  return ways;
}

} // namespace lintel
