// lintel bench: time the tuned kernel of each problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BenchReport.h"
#include "Command.h"
#include "Console.h"
#include "Interrupt.h"
#include "KernelOptions.h"
#include "LayerOrigin.h"
#include "ProblemArguments.h"
#include "ProblemFailure.h"
#include "Progress.h"
#include "RequestLoop.h"
#include "Stopwatch.h"
#include "TuningText.h"

#include "Engine/Buckets.h"
#include "Engine/EngineImpl.h"
#include "Engine/MadeUpCall.h"
#include "Engine/PeakMeter.h"
#include "Engine/Throughput.h"
#include "Schedule/Ranking.h"
#include "Target/WaitingTime.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/WaitedForCpus.h"
#include "Tuning/Workbench.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lintel::tool {

namespace {

struct BenchArguments {
  KernelOptions kernel;
  ProblemArguments problems;
};

/// The numbers of rows that a layer is timed with.
std::vector<int64_t> rowsToTime(const Linear &layer,
                                const LayerRequest &request) {
  if (!request.rows.empty())
    return request.rows;
  std::vector<int64_t> rows;
  for (const TuningReport &bucket : layer.report().buckets)
    rows.push_back(bucket.rows.typical);
  if (rows.empty())
    rows.push_back(layer.problem().rows().typical);
  return rows;
}

/// Samples of a call, how long they took together, and how long the threads of
/// this process had no CPU.
struct Sampled {
  Lap lap;
  double seconds = 0, waitedSeconds = 0;
};

/// Threads that wait for a CPU take some multiple of the scheduler's 4 ms for
/// nearly every call, which does not scatter. Beside one busy process it may be
/// eight times the estimate, and then some call is quicker: the swing is how
/// much longer than the best most calls took. Where the system tells how long
/// threads waited, a call that took half as long again as estimated is enough.
std::string doubtIn(const Timing &timing, const Sampled &sampled,
                    const Problem &problem, const Engine::Impl &engine) {
  constexpr double kLargeSwing = 0.3, kTooManyTimes = 1.5;
  const Expected<Schedule> schedule = Schedule::parse(timing.report.schedule);
  if (!schedule || engine.target.emulatesTiles())
    return "";
  const double predicted =
      predictMicroseconds(*schedule, problem, engine.target, engine.threads);
  const double median = timing.report.medianMicroseconds;
  if (lackedCpus(sampled.waitedSeconds, sampled.seconds, engine.threads) &&
      waitedForCpus(median, predicted, kTooManyTimes))
    return lackedCpusText(sampled.waitedSeconds, sampled.seconds,
                          engine.threads);
  const bool waited = waitedForCpus(median, predicted) ||
                      (mayHaveWaitedForCpus(median, predicted) &&
                       sampled.lap.swing() > kLargeSwing);
  return waited ? timesTheEstimate(median, predicted) : "";
}

/// Samples of `call` on `layer`, or why it failed: what fails is fast.
Expected<Sampled> sample(const MadeUpCall &call, const Linear &layer) {
  Status ran;
  Sampled sampled;
  const double before = secondsWaitedForCpus().value_or(0);
  const Clock::time_point begin = Clock::now();
  sampled.lap = timeRepeatedly(
      [&] {
        if (Status status = call.run(layer); !status)
          ran = std::move(status);
      },
      InterruptGuard::requested);
  sampled.seconds = microsecondsSince(begin) * 1e-6;
  sampled.waitedSeconds = secondsWaitedForCpus().value_or(0) - before;
  if (!ran)
    return ran.error();
  return sampled;
}

/// What else to do about too little memory for calls of `problem`.
Error withAdvice(const Problem &problem, const Error &error) {
  std::string_view advice = "; lintel tune times a part of the rows";
  if (!checkMemoryOfCalls(problem, {}, /*rows=*/1))
    advice = "; free some, or cut the layer into several of fewer columns";
  else if (hasBuckets(problem))
    advice = "; name fewer rows with --rows";
  return Error(error.code(), error.message() + std::string(advice));
}

/// The fewest rows that are timed: with more may fail what has been timed with
/// these.
int64_t fewestRows(const LayerRequest &request, const std::string &schedule) {
  if (!request.rows.empty())
    return std::ranges::min(request.rows);
  return hasBuckets(request.problem) && schedule.empty()
             ? usualMix().front()
             : request.problem.rows().typical;
}

/// A call with so many rows of `layer`, which is given its weight.
Expected<MadeUpCall> prepareCall(Linear &layer, int64_t rows) {
  const Problem &problem = layer.problem();
  std::vector<Schedule> schedules; // none: nothing to compute
  if (Expected<Schedule> parsed = Schedule::parse(layer.report().schedule))
    schedules.push_back(*parsed);
  Expected<MadeUpCall> call = MadeUpCall::create(problem, rows, schedules);
  if (!call)
    return withAdvice(problem, call.error());
  if (Status status = call->setWeight(layer); !status)
    return status.error();
  return call;
}

/// Times the layer with so many rows. The peak is sampled before and after, so
/// that a clock that drifts shows in both.
Expected<Timing> measure(Linear &layer, Engine &engine, int64_t rows) {
  constexpr double kPeakMilliseconds = 20;
  Expected<MadeUpCall> call = prepareCall(layer, rows);
  if (!call)
    return call.error();
  if (Status status = call->run(layer); !status)
    return status.error();
  Engine::Impl &impl = engine.internals();
  const DataTypes &types = layer.problem().types();
  PeakMeter peak(*impl.executor, impl.threads, impl.target, types);
  if (Status measured = peak.sampleFor(kPeakMilliseconds); !measured)
    return measured.error();
  const Expected<Sampled> sampled = sample(*call, layer);
  if (!sampled)
    return sampled.error();
  const Lap &lap = sampled->lap;
  if (Status measured = peak.sampleFor(kPeakMilliseconds); !measured)
    return measured.error();
  const Problem problem = *layer.problem().withRows(rows);
  Timing timing{rows, kernelFor(layer.report(), rows)};
  timing.report.medianMicroseconds = lap.median();
  timing.report.minMicroseconds = lap.minimum();
  constexpr size_t kFewestToScatter = 3;
  if (lap.samples.size() >= kFewestToScatter)
    timing.spread = lap.spread();
  timing.peakGflops =
      setThroughput(timing.report, problem,
                    choosePeak(impl.storedPeakGflops(types), peak.gflops()))
          .gflops;
  timing.doubt = doubtIn(timing, *sampled, problem, impl);
  timing.idle = idleText(timing.report.schedule, problem, impl.threads);
  timing.isTunedFlushed =
      findsColdWeight(problem, rows, problem.n(), impl.target);
  return timing;
}

int benchOne(Engine &engine, const LayerRequest &request,
             const KernelOptions &options, Clock::time_point start) {
  const Problem &problem = request.problem;
  // Before a tuning of seconds, whose kernel there would be no memory to call.
  if (Status fits = checkMemoryOfCalls(problem, {},
                                       fewestRows(request, options.schedule));
      !fits)
    return reportFailure(request, withAdvice(problem, fits.error()), options);
  // A pinned kernel takes any rows; they only say what to time.
  const std::vector<int64_t> mix =
      options.schedule.empty() ? request.rows : std::vector<int64_t>();
  Expected<Linear> layer = [&] {
    Progress progress(headline(problem));
    return engine.compile(problem, makeCompileOptions(options, mix, progress));
  }();
  const double readyMilliseconds = microsecondsSince(start) / 1000;
  if (!layer)
    return reportFailure(request, layer.error(), options);
  Measurement measurement{layer->report(), {}, readyMilliseconds};
  Status status;
  if (!layer->report().schedule.empty())
    for (int64_t rows : rowsToTime(*layer, request)) {
      Expected<Timing> timing = measure(*layer, engine, rows);
      if (!timing) {
        status = timing.error();
        break;
      }
      measurement.timings.push_back(std::move(*timing));
      if (InterruptGuard::requested())
        break;
    }
  if (!status && measurement.timings.empty())
    return reportFailure(request, status.error(), options);
  measurement.interrupted = InterruptGuard::requested();
  // What was timed before it failed is worth having.
  if (!status)
    measurement.failure = failureOf(request, status.error()).message();
  print(options.json
            ? withOrigin(benchJson(measurement), request.origin)
            : originText(request.origin) + benchText(problem, measurement));
  return status ? kSuccess : printError(failureOf(request, status.error()));
}

int bench(const BenchArguments &arguments, Clock::time_point start) {
  auto problems = resolveProblems(arguments.problems, arguments.kernel.types);
  if (!problems)
    return printError(problems.error());
  auto engine = makeEngine(arguments.kernel);
  if (!engine)
    return printError(engine.error());
  warnOfThreadsInTurns(**engine);
  return workOnEach(*problems, [&](const LayerRequest &request) {
    const int code = benchOne(**engine, request, arguments.kernel, start);
    // The first problem's time counts from main; the others' from their turn.
    start = Clock::now();
    return code;
  });
}

} // namespace

Command makeBenchCommand(CommandParser program, Clock::time_point start) {
  auto arguments = std::make_shared<BenchArguments>();
  CommandParser parser =
      program.addCommand("bench", "time the tuned kernel of each problem");
  addMachineOptions(parser, arguments->kernel);
  addTuningOptions(parser, arguments->kernel);
  addJsonOption(parser, arguments->kernel);
  addProblemArguments(parser, arguments->problems);
  return {parser, [arguments, start] { return bench(*arguments, start); }};
}

} // namespace lintel::tool
