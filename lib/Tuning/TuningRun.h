// One problem on its way through compiling, verifying and timing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/CheckPlan.h"
#include "Tuning/KernelFactory.h"
#include "Tuning/Race.h"
#include "Tuning/Tuner.h"
#include "Tuning/Workbench.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lintel {

/// The parts of a tuning that outlive it.
struct TuningContext {
  const Target &target;
  const std::shared_ptr<Executor> &executor;
  KernelFactory &factory;
};

/// Used once: either tune() or check().
class TuningRun {
public:
  TuningRun(const Problem &problem, const std::vector<Schedule> &schedules,
            const TuningContext &context, const TuningOptions &options);
  Expected<TuningResult> tune();
  Expected<std::vector<Candidate>> check();

private:
  using Clock = std::chrono::steady_clock;
  /// A candidate, its object, and its number on the current workbench.
  struct Contender {
    Candidate report;
    size_t kernel = 0;
    size_t bench = 0;
    bool alive = true; ///< neither wrong, failed nor shut out by the plan
  };

  // Stages, in order.
  Status plan();
  void build();
  Expected<std::unique_ptr<Workbench>> workbench(int64_t rows, Fill fill);
  void verify(Workbench &bench, std::vector<size_t> who);
  bool stripsAreRight(Workbench &bench, size_t who,
                      std::vector<std::optional<Verdict>> &verdicts);
  RaceResult raceOn(Workbench &bench, const std::vector<size_t> &who,
                    double budget);
  size_t raceOnSlice(Workbench &bench);
  size_t firstWithRightStrips(Workbench &bench, size_t winner);
  size_t confirmAtFullSize(size_t winner, double budget);
  Expected<TuningResult> finish(size_t winner);
  Status checkRound(const CheckRound &round, Fill fill);

  std::vector<Schedule> schedules() const;
  double predictedMicroseconds() const;
  std::vector<size_t> alive() const;
  std::vector<size_t> fastestFirst() const;
  bool confirmationFits(const std::vector<size_t> &who, double budget) const;
  void exclude(Contender &contender, CandidateStatus status,
               std::string reason);
  void accept(size_t who, const Verdict &verdict);
  Error nothingRight() const;
  bool stopped();
  void progress(size_t done, size_t total, std::string_view what) const;
  static double since(Clock::time_point start);

  Problem problem;
  TuningContext context;
  const TuningOptions &options;
  std::vector<Contender> contenders;
  std::vector<Schedule> codes; ///< one schedule for each object
  std::vector<BuiltKernel> kernels;
  int64_t rows = 1; ///< of the first workbench
  bool interrupted = false;
  Clock::time_point started = Clock::now();
  double compileMilliseconds = 0, verifyMilliseconds = 0, timeMilliseconds = 0;
};

} // namespace lintel
