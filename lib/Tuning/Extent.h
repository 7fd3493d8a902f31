// What of a problem contenders run on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Tuning/ColumnSlice.h"
#include "Tuning/RacedPart.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <optional>

namespace lintel {

struct Extent {
  int64_t rows = 1;
  std::optional<SlicedColumns> columns; ///< none: all
};

/// Whether that is a part of the rows or of the columns.
bool coversPart(const Extent &extent, const Problem &problem);

/// The columns that a schedule computes there.
ColumnSlice sliceOn(const Extent &extent, const Schedule &schedule,
                    const Problem &problem);
/// The same with the rows.
RacedPart partOn(const Extent &extent, const Schedule &schedule,
                 const Problem &problem);
/// What the schedule's time on its part is multiplied with to be that of the
/// whole.
double scaleOn(const Extent &extent, const Schedule &schedule,
               const Problem &problem);

} // namespace lintel
