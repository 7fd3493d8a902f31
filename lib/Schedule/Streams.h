// How K is cut into streams, which a k loop reads in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <initializer_list>

namespace lintel {

/// What a stream reads of one factor.
struct StreamRead {
  int64_t bytesPerK; ///< from what belongs to one element of K to the next
  int64_t bytes;     ///< side by side, in a step
};

/// The depth of each of `streams` parts of K, whole steps, of which the first
/// begins at zero and each follows the one before; what they leave of `depth`,
/// comes behind the last one. At most depth / streams, and up to an eighth less
/// where two streams would meet in the same sets of L1: with eight streams of K
/// = 4096 in f32 each set would hold lines of four of x, and of eight of w.
int64_t streamDepth(int64_t depth, int64_t streams, int64_t step,
                    std::initializer_list<StreamRead> reads);

} // namespace lintel
