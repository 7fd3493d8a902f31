// lintel bench: time the tuned kernel of each problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Command.h"
#include "Console.h"
#include "Interrupt.h"
#include "JsonLine.h"
#include "KernelOptions.h"
#include "LayerCall.h"
#include "LayerNames.h"
#include "ProblemArguments.h"
#include "ProblemFailure.h"
#include "Progress.h"
#include "RequestLoop.h"
#include "Stopwatch.h"
#include "Table.h"
#include "TuningText.h"

#include "Engine/EngineImpl.h"
#include "Engine/PeakMeter.h"
#include "Engine/Throughput.h"
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/WaitedForCpus.h"
#include "Tuning/Workbench.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace lintel::tool {

namespace {

struct BenchArguments {
  KernelOptions kernel;
  ProblemArguments problems;
};

/// What was measured with one number of rows: the report of the kernel that
/// serves it, with the numbers of this run.
struct Timing {
  int64_t rows = 0;
  TuningReport report;
  std::optional<double> spread = {}; ///< of samples, three or more
  double peakGflops = 0;             ///< what the share refers to
  std::string doubt = {};            ///< why it means little, or empty
  /// Tuning flushes all of the weight after each run, as other layers of a
  /// model would displace it; here it is where the call before left it.
  bool isTunedFlushed = false;
};

struct Measurement {
  TuningReport layer;
  std::vector<Timing> timings; ///< fewest rows first; empty: nothing to compute
  double readyMilliseconds = 0;
  bool interrupted = false; ///< tuning, or timing, was cut short
  std::string failure = {}; ///< of rows that could not be timed, and the rest
};

/// The report of the kernel that serves so many rows.
const TuningReport &kernelFor(const TuningReport &layer, int64_t rows) {
  auto bucket =
      std::ranges::find_if(layer.buckets, [&](const TuningReport &bucket) {
        return bucket.rows.contains(rows);
      });
  return bucket == layer.buckets.end() ? layer : *bucket;
}

/// The numbers of rows that a layer is timed with.
std::vector<int64_t> rowsToTime(const Linear &layer,
                                const LayerRequest &request) {
  if (!request.rows.empty())
    return request.rows;
  std::vector<int64_t> rows;
  for (const TuningReport &bucket : layer.report().buckets)
    rows.push_back(bucket.rows.typical);
  if (rows.empty())
    rows.push_back(planningRows(layer.problem()));
  return rows;
}

/// Threads that wait for a CPU take some multiple of the scheduler's 4 ms for
/// every call, which does not scatter.
std::string doubtIn(const Timing &timing, const Problem &problem,
                    const Engine::Impl &engine) {
  const Expected<Schedule> schedule = Schedule::parse(timing.report.schedule);
  if (!schedule || engine.target.emulatesTiles())
    return "";
  const double predicted =
      predictMicroseconds(*schedule, problem, engine.target, engine.threads);
  return waitedForCpus(timing.report.medianMicroseconds, predicted)
             ? timesTheEstimate(timing.report.medianMicroseconds, predicted)
             : "";
}

/// Times the layer with so many rows. The peak is sampled before and after, so
/// that a clock that drifts shows in both.
Expected<Timing> measure(Linear &layer, Engine &engine, int64_t rows) {
  constexpr double kPeakMilliseconds = 20;
  Expected<LayerCall> call = LayerCall::create(layer, rows);
  if (!call)
    return call.error();
  if (Status status = call->run(); !status)
    return status.error();
  Engine::Impl &impl = engine.internals();
  const DataTypes &types = layer.problem().types();
  PeakMeter peak(*impl.executor, impl.threads, impl.target,
                 bestInstruction(impl.target, types));
  if (Status sampled = peak.sampleFor(kPeakMilliseconds); !sampled)
    return sampled.error();
  Lap lap =
      timeRepeatedly([&] { (void)call->run(); }, InterruptGuard::requested);
  if (Status sampled = peak.sampleFor(kPeakMilliseconds); !sampled)
    return sampled.error();
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
  timing.doubt = doubtIn(timing, problem, impl);
  timing.isTunedFlushed =
      findsColdWeight(problem, rows, problem.n(), impl.target);
  return timing;
}

void writeRates(llvm::json::OStream &out, const Timing &timing) {
  const TuningReport &report = timing.report;
  writeText(out, "schedule", report.schedule);
  // Picoseconds: the shortest calls take some 40 ns.
  writeNumber(out, "median_us", report.medianMicroseconds, 6);
  writeNumber(out, "min_us", report.minMicroseconds, 6);
  writeNumber(out, "spread",
              timing.spread.value_or(std::numeric_limits<double>::quiet_NaN()),
              4);
  writeNumber(out, "gflops", report.gflops, 3);
  writeNumber(out, "gbps", report.gbps, 3);
  writeNumber(out, "peak_fraction", report.peakFraction, 5);
  writeNumber(out, "peak_gflops", timing.peakGflops, 3);
  writeText(out, "peak_source", toString(report.peakSource));
  if (!timing.doubt.empty())
    writeText(out, "doubt", timing.doubt);
}

std::string benchJson(const Measurement &measurement) {
  const TuningReport &layer = measurement.layer;
  const std::vector<Timing> &timings = measurement.timings;
  return jsonLine([&](llvm::json::OStream &out) {
    writeSubject(out, layer);
    writeText(out, "source", toString(layer.source));
    writeText(out, "key", layer.key);
    writeRates(out, timings.empty() ? Timing{0, layer} : timings.back());
    if (!layer.rows.isKnown())
      out.attributeArray("rows", [&] {
        for (const Timing &timing : timings)
          out.object([&] {
            out.attribute("rows", timing.rows);
            writeRates(out, timing);
          });
      });
    writeNumber(out, "ready_ms", measurement.readyMilliseconds, 3);
    out.attribute("noisy", layer.noisy);
    out.attribute("interrupted", measurement.interrupted);
    if (!measurement.failure.empty())
      writeText(out, "error", measurement.failure);
  });
}

std::string timingText(const Timing &timing) {
  const TuningReport &report = timing.report;
  const std::string scatter =
      timing.spread ? ", scatter " + fixed(100 * *timing.spread, 1, "%") : "";
  return "  " + report.schedule + "\n  " +
         millisecondsText(report.medianMicroseconds) + " median, " +
         millisecondsText(report.minMicroseconds) + " min, " +
         fixed(report.gflops, 1, " GFLOP/s, ") +
         fixed(report.gbps, 1, " GB/s, ") +
         fixed(100 * report.peakFraction, 1, "% of peak (") +
         std::string(toString(report.peakSource)) + ", " +
         fixed(timing.peakGflops, 1, " GFLOP/s)") + scatter +
         (timing.doubt.empty() ? "\n"
                               : "\n  doubtful: " + timing.doubt + "\n") +
         (timing.isTunedFlushed
              ? "  weight not flushed between calls, as it is by tune\n"
              : "");
}

std::string benchText(const Problem &problem, const Measurement &measurement) {
  const TuningReport &layer = measurement.layer;
  std::string text = "BENCH " + subjectText(problem, layer) + "\n";
  if (measurement.timings.empty())
    return text + "  nothing to compute\n";
  for (const Timing &timing : measurement.timings)
    text += (layer.rows.isKnown()
                 ? ""
                 : "  rows " + std::to_string(timing.rows) + "\n") +
            timingText(timing);
  return text + "  source " + std::string(toString(layer.source)) +
         doubtText(layer) + ", ready after " +
         fixed(measurement.readyMilliseconds, 1, " ms") +
         (measurement.interrupted
              ? "; interrupted: of what there was time for\n"
          : measurement.failure.empty() ? "\n"
                                        : "; failed with more rows\n");
}

int benchOne(Engine &engine, const LayerRequest &request,
             const KernelOptions &options, Clock::time_point start) {
  const Problem &problem = request.problem;
  // A pinned kernel takes any rows; they only say what to time.
  const std::vector<int64_t> mix =
      options.schedule.empty() ? request.rows : std::vector<int64_t>();
  Expected<Linear> layer = [&] {
    Progress progress(headline(problem));
    return engine.compile(problem, makeCompileOptions(options, mix, progress));
  }();
  const double readyMilliseconds = microsecondsSince(start) / 1000;
  if (!layer)
    return printError(failureOf(problem, layer.error()));
  Measurement measurement{layer->report(), {}, readyMilliseconds};
  std::optional<Error> failure;
  if (!layer->report().schedule.empty())
    for (int64_t rows : rowsToTime(*layer, request)) {
      Expected<Timing> timing = measure(*layer, engine, rows);
      if (!timing) {
        failure = failureOf(problem, timing.error());
        break;
      }
      measurement.timings.push_back(std::move(*timing));
      if (InterruptGuard::requested())
        break;
    }
  measurement.interrupted = InterruptGuard::requested();
  // What was timed before it failed is worth having.
  measurement.failure = failure ? failure->message() : "";
  if (!failure || !measurement.timings.empty())
    print(options.json
              ? withLayers(benchJson(measurement), request.layers)
              : layersText(request.layers) + benchText(problem, measurement));
  return failure ? printError(*failure) : kSuccess;
}

int bench(const BenchArguments &arguments, Clock::time_point start) {
  auto problems = resolveProblems(arguments.problems, arguments.kernel.types);
  if (!problems)
    return printError(problems.error());
  auto engine = makeEngine(arguments.kernel);
  if (!engine)
    return printError(engine.error());
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
