// What a race on a slice cannot tell about the whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <cstdint>

namespace lintel {

/// The part of a problem that a schedule was raced on.
struct RacedPart {
  int64_t rows, columns;
};

/// The schedule as it is raced on so many rows. Where chunks are dealt out, a
/// part of the rows has fewer of them, of as many rows as on the whole problem,
/// as long as that leaves each thread two; equal shares are smaller. Schedules
/// that differ in their chunks' rows alone may so become the same.
Schedule scheduleOnRows(const Schedule &schedule, const Problem &problem,
                        int64_t rows, int threads);

/// Whether so many rows leave chunks to be dealt out, if the schedule deals:
/// with no more than threads they would be equal shares.
bool leavesChunksToDeal(const Schedule &schedule, const Problem &problem,
                        int64_t rows, int threads);

/// Whether a race on the part tried the schedule's blocks: a chunk of the part
/// holds one, or as much as a chunk of the whole problem does.
bool triesBlocks(const Schedule &schedule, const Problem &problem,
                 const RacedPart &part, int threads);

/// How many times as long as `other` a schedule takes on the whole problem at
/// least, going by the estimate, whose error may be a third. A block of w that
/// leaves L2 took 2.4 times what a race on a part had promised.
double leastSlowdown(const Schedule &schedule, const Schedule &other,
                     const Problem &problem, const Target &target, int threads);

/// How many times its share of the part's time a schedule takes on the whole
/// problem, going by the estimate (predictGrowth).
double growthFromPart(const Schedule &schedule, const Problem &problem,
                      const RacedPart &part, const Target &target, int threads);

/// How many times as long a schedule packs x for `part` as for `other`, going
/// by the estimate; for a schedule that packs.
double packingOf(const RacedPart &part, const RacedPart &other,
                 const Schedule &schedule, const Problem &problem,
                 const Target &target, int threads);

/// Packing of x, told from what grows with the columns.
struct PackingOnSlice {
  double microseconds = 0; ///< of a call on the slice
  double growth = 1;       ///< how many times as long the whole packs
};

/// Microseconds of packing in a call on a slice that takes `onSlice`, where
/// `share` of its columns take `onNarrow` and pack a `packings`th as long. Not
/// negative, whatever noise there is in the two.
double packingTold(double onSlice, double onNarrow, double share,
                   double packings);

/// What a call on the whole takes, `scale` times as large as the slice, whose
/// call takes `onSlice`. No more of that is taken for packing than half, so
/// that noise in what packing takes makes nobody a winner by far.
double timeOfWhole(double onSlice, double scale, const PackingOnSlice &packing);

/// What one that grows so, where one usually grows otherwise, is to be charged
/// with on the whole: the ratio, but for the estimate's error.
double slowdownBeyondPart(double growth, double usualGrowth);

} // namespace lintel
