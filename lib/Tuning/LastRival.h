// Whom the winner of a tuning meets at its end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Contest.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lintel {

/// One that races so far could not judge.
struct LastRival {
  Schedule schedule;
  int64_t rows = 0; ///< that both run on, all columns wide
  /// It wins if it takes at most so many times as long.
  double worth = 1;
  /// How the winner so far does it, where it was faster and yet gives way: with
  /// a worth of more than 1.
  std::string_view why = {};
};

/// That rival on as many rows as there is time for; none if there are no such,
/// or if they leave its chunks none to be dealt out.
std::optional<LastRival> onAffordableRows(const Contest &contest, size_t winner,
                                          const Schedule &rival, double worth,
                                          std::string_view why);

/// The fastest that takes half as many threads or fewer; the winner has to be
/// faster: threads that gain nothing are better left to others.
std::optional<LastRival> rivalOnFewerThreads(Contest &contest, size_t winner);

/// The winner itself on one thread, if its threads may have waited for CPUs
/// that others use: where two builds ran beside a tuning, two threads were kept
/// that took 2 to 28 times what one took, and nobody else had been timed.
std::optional<LastRival> rivalOnOneThread(Contest &contest, size_t winner);
/// Once that rival has won against a right one: makes the result doubtful.
void doubtThreads(Contest &contest, size_t loser);
/// The same for a winner on one thread, wherever it won, if the fastest on more
/// seems to have waited for CPUs, and would have won as estimated.
void doubtThreadsThatWaited(Contest &contest, size_t winner);

/// The fastest that reads a cold weight less often; a winner whose threads read
/// the same one has to be clearly faster.
std::optional<LastRival> rivalThatReadsLess(Contest &contest, size_t winner);

/// Of a winner whose threads have equal shares: one that deals out.
std::optional<LastRival> rivalThatDeals(Contest &contest, size_t winner);

/// Of one that deals out few chunks: one that has many, or more at least.
std::optional<LastRival> rivalInMoreChunks(Contest &contest, size_t winner);

/// One that the estimate prefers on a busy core: a race sees some minutes of a
/// machine, and other ones are busier.
std::optional<LastRival> rivalForBusyCore(Contest &contest, size_t winner);

/// One that streams huge outputs. It comes last, and on rows of its own: the
/// slices of the races before have outputs that fit the caches, where streaming
/// looks worse than it is on the whole.
std::optional<LastRival> rivalThatStreams(Contest &contest, size_t winner);

} // namespace lintel
