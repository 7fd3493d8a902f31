// One report from those of a layer's kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Engine.h"
#include "lintel/Problem.h"

#include <vector>

namespace lintel {

/// The report of a layer with buckets; `kernels` is not empty, fewest rows
/// first.
TuningReport reportOfBuckets(const Problem &problem,
                             std::vector<TuningReport> kernels);

/// `report` as a caller shall see it who got the layer from `source`.
TuningReport reportedAs(TuningReport report, KernelSource source);

/// The same of one that was found, in memory or on disk: it costs the look-up
/// alone; what making it had cost stays in the cache's record.
TuningReport reportedAsFound(TuningReport report, KernelSource source,
                             double lookupMilliseconds);

} // namespace lintel
