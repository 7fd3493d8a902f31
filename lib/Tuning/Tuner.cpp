// Finds the fastest right kernel for a problem on this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Tuner.h"

#include "Problem/ProblemTitle.h"
#include "Reference/Oracle.h"
#include "Runtime/KernelCall.h"
#include "Schedule/Legality.h"
#include "Schedule/Ranking.h"
#include "Tuning/CheckRun.h"
#include "Tuning/KernelFactory.h"
#include "Tuning/TuningRun.h"

#include <algorithm>
#include <utility>

namespace lintel {

std::string_view toString(CandidateStatus status) {
  switch (status) {
  case CandidateStatus::winner:
    return "winner";
  case CandidateStatus::timed:
    return "timed";
  case CandidateStatus::dropped:
    return "dropped";
  case CandidateStatus::wrong:
    return "wrong";
  case CandidateStatus::failed:
    return "failed";
  case CandidateStatus::right:
    return "right";
  case CandidateStatus::unchecked:
    return "not checked";
  }
  return "unknown";
}

Tuner::~Tuner() = default;

namespace {

Status checkProblem(const Problem &problem) {
  if (problem.isEmpty())
    return Error(ErrorCode::invalidArgument,
                 problemTitle(problem.text()) +
                     ": there is nothing to tune without rows or columns");
  // A region that C++ hands over may be any text. Each compilation would find
  // that, and blame its schedule.
  if (problem.epilogue().isRegion())
    if (auto oracle = Oracle::create(problem); !oracle)
      return oracle.error();
  return {};
}

TuningOptions sane(TuningOptions options) {
  options.threads = std::max(1, options.threads);
  options.budgetMilliseconds = std::max(0.0, options.budgetMilliseconds);
  options.maxCandidates = std::max<size_t>(1, options.maxCandidates);
  options.maxObjects = std::max<size_t>(1, options.maxObjects);
  return options;
}

/// Candidates may have taken much more workspace than the winner does: up to
/// four L2 caches a thread on tile registers.
struct ReleasedWorkspaces {
  ReleasedWorkspaces() = default;
  ReleasedWorkspaces(const ReleasedWorkspaces &) = delete;
  ReleasedWorkspaces &operator=(const ReleasedWorkspaces &) = delete;
  ~ReleasedWorkspaces() { releaseWorkspaces(); }
};

class RacingTuner final : public Tuner {
public:
  RacingTuner(const Target &target, std::shared_ptr<Executor> executor,
              std::unique_ptr<KernelFactory> factory)
      : target(target), executor(std::move(executor)),
        factory(std::move(factory)) {}

  Expected<TuningResult> tune(const Problem &problem,
                              const TuningOptions &request) override {
    if (Status valid = checkProblem(problem); !valid)
      return valid.error();
    const TuningOptions options = sane(request);
    Expected<std::vector<Schedule>> schedules = candidates(problem, options);
    if (!schedules)
      return schedules.error();
    if (options.panel && schedules->empty())
      return Error(ErrorCode::invalidArgument,
                   problemTitle(problem.text()) +
                       ": no schedule has panels of " +
                       std::to_string(options.panel->columns) + " columns");
    const ReleasedWorkspaces afterwards;
    return runTuning(problem, *schedules, context(), options);
  }

  Expected<std::vector<Candidate>>
  check(const Problem &problem, const std::vector<Schedule> &schedules,
        const TuningOptions &request) override {
    if (Status valid = checkProblem(problem); !valid)
      return valid.error();
    for (const Schedule &schedule : schedules)
      if (Status legal = checkSchedule(schedule, problem, target); !legal)
        return legal.error().in(schedule.text());
    if (schedules.empty())
      return std::vector<Candidate>();
    const TuningOptions options = sane(request);
    const ReleasedWorkspaces afterwards;
    return runCheck(problem, schedules, context(), options);
  }

private:
  TuningContext context() { return {target, executor, *factory}; }

  Expected<std::vector<Schedule>> candidates(const Problem &problem,
                                             const TuningOptions &options) {
    if (!options.pinned)
      return selectCandidates(problem, target, options.threads,
                              options.maxCandidates, options.maxObjects,
                              options.panel);
    if (Status legal = checkSchedule(*options.pinned, problem, target); !legal)
      return legal.error().in(options.pinned->text());
    return std::vector<Schedule>{*options.pinned};
  }

  Target target;
  std::shared_ptr<Executor> executor;
  std::unique_ptr<KernelFactory> factory;
};

} // namespace

Expected<std::unique_ptr<Tuner>>
Tuner::create(const Target &target, std::shared_ptr<Loader> loader,
              std::shared_ptr<Executor> executor) {
  if (!loader || !executor)
    return Error(ErrorCode::invalidArgument,
                 "a tuner needs a loader and an executor");
  Expected<std::unique_ptr<KernelFactory>> factory =
      KernelFactory::create(target, std::move(loader));
  if (!factory)
    return factory.error();
  return std::unique_ptr<Tuner>(
      new RacingTuner(target, std::move(executor), std::move(*factory)));
}

} // namespace lintel
