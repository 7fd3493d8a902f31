// From a problem to tuned kernels, without the cache.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/EngineTuning.h"

#include "Engine/BucketTuning.h"
#include "Engine/Buckets.h"
#include "Engine/LayerReport.h"
#include "Engine/PeakMeter.h"
#include "Engine/Throughput.h"
#include "Engine/WithoutThrowing.h"

#include "Problem/ProblemTitle.h"
#include "Runtime/AllParts.h"
#include "Runtime/Log.h"
#include "Schedule/Legality.h"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

namespace lintel {
namespace {

/// Half of the time spent on the peak; taken before and again after the
/// race, so that a clock that drifts meanwhile shows in both. Less where the
/// peak is known and is only to be contradicted.
constexpr double kPeakMilliseconds = 10, kQuickPeakMilliseconds = 2;

void fillMeasurements(TuningReport &report, const TuningResult &result) {
  const Candidate &winner = result.winner();
  report.schedule = winner.schedule.text();
  report.medianMicroseconds = winner.medianMicroseconds;
  report.minMicroseconds = winner.minMicroseconds;
  report.promised = winner.promised;
  for (const Candidate &candidate : result.candidates)
    report.candidates.push_back(
        {candidate.schedule.text(), std::string(toString(candidate.status)),
         candidate.medianMicroseconds, candidate.reason, candidate.promised});
  report.objectsCompiled = result.objectsCompiled;
  report.maxError = result.maxError;
  report.noisy = result.noisy();
  report.interrupted = result.interrupted;
  report.compileMilliseconds = result.compileMilliseconds;
  report.verifyMilliseconds = result.verifyMilliseconds;
  report.timeMilliseconds = result.timeMilliseconds;
  report.totalMilliseconds = result.totalMilliseconds;
}

/// "with 2..16 rows: ", where other buckets have other rows.
std::string rowsOf(const Problem &bucket, size_t buckets) {
  return buckets == 1 ? "" : "with " + rowsInWords(bucket) + ": ";
}

/// Why the choices of a layer's buckets are doubtful, each once, however often
/// it raced; empty if none is.
std::string doubtsOf(const std::vector<Problem> &buckets,
                     const std::vector<TuningResult> &results) {
  std::string doubts;
  for (size_t i = 0; i < buckets.size(); ++i)
    if (results[i].noisy())
      doubts += (doubts.empty() ? "" : "; ") +
                rowsOf(buckets[i], buckets.size()) + results[i].doubt;
  return doubts;
}

/// How to have what a cache keeps tuned again: without one that is so anyway.
constexpr std::string_view kWaysToRetune =
    " (lintel tune --retune, CompileOptions::retune, retune in C)";

void warnOfDoubts(const Problem &problem, const std::string &doubts,
                  bool threadsShareCpus, std::string_view waysToRetune) {
  logMessage(LogLevel::warn,
             "{} of {}: the choice is doubtful: {}; tune again while the "
             "machine is quieter, or with a larger budget{}{}",
             problemTitle(problem.text()), problem.types().text(), doubts,
             threadsShareCpus ? ", or with fewer threads" : "", waysToRetune);
}

/// No candidate may serve that was not found right.
Status checkWinner(const TuningResult &result) {
  if (result.candidates.empty() || !result.winnerKernel)
    return Error(ErrorCode::internal, "tuning ended without a kernel");
  const Candidate &winner = result.winner();
  if (winner.status == CandidateStatus::wrong)
    return Error(ErrorCode::wrongResult,
                 winner.schedule.text() + ": " + winner.reason);
  if (winner.status == CandidateStatus::failed)
    return Error(ErrorCode::compile,
                 winner.schedule.text() + ": " + winner.reason);
  return {};
}

} // namespace

TuningReport Engine::Impl::emptyReport(const Problem &problem) const {
  TuningReport report;
  report.problem = problem.text();
  report.rows = problem.rows();
  report.types = problem.types();
  report.threads = threads;
  report.isa = toString(target.isa);
  report.cpu = facts.model.empty() ? target.cpu : facts.model;
  return report;
}

Expected<std::vector<Engine::Impl::Tuned>>
Engine::Impl::runTuner(const LayerPlan &plan, const CompileOptions &options,
                       const std::optional<Schedule> &pinned) {
  std::unique_lock lock(tuningMutex, std::defer_lock);
  while (!lock.try_lock_for(kPatience))
    if (options.stop && options.stop())
      return Error(ErrorCode::cancelled,
                   problemTitle(plan.problem.text()) +
                       ": interrupted while another problem was tuned");
  Expected<Tuner *> warmTuner = tuner();
  if (!warmTuner)
    return warmTuner.error();

  TuningOptions tuning;
  tuning.threads = threads;
  tuning.budgetMilliseconds = options.budgetMilliseconds;
  tuning.pinned = pinned;
  tuning.progress = options.progress;
  tuning.stop = options.stop;
  const auto tuneOne = [&](const Problem &bucket,
                           const TuningOptions &own) -> Expected<TuningResult> {
    Expected<TuningResult> result = (*warmTuner)->tune(bucket, own);
    if (result)
      if (Status winner = checkWinner(*result); !winner)
        return winner.error();
    return result;
  };
  const DataTypes &types = plan.problem.types();
  PeakMeter peak(*executor, threads, target, types);
  const double known = storedPeakGflops(types);
  const double sampling =
      known > 0 ? kQuickPeakMilliseconds : kPeakMilliseconds;
  if (Status sampled = peak.sampleFor(sampling); !sampled)
    return sampled.error();
  Expected<TunedBuckets> results = tuneBuckets(plan.buckets, tuning, tuneOne);
  if (!results)
    return results.error();
  if (Status sampled = peak.sampleFor(sampling); !sampled)
    return sampled.error();

  // Of a pinned schedule there is nothing to choose.
  if (const std::string doubts = doubtsOf(plan.buckets, results->results);
      !doubts.empty() && !pinned)
    warnOfDoubts(plan.problem, doubts, threads > target.cores,
                 cache ? kWaysToRetune : "");
  std::vector<Tuned> kernels;
  for (size_t i = 0; i < plan.buckets.size(); ++i) {
    const Problem &bucket = plan.buckets[i];
    Tuned tuned{std::move(results->results[i]), emptyReport(bucket)};
    fillMeasurements(tuned.report, tuned.result);
    tuned.report.panels = results->panels;
    setThroughput(tuned.report, bucket, choosePeak(known, peak.gflops()));
    tuned.threadsSeen = peak.threadsSeen();
    tuned.peakGflops = std::max(peak.gflops(), tuned.report.gflops);
    kernels.push_back(std::move(tuned));
  }
  return kernels;
}

bool Engine::Impl::ranOnAllThreads(const LayerPlan &plan,
                                   const Tuned &tuned) const {
  if (tuned.threadsSeen >= threads)
    return true;
  logMessage(LogLevel::warn,
             "the kernels of {}{} were tuned with {} of the engine's {} "
             "threads: {}{}",
             problemTitle(plan.problem.text()),
             cache ? " are not cached: they" : "", tuned.threadsSeen, threads,
             usesOpenMP ? kWhyFewerThreads : kWhyFewerOfExecutor,
             cache ? fmt::format("; those of an engine with as many threads as "
                                 "run ({}threads of its options) are",
                                 usesOpenMP ? "LINTEL_THREADS, or " : "")
                   : "");
  return false;
}

bool Engine::Impl::runsAllThreads() {
  std::vector<std::thread::id> seen(static_cast<size_t>(threads));
  const Status ran = withoutThrowing("counting threads", [&] {
    return runAllParts(*executor, threads, [&](int32_t tid, int32_t) {
      seen[static_cast<size_t>(tid)] = std::this_thread::get_id();
    });
  });
  const std::set<std::thread::id> different(seen.begin(), seen.end());
  return ran && different.size() == seen.size() &&
         !different.contains(std::thread::id());
}

LayerTable::Result Engine::Impl::tuneAndStore(const LayerPlan &plan,
                                              const CompileOptions &options) {
  Expected<std::vector<Tuned>> kernels = runTuner(plan, options, std::nullopt);
  if (!kernels)
    return kernels.error();
  std::shared_ptr<CompiledLayer> layer = newLayer();
  std::vector<TuningReport> reports;
  layer->ofAllThreads = ranOnAllThreads(plan, kernels->front());
  if (layer->ofAllThreads)
    store(plan, *kernels);
  for (size_t i = 0; i < plan.buckets.size(); ++i) {
    Tuned &tuned = (*kernels)[i];
    layer->kernels.push_back({plan.buckets[i], tuned.result.winner().schedule,
                              std::move(tuned.result.winnerKernel)});
    reports.push_back(std::move(tuned.report));
  }
  layer->report = plan.mix.empty()
                      ? std::move(reports.front())
                      : reportOfBuckets(plan.problem, std::move(reports));
  return std::shared_ptr<const CompiledLayer>(std::move(layer));
}

Expected<Schedule> Engine::Impl::pinnedSchedule(const std::string &text,
                                                const Problem &problem) const {
  Expected<Schedule> schedule = Schedule::parse(text);
  if (!schedule)
    return schedule; // its message names the text
  Status legal = checkSchedule(*schedule, problem, target);
  if (!legal)
    return legal.error().in("schedule '" + text + "'");
  return schedule;
}

LayerTable::Found Engine::Impl::findOrPin(const Problem &problem,
                                          const std::string &key,
                                          const CompileOptions &options) {
  Expected<Schedule> schedule = pinnedSchedule(options.schedule, problem);
  if (!schedule)
    return {schedule.error(), /*madeHere=*/false};
  const std::string pinnedKey = nameOfPinned(key, *schedule);
  const auto pin = [&] { return compilePinned(problem, *schedule, options); };
  if (options.retune)
    return {layers.replace(pinnedKey, pin), /*madeHere=*/true};
  return layers.findOrMake(pinnedKey, pin, options.stop);
}

LayerTable::Result Engine::Impl::compilePinned(const Problem &problem,
                                               const Schedule &schedule,
                                               const CompileOptions &options) {
  Expected<std::vector<Tuned>> kernels =
      runTuner({problem, {}, {problem}}, options, schedule);
  if (!kernels)
    return kernels.error();
  Tuned &tuned = kernels->front();
  tuned.report.source = KernelSource::pinned;
  std::shared_ptr<CompiledLayer> layer = newLayer();
  layer->kernels.push_back(
      {problem, schedule, std::move(tuned.result.winnerKernel)});
  layer->report = std::move(tuned.report);
  return std::shared_ptr<const CompiledLayer>(std::move(layer));
}

} // namespace lintel
