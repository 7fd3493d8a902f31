// A weight rearranged for streaming: !lintel.packed in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/WholeUnits.h"
#include "Runtime/AlignedBuffer.h"
#include "lintel/DType.h"
#include "lintel/Error.h"
#include "lintel/Executor.h"
#include "lintel/Problem.h"

#include <cstdint>

namespace lintel {

/// Layout of a packed weight [N, K]: [ceil(n / panel)][groups][panel][group],
/// zero-padded; the groups are those of paddedDepthOf. Behind
/// a weight of integers, at the next cache line, stand the sums of its rows,
/// s32, one for each column of whole panels.
struct PackedLayout {
  int64_t n = 0;
  int64_t k = 0;
  int64_t panel = 1; ///< columns of out a panel holds: the schedule's nr
  DType dtype = DType::f32;
  int64_t group = 1; ///< elements of K side by side: the schedule's group

  static PackedLayout of(const Problem &problem, const PanelShape &shape) {
    return {problem.n(), problem.k(), shape.columns, problem.types().weight,
            shape.group};
  }
  int64_t panels() const { return roundUp(n, panel) / panel; }
  /// Of a layout that 64 bits can count.
  int64_t paddedDepth() const { return *paddedDepthOf(dtype, k, group); }
  int64_t groups() const { return paddedDepth() / group; }
  int64_t elements() const { return panels() * panel * paddedDepth(); }
  bool hasColumnSums() const { return !isFloat(dtype); }
  /// Bytes before the column sums.
  int64_t columnSumsOffset() const;
  /// Bytes of the panels and of the sums.
  int64_t bytes() const;
  friend bool operator==(const PackedLayout &, const PackedLayout &) = default;
};

/// An immutable packed weight, 64-byte aligned, on huge pages from 16 KiB on
/// (AlignedBuffer::allocateForStreaming) where the system grants them.
class PackedWeight {
public:
  /// Packs w [n, k] with `ldw` elements between rows, on up to `threads`
  /// threads of the executor, one for each MiB.
  static Expected<PackedWeight> pack(const PackedLayout &layout, const void *w,
                                     int64_t ldw,
                                     Executor &executor = *sequentialExecutor(),
                                     int32_t threads = 1);
  const PackedLayout &layout() const { return packedLayout; }
  const void *data() const { return buffer.data(); }
  /// sum_k w[n, k]; null for floats.
  const int32_t *columnSums() const;

private:
  PackedLayout packedLayout;
  AlignedBuffer buffer;
};

} // namespace lintel
