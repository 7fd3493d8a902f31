// What a tuning tries around the winner of its first race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Contest.h"

#include <cstddef>

namespace lintel {

/// Climbs from the winner of the first race to better neighbours, which the
/// estimate may have misjudged, in the arena of that race. Goes on, from the
/// next best, where there are few candidates so far. Returns who wins.
size_t explore(Contest &contest, Arena &arena, size_t winner);

} // namespace lintel
