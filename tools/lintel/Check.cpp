// lintel check: compare candidates with the oracle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckReport.h"
#include "Command.h"
#include "Console.h"
#include "KernelOptions.h"
#include "LayerOrigin.h"
#include "ProblemArguments.h"
#include "ProblemFailure.h"
#include "Progress.h"
#include "RequestLoop.h"

#include "Engine/EngineImpl.h"
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/Tuner.h"

namespace lintel::tool {

namespace {

struct CheckArguments {
  KernelOptions kernel;
  ProblemArguments problems;
  bool allSchedules = false;
};

/// Also with streamed outputs, where tuning would consider that.
std::vector<Schedule> wholeSpace(const Problem &problem, const Target &target,
                                 int threads) {
  std::vector<Schedule> space = enumerateSchedules(problem, target, threads);
  for (size_t i = 0, count = space.size(); i < count; ++i)
    if (std::optional<Schedule> twin = streamingTwin(space[i], problem, target))
      space.push_back(*twin);
  return space;
}

Expected<std::vector<Schedule>>
schedulesToCheck(const CheckArguments &arguments, const Problem &problem,
                 const Engine::Impl &engine) {
  const KernelOptions &options = arguments.kernel;
  if (!options.schedule.empty()) {
    Expected<Schedule> schedule =
        engine.pinnedSchedule(options.schedule, problem);
    if (!schedule)
      return schedule.error();
    return std::vector<Schedule>{*schedule};
  }
  if (arguments.allSchedules)
    return wholeSpace(problem, engine.target, engine.threads);
  const TuningOptions defaults;
  return selectCandidates(problem, engine.target, engine.threads,
                          defaults.maxCandidates, defaults.maxObjects);
}

/// Checks the candidates of one kernel: of a problem, or of a bucket of it.
Expected<std::vector<Candidate>> checkKernel(Engine::Impl &engine,
                                             const Problem &problem,
                                             const CheckArguments &arguments) {
  auto schedules = schedulesToCheck(arguments, problem, engine);
  if (!schedules)
    return schedules.error();
  std::lock_guard lock(engine.tuningMutex);
  Expected<Tuner *> tuner = engine.tuner();
  if (!tuner)
    return tuner.error();
  Progress progress(headline(problem));
  const CompileOptions compile =
      makeCompileOptions(arguments.kernel, {}, progress);
  TuningOptions options;
  options.threads = engine.threads;
  options.progress = compile.progress;
  options.stop = compile.stop;
  return (*tuner)->check(problem, *schedules, options);
}

Expected<CheckReport> checkOne(Engine::Impl &engine,
                               const LayerRequest &request,
                               const CheckArguments &arguments) {
  const Problem &problem = request.problem;
  CompileOptions compile;
  compile.schedule = arguments.kernel.schedule;
  compile.rows = request.rows;
  Expected<LayerPlan> plan = engine.planLayer(problem, compile);
  if (!plan)
    return plan.error();
  CheckReport report{problem, engine.emptyReport(problem), {}};
  if (problem.isEmpty())
    return report;
  for (const Problem &bucket : plan->buckets) {
    auto candidates = checkKernel(engine, bucket, arguments);
    if (!candidates)
      return candidates.error();
    for (Candidate &candidate : *candidates) {
      if (plan->buckets.size() > 1 && !candidate.reason.empty())
        candidate.reason =
            "for " + bucket.rowsText() + " rows: " + candidate.reason;
      report.candidates.push_back(std::move(candidate));
    }
  }
  return report;
}

int reportOne(Engine::Impl &engine, const LayerRequest &request,
              const CheckArguments &arguments) {
  Expected<CheckReport> report = checkOne(engine, request, arguments);
  if (!report)
    return reportFailure(request, report.error(), arguments.kernel);
  print(arguments.kernel.json
            ? withOrigin(checkJson(*report), request.origin)
            : originText(request.origin) + checkText(*report));
  return report->isRight() ? kSuccess : kFailed;
}

int check(const CheckArguments &arguments) {
  auto problems = resolveProblems(arguments.problems, arguments.kernel.types,
                                  arguments.kernel.schedule);
  if (!problems)
    return printError(problems.error());
  auto engine = makeEngine(arguments.kernel);
  if (!engine)
    return printError(engine.error());
  return workOnEach(*problems, [&](const LayerRequest &request) {
    return reportOne((*engine)->internals(), request, arguments);
  });
}

} // namespace

Command makeCheckCommand(CommandParser program) {
  auto arguments = std::make_shared<CheckArguments>();
  arguments->kernel.noCache = true;
  CommandParser parser = program.addCommand(
      "check", "compare the candidates of each problem with the oracle");
  addMachineOptions(parser, arguments->kernel);
  parser
      .addFlag("--all-schedules", arguments->allSchedules,
               "the whole search space and its streaming twins, not only "
               "what a race would take")
      .excludes("--schedule");
  addJsonOption(parser, arguments->kernel);
  addProblemArguments(parser, arguments->problems);
  return {parser, [arguments] { return check(*arguments); }};
}

} // namespace lintel::tool
