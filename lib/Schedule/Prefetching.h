// How a kernel may ask for the weight before it reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "Schedule/Partition.h"
#include "lintel/Problem.h"

#include <vector>

namespace lintel {

/// Whether strips that pass a panel ask for the next one.
enum class NextPanel : uint8_t { unasked, shared };

/// Distances in bytes; 0: left to the hardware.
struct Prefetching {
  int64_t toL1 = 0;    ///< `prefetch` of a schedule on vectors
  int64_t toL2 = 0;    ///< `ahead`
  int64_t streams = 1; ///< `streams`, with a distance in each of them
  NextPanel nextPanel = NextPanel::unasked; ///< `share`, on vectors
};

/// Tiles up to this high, and this many vectors wide, may read in streams:
/// from 11 rows or five vectors on LLVM lets some spill, whose steps it mixes.
inline constexpr int64_t kTallestInStreams = 8;
inline constexpr int64_t kWidestInStreams = 4;
/// One vector wide and without conversions, where products take their factors
/// of x from memory.
inline constexpr int64_t kTallestVectorInStreams = 16;
/// Multiply-adds of a step of a tile one vector wide in two streams: of eight
/// (8x8 in f32, 4x8 in bf16) LLVM lets sums wait on the stack, and a single one
/// it copies, neither of which it does in four streams.
inline constexpr int64_t kFewestProductsInTwoStreams = 2;
inline constexpr int64_t kMostProductsInTwoStreams = 7;
/// Instructions that make factors of a loaded vector: more, as of f16 where
/// nothing converts it, need many registers.
inline constexpr int64_t kMostConversionsInStreams = 2;

/// Has the strips of a block ask for the next panel together. On vectors a lone
/// strip has nobody to share with.
void shareNextPanel(Schedule &schedule, int64_t strips, DType weight,
                    const Target &target);

/// Whether the panel that is asked for is the one that comes next: in a block
/// one panel after the other. With `share` also whether several strips pass the
/// one before, and blocks are in the order in which a kernel takes them to
/// follow each other; on tiles whether strips have enough to ask for in the
/// streams there are. True of schedules that do not ask for any.
bool sharingSuits(const Schedule &schedule, const BlockTiles &block);

/// The ways that are worth a race on this unit; the first is without.
std::vector<Prefetching> waysToPrefetch(const Problem &problem,
                                        const Target &target, Unit unit);

} // namespace lintel
