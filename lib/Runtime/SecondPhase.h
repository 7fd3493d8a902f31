// The second phase of a call, in the region of the first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Runtime/Clock.h"
#include "Runtime/FetchLines.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

namespace lintel {

/// Deals out the shares of a second phase, which needs all of the first, to the
/// parts of the region that ran the first: whoever has a share waits for the
/// others, which takes a quarter of what a region of its own takes.
///
/// Nobody may count on the others: an executor may run its parts one after the
/// other, or on fewer threads than parts. So a part waits as long as its caller
/// has patience, then leaves, and those that are still there take the shares of
/// those that left. The last to finish the first phase never waits, so every
/// share is somebody's.
class SecondPhase {
public:
  /// `shares`: at least 1; as many parts at most have one.
  explicit SecondPhase(int32_t shares) : shares(shares) {}

  /// Each of the `parts` parts calls this once, when it is done with the first
  /// phase. Calls finish(share, count), for each of the `count` shares once in
  /// all, in parts that see all that any of them wrote before.
  template <class Finish>
  void run(int32_t part, int32_t parts, Clock::duration patience,
           Finish &&finish) {
    const int32_t count = std::min(shares, parts);
    const bool hasShare = part < count;
    uint64_t seen = state.fetch_add(kArrived, std::memory_order_acq_rel);
    seen += kArrived;
    if (arrived(seen) < parts) {
      if (!hasShare)
        return;
      const std::optional<uint64_t> met = waitFor(parts, patience);
      if (!met)
        return;
      seen = *met;
    }
    if (left(seen) == 0) {
      if (hasShare)
        finish(part, count);
      return;
    }
    for (int32_t share = next.fetch_add(1, std::memory_order_relaxed);
         share < count; share = next.fetch_add(1, std::memory_order_relaxed))
      finish(share, count);
  }

private:
  /// How many parts arrived, in the low half of the state, and how many of them
  /// had a share and left without it.
  static constexpr uint64_t kArrived = 1, kLeft = uint64_t(1) << 32;
  static int64_t arrived(uint64_t state) { return int64_t(state % kLeft); }
  static int64_t left(uint64_t state) { return int64_t(state / kLeft); }

  /// The state when all have arrived, after which nobody leaves; or nothing,
  /// and this part has left.
  std::optional<uint64_t> waitFor(int32_t parts, Clock::duration patience) {
    const Clock::time_point end = Clock::now() + patience;
    uint64_t seen = state.load(std::memory_order_acquire);
    while (arrived(seen) < parts) {
      if (Clock::now() >= end &&
          state.compare_exchange_strong(seen, seen + kLeft,
                                        std::memory_order_acq_rel))
        return std::nullopt;
      __builtin_ia32_pause();
      seen = state.load(std::memory_order_acquire);
    }
    return seen;
  }

  const int32_t shares;
  alignas(kLineBytes) std::atomic<uint64_t> state{0};
  std::atomic<int32_t> next{0}; ///< of shares, where some left
};

} // namespace lintel
