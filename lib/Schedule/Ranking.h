// An analytic estimate, and the choice of candidates for a race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lintel {

/// Predicted microseconds of `schedule`. A model of issue slots, cache traffic
/// and thread balance; good for ranking, not for reporting.
double predictMicroseconds(const Schedule &schedule, const Problem &problem,
                           const Target &target, int threads);

/// The same while other hyperthreads of the cores work, which leave fewer
/// instructions a cycle to each, less of what L3 and memory deliver, and tile
/// registers that are the dearer the more of them are in use.
double predictBesideHyperthread(const Schedule &schedule,
                                const Problem &problem, const Target &target,
                                int threads);

/// Of predictMicroseconds(), packing x.
double predictPacking(const Schedule &schedule, const Problem &problem,
                      const Target &target, int threads);

/// How many times its share of the time of `onPart` on `part` the whole problem
/// takes, going by the estimate of products and what memory delivers for them:
/// what a block reads again may still be in a cache on a part. Not packing,
/// which a part pays in full, and w is as cold on the part as on the whole.
double predictGrowth(const Schedule &schedule, const Problem &problem,
                     const Schedule &onPart, const Problem &part,
                     const Target &target, int threads);

/// The predicted best schedule; always legal. With a `panel` the best of those
/// that want the weight packed so. Nothing if there is none, which without one
/// never is.
std::optional<Schedule>
bestPredictedSchedule(const Problem &problem, const Target &target, int threads,
                      std::optional<PanelShape> panel = std::nullopt);

/// At most `count` schedules for a race: the predicted best first, then spread
/// so that every way to ask for the weight, register tile, packing and loop
/// order that is not hopeless takes part. Uses at most `maxObjects` distinct
/// code() values. With a `panel` only schedules that want the weight packed so,
/// none if there are none.
std::vector<Schedule>
selectCandidates(const Problem &problem, const Target &target, int threads,
                 size_t count, size_t maxObjects,
                 std::optional<PanelShape> panel = std::nullopt);

} // namespace lintel
