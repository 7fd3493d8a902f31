// What of a problem fits into a race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "Tuning/ColumnSlice.h"
#include "Tuning/Race.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lintel {

/// Who takes part, and on how many rows.
struct RowPlan {
  int64_t rows = 1;
  /// One for each schedule: why it cannot take part, or empty.
  std::vector<std::string> obstacles;
};

/// Plans runs of `schedules` on all columns in `memory` bytes, on about a
/// `share` of the rows, or on fewer if the memory asks for that; schedules
/// whose panel width would need a packed weight too many stay out. An error if
/// the memory does not suffice for one of them.
Expected<RowPlan> planRows(const Problem &problem,
                           const std::vector<Schedule> &schedules, double share,
                           int64_t memory);

/// The share of a call predicted to take so long that is worth running to time
/// it.
double shareToRun(double predictedMicroseconds);

/// Bytes that are `times` the last-level cache; where it is huge, as cores of
/// some servers share 300 MiB and more, no more than 256 MiB or `timesHuge` the
/// cache.
double bytesBeyondCaches(double times, double timesHuge, const Target &target);

/// The share of the rows, at most 1, that exceeds the last-level cache by so
/// much that a call on more of them takes memory and shows little new; less of
/// very narrow ones, which are checked for longer than they are computed.
double shareBeyondCaches(const Problem &problem, const Target &target);

/// The share of the rows, at most 1, on which to run schedules at full size on
/// so many threads, where a call on all rows takes so many microseconds.
double shareAtFullSize(const Problem &problem,
                       const std::vector<Schedule> &schedules, int threads,
                       double microseconds);

/// Of the columns, those whose weight exceeds the last-level cache by so much
/// that more of them take memory and show nothing new, N at most: no fewer than
/// a block of each schedule that cuts K has, whose sums may leave a cache.
int64_t columnsBeyondCaches(const Problem &problem,
                            const std::vector<Schedule> &schedules,
                            const Target &target, int threads);

/// Slices of about so many columns for all of the schedules; none where one of
/// them has to run on all columns.
std::optional<SlicedColumns>
sliceColumns(const std::vector<Schedule> &schedules, int64_t n, int64_t wanted);

/// How to race so many finalists at full size, who take `round` to run once, of
/// a whole budget, both in milliseconds: one for a share of it, since nobody is
/// to be told from it; several once at least, since their first runs are not
/// worth a choice. Where it does not hold three rounds, noise may cost less.
RaceOptions finalRace(size_t finalists, double round, double budget);

/// How to race the winner and a rival, who take `round` to run once each, of a
/// whole budget, both in milliseconds: for a share of it, but three rounds,
/// whatever the budget, since one long run says nothing. Where that is more
/// than the share, noise may cost less.
RaceOptions lastRace(double round, double budget);

/// The race where those before it took `spent` of a whole budget, both in
/// milliseconds: noise costs them together no more than it may cost one that
/// has the whole budget, and then no race more than its own share.
RaceOptions withNoiseShared(RaceOptions race, double spent, double budget);

/// Who takes part in a race, and on which part of the output.
struct RacePlan {
  RowPlan rows;
  /// None: all of them.
  std::optional<SlicedColumns> columns;
};

/// Plans a race on so many threads: calls predicted to take long are raced on a
/// slice of M and of N. An error, too, if the memory does not suffice to run
/// one of the schedules on all columns.
Expected<RacePlan> planRace(const Problem &problem,
                            const std::vector<Schedule> &schedules, int threads,
                            double predictedMicroseconds, int64_t memory);

} // namespace lintel
