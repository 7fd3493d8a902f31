// How a dynamic M is cut into ranges that have a kernel each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lintel {

/// A call compares its rows with the end of each bucket, so there are few.
inline constexpr size_t kMostBuckets = 8;

/// The mix for a caller who names none: decode, small batches, prefill.
std::vector<int64_t> usualMix();

/// True for '?' rows. A range, and a '?' that says what to tune for ("?@64"),
/// is one kernel.
bool hasBuckets(const Problem &problem);

/// The rows that a caller names, ascending and each once; usualMix() if there
/// are none. Refuses numbers below 1 or above RowRange::kLargest, and more than
/// kMostBuckets of them.
Expected<std::vector<int64_t>> makeMix(std::vector<int64_t> rows);

/// A range for each number of `mix`, fewest rows first: from 0, or behind the
/// one before, up to the number, which is what it is tuned for. The last has no
/// end. A range from 0 to 1 is a known M of 1: no rows need no kernel.
std::vector<RowRange> bucketRanges(const std::vector<int64_t> &mix);

/// `problem` once for each bucket of `mix`; `problem` itself if `mix` is empty.
Expected<std::vector<Problem>> cutIntoBuckets(const Problem &problem,
                                              const std::vector<int64_t> &mix);

/// "1 row", "2..16 rows".
std::string rowsInWords(const Problem &problem);

} // namespace lintel
