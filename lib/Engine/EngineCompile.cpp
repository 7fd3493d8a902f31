// From a problem to a layer: memory, disk, or the race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/EngineImpl.h"
#include "Engine/KernelKey.h"
#include "Engine/LinearImpl.h"
#include "Engine/PeakMeter.h"
#include "Engine/Throughput.h"
#include "Engine/TuningRecord.h"

#include "Codegen/Compiler.h"
#include "Lintel/KernelABI.h"
#include "Runtime/Log.h"
#include "Schedule/SearchSpace.h"

#include <chrono>
#include <cmath>
#include <utility>

namespace lintel {
namespace {

/// Half of the time spent on the FMA peak; taken before and again after the
/// race, so that a clock that drifts meanwhile shows in both. Less where the
/// peak is known and is only to be contradicted.
constexpr double kPeakMilliseconds = 10, kQuickPeakMilliseconds = 2;

Status checkOptions(const CompileOptions &options) {
  if (!std::isfinite(options.budgetMilliseconds) ||
      options.budgetMilliseconds <= 0)
    return Error(ErrorCode::invalidArgument,
                 "the budget must be a positive number of milliseconds");
  return {};
}

bool computesNothing(const Problem &problem) {
  return problem.m() == 0 || problem.n() == 0;
}

void fillMeasurements(TuningReport &report, const TuningResult &result) {
  const Candidate &winner = result.winner();
  report.schedule = winner.schedule.text();
  report.medianMicroseconds = winner.medianMicroseconds;
  report.minMicroseconds = winner.minMicroseconds;
  for (const Candidate &candidate : result.candidates)
    report.candidates.push_back(
        {candidate.schedule.text(), std::string(toString(candidate.status)),
         candidate.medianMicroseconds, candidate.reason});
  report.objectsCompiled = result.objectsCompiled;
  report.maxError = result.maxError;
  report.compileMilliseconds = result.compileMilliseconds;
  report.verifyMilliseconds = result.verifyMilliseconds;
  report.timeMilliseconds = result.timeMilliseconds;
  report.totalMilliseconds = result.totalMilliseconds;
}

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// A kernel that was found costs the look-up alone; what tuning it had cost
/// stays in the cache's record.
void reportNoWork(TuningReport &report, double lookupMilliseconds) {
  report.objectsCompiled = 0;
  report.compileMilliseconds = 0;
  report.verifyMilliseconds = 0;
  report.timeMilliseconds = 0;
  report.totalMilliseconds = lookupMilliseconds;
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

/// A finished race and the report on it.
struct Engine::Impl::Tuned {
  TuningResult result;
  TuningReport report;
  double peakGflops = 0;
};

CacheKey Engine::Impl::keyOf(const Problem &problem) const {
  return kernelKey(
      {problem, target, threads, codegenVersion(), kKernelAbiVersion});
}

TuningReport Engine::Impl::emptyReport(const Problem &problem) const {
  TuningReport report;
  report.problem = problem.text();
  report.dtype = problem.dtype();
  report.threads = threads;
  report.isa = toString(target.isa);
  report.cpu = facts.model.empty() ? target.cpu : facts.model;
  return report;
}

std::shared_ptr<const CompiledKernel>
Engine::Impl::findInCache(const CacheKey &key, const Problem &problem) {
  std::optional<CacheEntry> entry =
      cache->find(key, [this](std::string_view feature) {
        auto position = facts.features.find(std::string(feature));
        return position != facts.features.end() && position->second;
      });
  if (!entry)
    return nullptr;
  const auto refuse = [&](const Error &error) {
    logger()->warn("cache entry {} is not used: {}", key.hash(),
                   error.message());
    return nullptr;
  };
  Expected<TuningRecord> record = TuningRecord::decode(entry->record);
  if (!record)
    return refuse(record.error());
  Expected<Schedule> schedule = Schedule::parse(record->report.schedule);
  if (!schedule)
    return refuse(schedule.error());
  if (Status legal = checkSchedule(*schedule, problem, target); !legal)
    return refuse(legal.error());
  Expected<std::shared_ptr<const Kernel>> kernel =
      loader->load(entry->object, kKernelSymbol);
  if (!kernel)
    return refuse(kernel.error());
  record->report.source = KernelSource::cache;
  record->report.key = key.hash();
  setPeakShare(record->report,
               chooseFmaPeak(storedPeakGflops(), record->peakGflops));
  return std::make_shared<const CompiledKernel>(
      CompiledKernel{*schedule, std::move(*kernel), std::move(record->report)});
}

Expected<Engine::Impl::Tuned>
Engine::Impl::runTuner(const Problem &problem, const CompileOptions &options,
                       const std::optional<Schedule> &pinned) {
  std::lock_guard lock(tuningMutex);
  Expected<Tuner *> warmTuner = tuner();
  if (!warmTuner)
    return warmTuner.error();

  TuningOptions tuning;
  tuning.threads = threads;
  tuning.budgetMilliseconds = options.budgetMilliseconds;
  tuning.pinned = pinned;
  tuning.progress = options.progress;
  tuning.stop = options.stop;
  PeakMeter peak(*executor, threads, target);
  const double known = storedPeakGflops();
  const double sampling =
      known > 0 ? kQuickPeakMilliseconds : kPeakMilliseconds;
  peak.sampleFor(sampling);
  Expected<TuningResult> result = (*warmTuner)->tune(problem, tuning);
  if (!result)
    return result.error();
  if (Status winner = checkWinner(*result); !winner)
    return winner.error();
  peak.sampleFor(sampling);

  Tuned tuned{std::move(*result), emptyReport(problem)};
  fillMeasurements(tuned.report, tuned.result);
  tuned.peakGflops =
      setThroughput(tuned.report, problem, chooseFmaPeak(known, peak.gflops()))
          .gflops;
  return tuned;
}

KernelTable::Result Engine::Impl::tuneAndStore(const CacheKey &key,
                                               const Problem &problem,
                                               const CompileOptions &options) {
  Expected<Tuned> tuned = runTuner(problem, options, std::nullopt);
  if (!tuned)
    return tuned.error();
  TuningResult &result = tuned->result;
  if (cache) {
    tuned->report.key = key.hash();
    TuningRecord record{tuned->report, tuned->peakGflops, result.interrupted};
    CacheEntry entry{key.text(), target.features(), record.encode(),
                     std::move(result.winnerObject.bytes)};
    if (Status written = cache->put(key, entry); !written)
      logger()->warn("the kernel of {} is not cached: {}", problem.text(),
                     written.error().message());
  }
  return std::make_shared<const CompiledKernel>(
      CompiledKernel{result.winner().schedule, std::move(result.winnerKernel),
                     std::move(tuned->report)});
}

KernelTable::Result Engine::Impl::compilePinned(const Problem &problem,
                                                const CompileOptions &options) {
  Expected<Schedule> schedule = Schedule::parse(options.schedule);
  if (!schedule)
    return schedule.error().in("schedule '" + options.schedule + "'");
  if (Status legal = checkSchedule(*schedule, problem, target); !legal)
    return legal.error().in("schedule '" + options.schedule + "'");
  Expected<Tuned> tuned = runTuner(problem, options, *schedule);
  if (!tuned)
    return tuned.error();
  tuned->report.source = KernelSource::pinned;
  return std::make_shared<const CompiledKernel>(
      CompiledKernel{*schedule, std::move(tuned->result.winnerKernel),
                     std::move(tuned->report)});
}

Expected<Linear> Engine::compile(const Problem &problem,
                                 const CompileOptions &options) {
  const Clock::time_point start = Clock::now();
  if (Status valid = checkOptions(options); !valid)
    return valid.error();
  if (computesNothing(problem))
    return Linear(
        std::make_unique<Linear::Impl>(problem, impl->emptyReport(problem)));

  const auto layer = [&](const std::shared_ptr<const CompiledKernel> &kernel,
                         KernelSource source) {
    TuningReport report = kernel->report;
    report.source = source;
    if (source == KernelSource::cache)
      reportNoWork(report, millisecondsSince(start));
    return Linear(std::make_unique<Linear::Impl>(
        problem, std::move(report), kernel, impl->executor, impl->threads));
  };
  if (!options.schedule.empty()) {
    KernelTable::Result pinned = impl->compilePinned(problem, options);
    if (!pinned)
      return pinned.error();
    return layer(*pinned, KernelSource::pinned);
  }

  const CacheKey key = impl->keyOf(problem);
  const auto tune = [&] { return impl->tuneAndStore(key, problem, options); };
  if (!options.readCache) {
    KernelTable::Result tuned = impl->kernels.replace(key.text(), tune);
    if (!tuned)
      return tuned.error();
    return layer(*tuned, KernelSource::tuned);
  }
  KernelTable::Found found =
      impl->kernels.findOrMake(key.text(), [&]() -> KernelTable::Result {
        if (impl->cache)
          if (std::shared_ptr<const CompiledKernel> cached =
                  impl->findInCache(key, problem))
            return cached;
        return tune();
      });
  if (!found.result)
    return found.result.error();
  return layer(*found.result, found.madeHere ? (*found.result)->report.source
                                             : KernelSource::cache);
}

} // namespace lintel
