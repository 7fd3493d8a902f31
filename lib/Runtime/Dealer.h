// Dealing out chunks of work to the parts of a parallel region.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"

#include <atomic>
#include <cstdint>

namespace lintel {

/// Deals the chunks of one region: of a call, or the panels of a weight that is
/// packed. Where all cores run alike, dealing them out beforehand costs
/// nothing; where some are slower for a while (shared with other programs, or
/// smaller), all would wait for the slowest.
class Dealer {
public:
  Dealer(Dealing dealing, int64_t chunks) : dealing(dealing), chunks(chunks) {}

  /// Calls take(chunk) for each chunk that part `tid` of `parts` comes by: its
  /// own number first. Every chunk is taken once, if every part calls this
  /// once, in any order or at the same time.
  template <class Take> void deal(int32_t tid, int32_t parts, Take &&take) {
    for (int64_t chunk = tid; chunk < chunks; chunk = after(chunk, parts))
      take(chunk);
  }

private:
  int64_t after(int64_t chunk, int32_t parts) {
    if (dealing == Dealing::fixed)
      return chunk + parts;
    return parts + taken.fetch_add(1, std::memory_order_relaxed);
  }

  const Dealing dealing;
  const int64_t chunks;
  /// Beyond the first of each part. Parts write it: on a line of its own.
  alignas(64) std::atomic<int64_t> taken = 0;
};

} // namespace lintel
