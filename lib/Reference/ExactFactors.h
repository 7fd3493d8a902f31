// x and w whose products add up exactly in any order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/RandomChoices.h"

namespace lintel {

/// Fills x and w so that sums of `depth` products are exact and about 1: n
/// products add up to about sqrt(n) times their root mean square. A factor is
/// 2^-10 or more, so that it is normal in every type. `ofSets` decides which
/// factor of a product is the longer one.
void fillExact(TypedTensor &x, TypedTensor &w, const DataTypes &types,
               int64_t depth, RandomBits forX, RandomBits forW,
               RandomBits ofSets, const RunParts &run);

} // namespace lintel
