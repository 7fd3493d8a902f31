// Loops that measure what the machine gives, to put kernels in proportion.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"

#include <cstddef>
#include <cstdint>

namespace lintel {

/// Runs `iterations` rounds of independent fused multiply-adds (multiply and
/// add on x86-64) in registers on the calling thread; returns the
/// floating-point operations done. The caller takes the time and makes sure
/// that the machine can run `isa`.
int64_t runFmaLoop(IsaLevel isa, int64_t iterations);

/// A way to read: equal parts of the data side by side, and whether lines are
/// prefetched by software, some way ahead of the loads. Which is fastest
/// depends on the CPU and on where the data is.
enum class ReadPattern : uint8_t {
  oneStream,
  twoStreams,
  fourStreams,
  eightStreams,
  onePrefetched,
  twoPrefetched,
  fourPrefetched,
};
inline constexpr ReadPattern kReadPatterns[] = {
    ReadPattern::oneStream,     ReadPattern::twoStreams,
    ReadPattern::fourStreams,   ReadPattern::eightStreams,
    ReadPattern::onePrefetched, ReadPattern::twoPrefetched,
    ReadPattern::fourPrefetched};

/// What runReadLoop reads is a multiple of this.
inline constexpr size_t kReadUnit = 512;

/// Reads `bytes` at `data` with vector loads, `rounds` times over. Returns a
/// value that depends on the data, so that nothing is optimised away.
/// Prefetches may go beyond the end, loads do not.
float runReadLoop(IsaLevel isa, ReadPattern pattern, const void *data,
                  size_t bytes, int64_t rounds);

} // namespace lintel
