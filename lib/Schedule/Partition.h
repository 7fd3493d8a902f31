// How a schedule cuts a problem into strips, panels and blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/WholeUnits.h"

#include <cstdint>
#include <initializer_list>

namespace lintel {

class Problem;

/// Of a sum of products in memory, f32 or i32.
inline constexpr int64_t kSumBytes = 4;

/// Of `count` strips or panels that a grid shares out among so many parts; at
/// least 1.
int64_t largestShare(int64_t count, int64_t parts);

/// Counts are those of the kernel's driver (docs/architecture.md, "The
/// kernel"); each is at least 1, so that callers may divide by them.
struct Partition {
  int64_t strips = 1;         ///< of at most mr rows, over all of M
  int64_t panels = 1;         ///< of nr columns, over all of N
  int64_t stripsPerBlock = 1; ///< whole strips in mc rows, of one chunk
  int64_t panelsPerBlock = 1; ///< whole panels in nc columns, of one chunk
  int64_t depth = 1;          ///< of a K block
  int64_t depthBlocks = 1;    ///< K blocks; more than 1: sums wait in memory
};

/// For m, n, k >= 0 and a schedule whose fields are all at least 1.
Partition partition(const Schedule &schedule, int64_t m, int64_t n, int64_t k);

/// The most rows of M that one of `chunks` chunks has, the strips that are a
/// row shorter counted as they are: they come first, and the first chunks have
/// a strip more if need be. 1 <= chunks <= strips <= m.
int64_t mostRowsOfChunk(int64_t m, int64_t strips, int64_t chunks);

/// The tiles of a block.
struct BlockTiles {
  int64_t strips, panels;
  friend bool operator==(const BlockTiles &, const BlockTiles &) = default;
};

/// Of the schedule's grid, slices of K included; saturates.
int64_t chunksOf(const Schedule &schedule);
/// Those of a call on the usual rows, whatever the grid: no more along M and N
/// than strips and panels.
int64_t chunksOfCall(const Schedule &schedule, const Problem &problem);
/// Threads of `threads` to which such a call gives a chunk.
int64_t threadsTaken(const Schedule &schedule, const Problem &problem,
                     int threads);

/// Product of factors >= 0, or the largest int64_t when it does not fit.
int64_t saturatingProduct(std::initializer_list<int64_t> factors);

/// Floats of the sums that wait for the second phase of a call where threads
/// share K: for each slice, every strip of mr rows by every panel. 0 for
/// schedules of one phase; saturates.
int64_t partialFloats(const Schedule &schedule, int64_t m, int64_t n);

/// How many of `threads` threads the second phase is worth, which adds up
/// `floats` of `tiles` tiles: a thread more takes as long as 4 Ki of them.
int32_t finishingThreads(int64_t floats, int64_t tiles, int32_t threads);

/// Rows that packing transposes in registers at a time; lower strips are copied
/// element by element.
inline constexpr int64_t kRowsTransposedTogether = 4;

/// Elements from one widened row of a block to the next (Schedule::typeOfRows):
/// of f32 an odd number of cache lines, of s16 of halves of them, so that rows
/// do not meet in a few sets of L1.
int64_t strideOfWidenedRows(int64_t depth);

} // namespace lintel
