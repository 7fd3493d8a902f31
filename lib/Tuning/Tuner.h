// Finds the fastest right kernel for a problem on this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Codegen/Compiler.h"
#include "JIT/Loader.h"
#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Error.h"
#include "lintel/Executor.h"
#include "lintel/Problem.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lintel {

enum class CandidateStatus {
  winner,
  timed,
  dropped,
  wrong,
  failed,
  right,    ///< of check() only
  unchecked ///< of check() only
};
std::string_view toString(CandidateStatus status);

struct Candidate {
  Schedule schedule;
  CandidateStatus status = CandidateStatus::dropped;
  /// Of a call with all rows (the typical ones when M is dynamic) and columns;
  /// scaled up when timed on a slice. All come from one window of time: the
  /// winner's median, times the ratio to the winner. 0: never timed.
  double medianMicroseconds = 0;
  double minMicroseconds = 0;
  double maxError = 0;   ///< normalised, see Oracle; <= 1 is right
  std::string reason;    ///< of `wrong`, `failed`, `unchecked`, some `dropped`
  bool promised = false; ///< the times are scaled up from a part of the call
};

struct TuningResult {
  std::vector<Candidate>
      candidates; ///< winner first, then by median, then untimed
  ObjectCode winnerObject;
  std::shared_ptr<const Kernel> winnerKernel;
  int objectsCompiled = 0;
  double maxError = 0; ///< of the winner
  double compileMilliseconds = 0, verifyMilliseconds = 0, timeMilliseconds = 0,
         totalMilliseconds = 0;
  bool interrupted = false;
  /// Why the choice, or its times, are doubtful: timings scattered so much,
  /// were so few, or so long. Empty if they are not.
  std::string doubt;
  bool noisy() const { return !doubt.empty(); }
  const Candidate &winner() const { return candidates.front(); }
};

struct TuningOptions {
  int threads = 1;
  /// What races share, about: one of the last may need more for three rounds of
  /// long calls, and noise several times as much (docs/tuning.md).
  /// Verification comes on top.
  double budgetMilliseconds = 300;
  size_t maxCandidates = 40; ///< of the first race
  size_t maxObjects = 10;    ///< of the first race
  /// The winner's neighbours that are raced against it, at each of a few steps.
  size_t maxNeighbours = 20;
  /// After a race on slices: once so many were tried at full size, no others
  /// are; with 0 nobody is.
  size_t maxConfirmed = 4;
  std::optional<PanelShape> panel; ///< only schedules that pack so
  std::optional<Schedule> pinned;  ///< tune nothing: verify and time this one
  /// Called with (done, total, what) as work goes on; may be empty.
  std::function<void(size_t, size_t, std::string_view)> progress;
  /// Asked between measurements; true ends the race with the best so far.
  std::function<bool()> stop;
};

/// Tunes problems for one target. Not thread-safe; holds warm compilers.
class Tuner {
public:
  static Expected<std::unique_ptr<Tuner>>
  create(const Target &target, std::shared_ptr<Loader> loader,
         std::shared_ptr<Executor> executor);
  virtual ~Tuner();
  /// M and N must be at least 1; K may be 0.
  virtual Expected<TuningResult> tune(const Problem &problem,
                                      const TuningOptions &options) = 0;
  /// Verifies every schedule of `schedules` without timing; statuses are
  /// `right`, `wrong`, `failed`, or `unchecked` where the memory does not
  /// suffice or `stop` came first.
  virtual Expected<std::vector<Candidate>>
  check(const Problem &problem, const std::vector<Schedule> &schedules,
        const TuningOptions &options) = 0;
};

} // namespace lintel
