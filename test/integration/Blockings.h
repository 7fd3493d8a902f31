// The compiled-in part of schedules, and the loops to run each with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <vector>

namespace lintel::integration {

/// Schedules that share an object.
struct CodeVariant {
  std::vector<Schedule> schedules; ///< of the search space; never empty
  const Schedule &first() const { return schedules.front(); }
};

/// Whether tile registers multiply weights of this type, as they are or split.
bool takesTiles(DType weight, const Target &target);

/// Makes a schedule one on the tile registers that do, with packed rows.
void placeOnTiles(Schedule &schedule, DType weight, const Target &target);

/// The search space for `threads` threads, one entry for each object it needs.
std::vector<CodeVariant> searchSpaceByCode(const Problem &problem,
                                           const Target &target, int threads);

/// `count` of the objects, others for each `turn`, and then the first of those
/// with the packing that it does not have. One schedule each.
std::vector<Schedule> someCodes(const Problem &problem, const Target &target,
                                size_t count, size_t turn);

/// `code` with block sizes that leave remainders, orders and grids of every
/// kind, slices of K among them where they are legal.
std::vector<Schedule> awkwardBlockings(const Schedule &code,
                                       const Problem &problem);

} // namespace lintel::integration
