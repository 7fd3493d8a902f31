// Running a kernel on the last columns of its problem alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Runtime/Dealer.h"
#include "Runtime/KernelCall.h"
#include "lintel/Error.h"
#include "lintel/Executor.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lintel {

/// N is compiled into a kernel, but the chunks that it is dealt out in are not:
/// asked for a finer grid, it computes any chunk of that alone. A slice is the
/// last chunks of each row of chunks, one for each chunk of the schedule's own
/// grid, so that every thread does the kind of work it does on the whole; the
/// ragged end of N is in it.
struct ColumnSlice {
  int64_t gridN = 1;       ///< chunks along N, of the finer grid
  int64_t firstChunk = 0;  ///< the slice's first of them
  int64_t firstColumn = 0; ///< where that begins; a multiple of the panel width
  bool whole() const { return firstColumn == 0; }
};

/// About `wanted` of n columns for a schedule; all of them rather than most,
/// and where threads share K: such a layer has few columns, and its call two
/// phases.
ColumnSlice lastColumns(const Schedule &schedule, int64_t n, int64_t wanted);

/// The last columns of a problem, of which each contender runs on its slice.
struct SlicedColumns {
  int64_t wanted; ///< of each slice, about
  int64_t held;   ///< that there are data for: as many as the widest slice has
};

/// The problem with fewer columns, 1 <= columns <= N.
Problem withColumns(const Problem &problem, int64_t columns);

/// The problem with the columns that there are data for; all without any.
Problem narrowed(const Problem &problem,
                 const std::optional<SlicedColumns> &columns);

/// Where the data of a call on a slice lie. All hold the last columns of the
/// problem alone: `columns` of every output and column or full operand, the
/// packed weight without its first `missingWeight` elements, and the sums of
/// its columns.
struct SliceData {
  const void *x;
  int64_t ldx, m;
  const void *packedWeight;
  int64_t missingWeight;
  const int32_t *columnSums; ///< from the first packed column on; or null
  int64_t missingSums;
  int64_t columns;
  const KernelTensor *outputs, *operands;
  void *workspace; ///< of all threads, as the plan asks for it
};

/// A call of a kernel that computes a slice.
class SlicedCall {
public:
  /// `problem` is the whole one.
  SlicedCall(const KernelPlan &plan, const ColumnSlice &slice,
             const Problem &problem);
  /// Fails where the executor does not run each part once.
  Status run(Executor &executor, const SliceData &data);
  /// Computes another slice of the same schedule from now on; returns the one
  /// before.
  ColumnSlice computeInstead(const ColumnSlice &other) {
    return std::exchange(slice, other);
  }

private:
  void runPart(Dealer &dealer, int32_t tid, int32_t nthreads) const;
  void place(const SliceData &data);

  KernelPlan plan;
  ColumnSlice slice;
  int64_t columns; ///< of the whole problem
  DataTypes types;
  std::vector<EpilogueOperand> known; ///< operands of the problem
  // Of the call under way.
  KernelArgs args = {};
  std::vector<KernelTensor> outputs, operands;
  std::vector<int32_t> rowSums;
};

} // namespace lintel
