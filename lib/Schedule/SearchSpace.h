// All schedules worth considering for a problem on a target.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lintel {

/// The legal combinations of register tile, packing, where a narrow weight is
/// widened, epilogue placement, block sizes (the cache model's and their
/// neighbours), loop orders and thread grids, which share K among threads where
/// a tile leaves at most four tiles a thread: for each tile and way to read
/// both factors the best predicted, at most some 2000 in all. For eight threads
/// and more also grids of two to eight times as many chunks, dealt out as
/// threads get free, among them those with a chunk for each block of rows that
/// is packed at once. Never empty; deterministic order, no duplicates.
std::vector<Schedule> enumerateSchedules(const Problem &problem,
                                         const Target &target, int threads);

/// `schedule` with store=stream, which enumerateSchedules leaves out, and with
/// epilogue=tile for epilogue=next, which streams nothing. None
/// where that is not legal, or where normal stores are as good: outputs that
/// fit the last-level cache, and rows of N columns that are no whole cache
/// lines, so that dense outputs cannot be streamed.
std::optional<Schedule> streamingTwin(const Schedule &schedule,
                                      const Problem &problem,
                                      const Target &target);

/// `schedule` on grids of two to eight times as many chunks, more than there
/// are threads, which take them as they get free; the best predicted first.
/// Where strips share out the prefetching of a panel, and a twin's blocks have
/// fewer of them, they do so anew. None of one thread.
std::vector<Schedule> dynamicTwins(const Schedule &schedule,
                                   const Problem &problem, const Target &target,
                                   int threads);

/// Bytes of one row of all outputs.
int64_t outputRowBytes(const Problem &problem);

} // namespace lintel
