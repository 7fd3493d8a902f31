// Tuning the buckets of a layer to one panel shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Tuner.h"
#include "lintel/Engine.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <functional>
#include <vector>

namespace lintel {

/// Tunes one problem: Tuner::tune(), or what a test puts in its place.
using TuneProblem = std::function<Expected<TuningResult>(
    const Problem &, const TuningOptions &)>;

struct TunedBuckets {
  /// In the order of the buckets; every winner has the same panel. Costs
  /// are those of all races of the bucket.
  std::vector<TuningResult> results;
  /// The panel of the winners first; empty for a single bucket.
  std::vector<PanelReport> panels;
};

/// Races each bucket freely, chooses the panel, and races those again
/// whose winner has another. The budget bounds all races together. Once
/// `options.stop` says so, buckets that are left take one of the best predicted
/// schedules, checked but hardly timed, so that a layer is complete; only a
/// stop before the first winner is ErrorCode::cancelled. A single bucket is
/// tuned as `options` say.
Expected<TunedBuckets> tuneBuckets(const std::vector<Problem> &buckets,
                                   const TuningOptions &options,
                                   const TuneProblem &tune);

} // namespace lintel
