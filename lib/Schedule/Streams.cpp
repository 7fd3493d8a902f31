// How K is cut into streams, which a k loop reads in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Streams.h"

#include <algorithm>

namespace lintel {

/// Addresses so far apart share a set of L1: 64 sets of lines on any x86-64
/// with AVX-512, and on Zen.
static constexpr int64_t kBytesOfOneWay = 4096;

/// Whether two of the streams, each of `part` elements of K, share a set. Only
/// where they stand in a way matters, and that does not overflow.
static bool meet(int64_t part, int64_t streams, const StreamRead &read) {
  const int64_t distance =
      part % kBytesOfOneWay * (read.bytesPerK % kBytesOfOneWay);
  for (int64_t apart = 1; apart < streams; ++apart) {
    const int64_t place = apart * distance % kBytesOfOneWay;
    if (std::min(place, kBytesOfOneWay - place) < read.bytes)
      return true;
  }
  return false;
}

int64_t streamDepth(int64_t depth, int64_t streams, int64_t step,
                    std::initializer_list<StreamRead> reads) {
  const int64_t deepest = depth / streams / step * step;
  // Whether they meet repeats itself with each way of steps.
  const int64_t most = std::min(deepest / 8, kBytesOfOneWay * step);
  for (int64_t part = deepest; part > deepest - most; part -= step)
    if (std::ranges::none_of(reads, [&](const StreamRead &read) {
          return meet(part, streams, read);
        }))
      return part;
  return deepest;
}

} // namespace lintel
