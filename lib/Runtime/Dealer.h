// Dealing out chunks of work to the parts of a parallel region.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace lintel {

/// Deals the chunks of one region: of a call, or the panels of a weight that is
/// packed. Where all cores run alike, dealing them out beforehand costs
/// nothing; where some are slower for a while (shared with other programs, or
/// smaller), all would wait for the slowest.
///
/// Dealing::dynamic gives each part a range of neighbouring chunks, and to
/// whoever is done with its own what is left of the others'. So chunks that
/// read the same data follow each other, and a part begins with the chunks that
/// it began the last call with.
class Dealer {
public:
  /// `expectedParts`: of the region, which may turn out to have fewer.
  Dealer(Dealing dealing, int64_t chunks, int32_t expectedParts)
      : dealing(dealing), chunks(chunks),
        ranges(dealing == Dealing::fixed
                   ? 0
                   : std::clamp<int64_t>(expectedParts, 1, kMostRanges)) {
    for (int64_t range = 0; range < ranges; ++range)
      taken[range].count = 0;
  }

  /// Calls take(chunk) for each chunk that part `tid` of `parts` comes by.
  /// Every chunk is taken once, if every part calls this once, in any order or
  /// at the same time.
  template <class Take> void deal(int32_t tid, int32_t parts, Take &&take) {
    if (dealing == Dealing::fixed) {
      for (int64_t chunk = tid; chunk < chunks; chunk += parts)
        take(chunk);
      return;
    }
    const int64_t own = tid * ranges / parts;
    for (int64_t i = 0; i < ranges; ++i)
      takeFrom((own + i) % ranges, take);
  }

private:
  /// More parts than that share ranges.
  static constexpr int64_t kMostRanges = 64;

  /// How many of a range are taken. Parts write it: on a line of its own.
  struct Taken {
    alignas(Target::kLineBytes) int64_t count;
  };

  template <class Take> void takeFrom(int64_t range, Take &take) {
    const int64_t begin = chunks * range / ranges;
    const int64_t size = chunks * (range + 1) / ranges - begin;
    const std::atomic_ref<int64_t> count(taken[range].count);
    // Only reads the line of a range that is used up.
    while (count.load(std::memory_order_relaxed) < size) {
      const int64_t next = count.fetch_add(1, std::memory_order_relaxed);
      if (next < size)
        take(begin + next);
    }
  }

  const Dealing dealing;
  const int64_t chunks, ranges;
  std::array<Taken, kMostRanges> taken; ///< the first `ranges` are in use
};

} // namespace lintel
