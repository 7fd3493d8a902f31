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

/// Success if `schedule` can be compiled for the problem on the target and run
/// right: a unit that the target has, sums of f16 where the layer permits them
/// and the target has them, the group of the weight's type or of dot products,
/// nr a multiple of the vector length, and of a cache line where outputs are
/// streamed, a tile that fits the registers (registersOfTile), panels widened
/// where products take them in f32 from rows that are widened too, block sizes
/// and grid at least 1, kc in whole groups, workspace and the sums of slices of
/// K within bounds. The message names the field and gives the legal range;
/// which schedule is meant is the caller's to say.
Status checkSchedule(const Schedule &schedule, const Problem &problem,
                     const Target &target);

/// Whether two schedules have the same tile on the same unit.
inline bool sameTile(const Schedule &a, const Schedule &b) {
  return a.unit == b.unit && a.mr == b.mr && a.nr == b.nr;
}

/// Whether two schedules have the same object: they differ in nothing but
/// kernel arguments.
inline bool sameCode(const Schedule &a, const Schedule &b) {
  // Tiles first: code() copies, and selection compares all with all.
  return sameTile(a, b) && a.code() == b.code();
}

/// Rows M that the space is made for: the problem's, or the typical ones when
/// it is dynamic.
int64_t planningRows(const Problem &problem);

/// How m rows are cut into as few strips of at most `mr` rows as possible. They
/// are balanced: `tall` rows, and, where m does not divide, one row less.
struct Strips {
  int64_t count = 1; ///< at least 1, so that callers may divide by it
  int64_t tall = 1;
  bool someShort = false;
  friend bool operator==(const Strips &, const Strips &) = default;
};
Strips cutIntoStrips(int64_t mr, int64_t m);

/// What a kernel must be ready for: the heights of tall strips that some M of a
/// range has, tallest first, never empty; and whether some M has short strips.
struct StripHeights {
  std::vector<int64_t> tall;
  bool someShort = false;
};
StripHeights stripHeights(int64_t mr, const RowRange &rows);
/// The least M of a range up to which every height occurs that any M of it has,
/// with short strips if some M has them, or a little more.
int64_t rowsWithEveryHeight(int64_t mr, const RowRange &rows);

/// Rows of the micro-kernel that strips have which are a row shorter than the
/// others; 0 where the one for tall strips serves them too, computing a row for
/// nothing: on tile registers, in dot products, with slices of K, for a dynamic
/// M, where that is at most 5 % of M, and where four rows are packed, which
/// three would be element by element.
int64_t heightOfShortStrips(const Schedule &schedule, const RowRange &rows,
                            DType weight);

/// The parts of the memory that a thread works in, in bytes, each in whole
/// cache lines; INT64_MAX where 64 bits cannot count them.
struct Workspace {
  int64_t accumulators = 0;
  int64_t panel = 0; ///< that is widened
  int64_t packedRows = 0;
  int64_t bytes() const; ///< of all
};

/// What one thread needs to run `schedule` on m rows, laid out as
/// [accumulators][widened panel][packed A].
///
/// A block has stripsPerBlock strips of mr rows and panelsPerBlock panels of nr
/// columns (Partition.h). Accumulators:
/// strips*mr x panels*nr floats when kc < K, whose sums wait there; else one
/// tile of mr x nr, two with `epilogue = next`, which kernels with the epilogue
/// on a tile or without mask registers use and others leave alone, and two
/// vectors more where vectors run along K. The panel, when `widen = panel`: the
/// depth of a block in whole groups x nr floats. Packed A, when `pack = block`:
/// strips*mr x min(kc, K) activations, the depth in whole groups, or cache
/// lines on tile registers, or, widened, strips*mr x
/// strideOfWidenedRows(min(kc, K)) of Schedule::typeOfRows; with `pack = whole`
/// all of K.
/// Nothing where threads share K, whose sums are not a thread's own
/// (partialFloats).
Workspace workspacePerThread(const Schedule &schedule, const Problem &problem,
                             const Target &target, int64_t m);
/// The same in all.
int64_t workspaceBytesPerThread(const Schedule &schedule,
                                const Problem &problem, const Target &target,
                                int64_t m);

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
