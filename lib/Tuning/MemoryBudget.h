// How much memory tuning takes, and how much there is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <span>
#include <string>

namespace lintel {

/// The share of the available memory that tuning may take.
int64_t usableMemory();

/// "takes X MiB, but only Y MiB of memory are free", X rounded up.
std::string lackOfMemory(int64_t bytes, int64_t memory);

/// Says that the workspaces of so many threads, together so many bytes, are
/// more than there is memory for.
Error noMemoryForWorkspaces(int64_t bytes, int64_t threads, int64_t memory);

/// Bytes of a weight in panels of that shape: a few columns are padded to a
/// panel, a small K to a cache line.
int64_t packedBytes(const Problem &problem, const PanelShape &panel);

/// Bytes of a row that a call reads and writes: of x, outputs, full operands.
int64_t bytesTouchedByRow(const Problem &problem);

/// What verifying and timing a problem keeps in memory. Saturates.
struct MemoryNeed {
  int64_t fixed = 0;       ///< the unpacked weight and what has no size of M
  int64_t leastPacked = 0; ///< a packed weight without padding
  int64_t perRow = 0;      ///< what a call touches, and outputs once more

  /// `schedules`: those that will run; what of them needs most counts.
  static MemoryNeed of(const Problem &problem,
                       std::span<const Schedule> schedules = {});
  /// With packed weights of so many bytes.
  int64_t bytes(int64_t rows, int64_t packed) const;
};

/// Bytes that calls of these schedules on so many rows take, the weight packed
/// once for each panel shape that they want; without padding if there are none.
int64_t bytesOfCalls(const Problem &problem,
                     std::span<const Schedule> schedules, int64_t rows);
/// Success if that much memory is free.
Status checkMemoryOfCalls(const Problem &problem,
                          std::span<const Schedule> schedules, int64_t rows);

} // namespace lintel
