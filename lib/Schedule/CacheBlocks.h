// Block sizes and loop orders: the cache model's, and their neighbours.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <vector>

namespace lintel {

/// Bytes of an element of x as the products of a schedule find it.
int64_t rowElementBytes(const Schedule &schedule, const Problem &problem,
                        const Target &target);

/// `base` (whose tile, packing and grid are set) with every combination of
/// block sizes and loop orders worth considering. No two results run the same
/// loops. Whole dimensions are written as the rounded size where it is known.
std::vector<Schedule> blockedSchedules(const Schedule &base,
                                       const Problem &problem,
                                       const Target &target);

} // namespace lintel
