// lintel tune: find the fastest right kernel for each problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Command.h"
#include "Console.h"
#include "KernelOptions.h"
#include "LayerOrigin.h"
#include "ProblemArguments.h"
#include "ProblemFailure.h"
#include "Progress.h"
#include "RequestLoop.h"
#include "Table.h"
#include "TuningText.h"

#include "Runtime/Log.h"

#include <algorithm>
#include <vector>

namespace lintel::tool {

namespace {

struct TuneArguments {
  KernelOptions kernel;
  ProblemArguments problems;
  bool retune = false;
};

/// What a run has done so far.
struct TuningsSoFar {
  TuningTotal total;
  std::vector<const LayerRequest *> retuned;

  /// A problem given twice is raced again once.
  bool hasRetuned(const LayerRequest &request) const {
    return std::ranges::any_of(retuned, [&](const LayerRequest *other) {
      return other->problem == request.problem && other->rows == request.rows;
    });
  }
};

int tuneOne(Engine &engine, const LayerRequest &request,
            const TuneArguments &arguments, TuningsSoFar &run) {
  const Problem &problem = request.problem;
  const KernelOptions &options = arguments.kernel;
  Expected<Linear> layer = [&] {
    Progress progress(headline(problem));
    CompileOptions compile =
        makeCompileOptions(options, request.rows, progress);
    compile.retune = arguments.retune && !run.hasRetuned(request);
    return engine.compile(problem, compile);
  }();
  if (!layer) {
    run.total.addFailure();
    return reportFailure(request, layer.error(), options);
  }
  const TuningReport &report = layer->report();
  run.total.add(report);
  if (arguments.retune)
    run.retuned.push_back(&request);
  print(options.json
            ? withOrigin(report.json(), request.origin) + "\n"
            : originText(request.origin) + tuningText(problem, report));
  return kSuccess;
}

/// Of a list. With --json, stdout holds the problems' objects and nothing else.
void reportTotal(const TuningTotal &total, const KernelOptions &options) {
  if (total.problems() < 2)
    return;
  if (options.json)
    logMessage(LogLevel::info, "{}", total.text());
  else
    print(total.text() + "\n");
}

int tune(const TuneArguments &arguments) {
  auto problems = resolveProblems(arguments.problems, arguments.kernel.types,
                                  arguments.kernel.schedule);
  if (!problems)
    return printError(problems.error());
  auto engine = makeEngine(arguments.kernel);
  if (!engine)
    return printError(engine.error());
  warnOfThreadsInTurns(**engine);
  TuningsSoFar run;
  const int code = workOnEach(*problems, [&](const LayerRequest &request) {
    return tuneOne(**engine, request, arguments, run);
  });
  reportTotal(run.total, arguments.kernel);
  return code;
}

} // namespace

Command makeTuneCommand(CommandParser program) {
  auto arguments = std::make_shared<TuneArguments>();
  CommandParser parser = program.addCommand(
      "tune", "find the fastest right kernel for each problem");
  addMachineOptions(parser, arguments->kernel);
  addTuningOptions(parser, arguments->kernel);
  addJsonOption(parser, arguments->kernel);
  addProblemArguments(parser, arguments->problems);
  parser
      .addFlag("--retune", arguments->retune,
               "race again, and replace what the cache holds")
      .excludes("--no-cache")
      .excludes("--schedule");
  return {parser, [arguments] { return tune(*arguments); }};
}

} // namespace lintel::tool
