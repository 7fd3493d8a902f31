// The schedules of a tuning, and what is known of each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Tuner.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lintel {

struct Contender {
  Candidate report;
  size_t kernel = 0; ///< number of its object in the contest
  bool alive = true; ///< neither wrong, failed nor shut out by the plan
  /// Of a tuning that all failed in like this one.
  ErrorCode error = ErrorCode::compile;
};

/// Keeps its order, in which contenders are numbered; grows at the end.
class Contenders {
public:
  /// `title` is the problem's, for messages.
  Contenders(const std::vector<Schedule> &schedules, std::string title);

  size_t size() const { return all.size(); }
  Contender &operator[](size_t who) { return all[who]; }
  const Contender &operator[](size_t who) const { return all[who]; }
  const Schedule &scheduleOf(size_t who) const {
    return all[who].report.schedule;
  }
  /// Microseconds of a call on the whole; 0: never timed.
  double timeOf(size_t who) const { return all[who].report.medianMicroseconds; }

  std::vector<Schedule> schedules() const;
  std::optional<size_t> find(const Schedule &schedule) const;
  size_t add(const Schedule &schedule);

  std::vector<size_t> alive() const;
  /// Those alive; what was never timed comes last.
  std::vector<size_t> fastestFirst() const;

  void exclude(size_t who, CandidateStatus status, std::string reason);
  void exclude(size_t who, CandidateStatus status, const Error &error);
  /// Somewhere, as on a machine short of memory; it is not known to be wrong.
  bool couldNotRun(size_t who) const;
  /// One that could not run, and has run before.
  void putBack(size_t who, const Candidate &report);

  /// Makes times of another window or of a slice comparable with those of
  /// `timed`; none is below the fastest, whose noise decided.
  void rescaleOthers(const std::vector<size_t> &timed, double factor,
                     double fastest);

  /// "; SCHEDULE: REASON" of the first that is wrong, for messages; "" if none
  /// is.
  std::string firstWrong() const;
  /// Why there is no winner, where none is alive.
  Error nothingRight() const;

private:
  std::vector<Contender> all;
  std::string title;
};

} // namespace lintel
