// How K is cut into streams, which a k loop reads in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Streams.h"

#include <algorithm>

namespace lintel {

/// Addresses so far apart share a set of L1: 64 sets of lines on any x86-64
/// with AVX-512.
static constexpr int64_t kBytesOfOneWay = 4096;

/// Whether two of the streams, which are so many bytes apart, share a set.
static bool meet(int64_t distance, int64_t streams, int64_t bytes) {
  for (int64_t apart = 1; apart < streams; ++apart) {
    const int64_t place = apart * distance % kBytesOfOneWay;
    if (std::min(place, kBytesOfOneWay - place) < bytes)
      return true;
  }
  return false;
}

int64_t streamDepth(int64_t depth, int64_t streams, int64_t step,
                    std::initializer_list<StreamRead> reads) {
  const int64_t deepest = depth / streams / step * step;
  for (int64_t part = deepest; part > deepest - deepest / 8; part -= step)
    if (std::ranges::none_of(reads, [&](const StreamRead &read) {
          return meet(part * read.bytesPerK, streams, read.bytes);
        }))
      return part;
  return deepest;
}

} // namespace lintel
