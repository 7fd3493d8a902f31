// lintel bench: time the tuned kernel of each problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Command.h"
#include "Console.h"
#include "Interrupt.h"
#include "JsonLine.h"
#include "KernelOptions.h"
#include "LayerCall.h"
#include "ProblemArguments.h"
#include "Progress.h"
#include "Stopwatch.h"
#include "Table.h"
#include "TuningText.h"

#include "Engine/EngineImpl.h"
#include "Engine/PeakMeter.h"
#include "Engine/Throughput.h"

#include <algorithm>

namespace lintel::tool {

namespace {

struct BenchArguments {
  KernelOptions kernel;
  ProblemArguments problems;
};

/// What was measured of one kernel: the report of its tuning with the numbers
/// of this run.
struct Measurement {
  TuningReport report;
  double readyMilliseconds = 0;
  double peakGflops = 0; ///< what the share refers to
};

/// Times the layer and puts the rates into the report. The peak is sampled
/// before and after, so that a clock that drifts shows in both.
Status measure(Linear &layer, Engine &engine, Measurement &measurement) {
  constexpr double kPeakMilliseconds = 20;
  Expected<LayerCall> call = LayerCall::create(layer);
  if (!call)
    return call.error();
  if (Status status = call->run(); !status)
    return status;
  Engine::Impl &impl = engine.internals();
  PeakMeter peak(*impl.executor, impl.threads, impl.target);
  peak.sampleFor(kPeakMilliseconds);
  Lap lap =
      timeRepeatedly([&] { (void)call->run(); }, InterruptGuard::requested);
  peak.sampleFor(kPeakMilliseconds);
  TuningReport &report = measurement.report;
  report.medianMicroseconds = lap.median();
  report.minMicroseconds = lap.minimum();
  measurement.peakGflops =
      setThroughput(report, layer.problem(),
                    chooseFmaPeak(impl.storedPeakGflops(), peak.gflops()))
          .gflops;
  return {};
}

std::string benchJson(const Measurement &measurement) {
  const TuningReport &report = measurement.report;
  return jsonLine([&](llvm::json::OStream &out) {
    writeSubject(out, report);
    writeText(out, "source", toString(report.source));
    writeText(out, "key", report.key);
    writeText(out, "schedule", report.schedule);
    writeNumber(out, "median_us", report.medianMicroseconds, 3);
    writeNumber(out, "min_us", report.minMicroseconds, 3);
    writeNumber(out, "gflops", report.gflops, 3);
    writeNumber(out, "gbps", report.gbps, 3);
    writeNumber(out, "peak_fraction", report.peakFraction, 5);
    writeNumber(out, "peak_gflops", measurement.peakGflops, 3);
    writeText(out, "peak_source", toString(report.peakSource));
    writeNumber(out, "ready_ms", measurement.readyMilliseconds, 3);
  });
}

std::string benchText(const Problem &problem, const Measurement &measurement) {
  const TuningReport &report = measurement.report;
  std::string text = "BENCH " + subjectText(problem, report) + "\n";
  if (report.schedule.empty())
    return text + "  nothing to compute\n";
  return text + "  " + report.schedule + "\n  " +
         fixed(report.medianMicroseconds / 1000, 4, " ms median, ") +
         fixed(report.minMicroseconds / 1000, 4, " ms min, ") +
         fixed(report.gflops, 1, " GFLOP/s, ") +
         fixed(report.gbps, 1, " GB/s, ") +
         fixed(100 * report.peakFraction, 1, "% of peak (") +
         std::string(toString(report.peakSource)) + ", " +
         fixed(measurement.peakGflops, 1, " GFLOP/s)\n  ") + "source " +
         std::string(toString(report.source)) + ", ready after " +
         fixed(measurement.readyMilliseconds, 1, " ms\n");
}

int benchOne(Engine &engine, const Problem &problem,
             const KernelOptions &options, Clock::time_point start) {
  Expected<Linear> layer = [&] {
    Progress progress(headline(problem));
    return engine.compile(problem, makeCompileOptions(options, progress));
  }();
  const double readyMilliseconds = microsecondsSince(start) / 1000;
  if (!layer)
    return printError(layer.error().in(headline(problem)));
  Measurement measurement{layer->report(), readyMilliseconds, 0};
  if (!layer->report().schedule.empty())
    if (Status status = measure(*layer, engine, measurement); !status)
      return printError(status.error().in(headline(problem)));
  print(options.json ? benchJson(measurement)
                     : benchText(problem, measurement));
  return kSuccess;
}

int bench(const BenchArguments &arguments, Clock::time_point start) {
  auto problems = resolveProblems(arguments.problems, arguments.kernel.dtype);
  if (!problems)
    return printError(problems.error());
  auto engine = makeEngine(arguments.kernel);
  if (!engine)
    return printError(engine.error());
  InterruptGuard interrupt;
  int code = kSuccess;
  for (const Problem &problem : *problems) {
    code = std::max(code, benchOne(**engine, problem, arguments.kernel, start));
    if (InterruptGuard::requested())
      return kInterrupted;
    // The first problem's time counts from main; the others' from their turn.
    start = Clock::now();
  }
  return code;
}

} // namespace

Command makeBenchCommand(CLI::App &app, Clock::time_point start) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App *parser =
      app.add_subcommand("bench", "time the tuned kernel of each problem");
  addKernelOptions(*parser, arguments->kernel);
  addProblemArguments(*parser, arguments->problems);
  return {parser, [arguments, start] { return bench(*arguments, start); }};
}

} // namespace lintel::tool
