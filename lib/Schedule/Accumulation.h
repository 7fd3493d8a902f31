// What products are added to first: who races, and what is legal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/DType.h"
#include "lintel/Error.h"

#include <vector>

namespace lintel {

/// What tiles race with whose vectors run along N: sums of f32 everywhere, and
/// runs of f16 where they are permitted and gain. Pairs in s16 take fewer
/// instructions and nothing else, and leave nothing to find out.
std::vector<Accumulate> accumulationsOf(const DataTypes &types,
                                        const Target &target);

/// Success unless the schedule sums in a narrow type that the layer does not
/// permit, the target has no instruction for, or the tile cannot hold.
Status checkAccumulate(const Schedule &schedule, const DataTypes &types,
                       const Target &target);

} // namespace lintel
