// The peaks of the machine: kept ones, and measured now.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/EnginePeaks.h"

#include "Engine/EngineImpl.h"
#include "Engine/PeakMeter.h"
#include "Engine/PeakSurvey.h"
#include "Engine/WithoutThrowing.h"

#include "Runtime/FloatEnvironment.h"
#include "Runtime/Log.h"
#include "Target/Fingerprint.h"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lintel {

Expected<double> Engine::measurePeak(const DataTypes &types) {
  constexpr double kMilliseconds = 50;
  if (Status valid = types.check(); !valid)
    return valid.error();
  const CallsUnderWay::Call call(*impl->calls);
  if (!call.permitted())
    return call.permitted().error();
  const DefaultFloatEnvironment whileMeasuring;
  return withoutThrowing(
      "measuring the peak failed", [&]() -> Expected<double> {
        std::lock_guard lock(impl->tuningMutex);
        PeakMeter meter(*impl->executor, impl->threads, impl->target, types);
        if (Status sampled = meter.sampleFor(kMilliseconds); !sampled)
          return sampled.error();
        return meter.gflops();
      });
}

void Engine::Impl::takeStoredPeaks() {
  // A directory that is of no use was told of already.
  if (!cache || !cacheProblem.empty())
    return;
  Expected<std::optional<MachinePeaks>> peaks =
      cache->findPeaks(machineFingerprint(facts, target));
  if (peaks) {
    storedPeaks = std::move(*peaks);
    return;
  }
  peaksProblem = peaks.error().message();
  logMessage(LogLevel::warn, "the peaks that were kept are not used: {}",
             peaksProblem);
}

double Engine::Impl::storedPeakGflops(const DataTypes &types) const {
  const ThreadPeaks *row = storedPeaks ? storedPeaks->of(threads) : nullptr;
  return row ? row->gflops(bestInstruction(target, types)).best /
                   static_cast<double>(partsOfProduct(target, types))
             : 0;
}

/// Peaks are those of threads with a CPU each: whether the engine's are such,
/// by their number at once, since a barrier of threads that take turns waits
/// for the scheduler (two CPUs took two minutes for 1024 threads).
static Status checkThreads(const Engine::Impl &impl) {
  const int threads = impl.threads;
  const std::string number = std::to_string(threads) + " threads";
  // Of the engine: an OpenMP runtime may have bound this thread to one CPU
  // since.
  if (const int64_t cpus = impl.facts.cores; threads > cpus)
    return Error(ErrorCode::invalidArgument,
                 "peaks are those of threads with a CPU each, not of " +
                     number + " on " + std::to_string(cpus) +
                     (cpus == 1 ? " CPU" : " CPUs") + "; name at most " +
                     std::to_string(cpus) +
                     " with --threads or LINTEL_THREADS");
  constexpr double kMilliseconds = 2;
  PeakMeter meter(*impl.executor, threads, impl.target, DataTypes());
  if (Status sampled = meter.sampleFor(kMilliseconds); !sampled)
    return sampled;
  if (meter.threadsSeen() < threads)
    return Error(ErrorCode::unsupported,
                 "only " + std::to_string(meter.threadsSeen()) +
                     " of the engine's " + number + " run, " +
                     kWhyFewerThreads);
  if (meter.threadsAtOnce() < threads)
    return Error(ErrorCode::unsupported,
                 "the engine's " + number + " are bound to fewer CPUs, " +
                     std::to_string(meter.threadsAtOnce()) +
                     ", as by OMP_PLACES or GOMP_CPU_AFFINITY; peaks are those "
                     "of threads with a CPU each");
  return {};
}

Expected<ThreadPeaks> glanceAtPeaks(Engine::Impl &impl) {
  std::lock_guard lock(impl.tuningMutex);
  if (Status suited = checkThreads(impl); !suited)
    return suited.error();
  Expected<std::vector<ThreadPeaks>> rows =
      surveyPeaks(*impl.executor, impl.target, std::span(&impl.threads, 1),
                  SurveyRounds::glance);
  if (!rows)
    return rows.error();
  return rows->front();
}

static int64_t unixSecondsNow() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Expected<MachinePeaks> Engine::Impl::measurePeaks() {
  std::vector<int> counts = {1};
  if (threads != 1)
    counts.push_back(threads);
  std::lock_guard lock(tuningMutex);
  if (Status suited = checkThreads(*this); !suited)
    return suited.error();
  Expected<std::vector<ThreadPeaks>> rows =
      surveyPeaks(*executor, target, counts, SurveyRounds::thorough);
  if (!rows)
    return rows.error();
  const std::string machine = machineFingerprint(facts, target);
  // Another process may have kept rows since this engine looked.
  if (cache)
    if (Expected<std::optional<MachinePeaks>> kept = cache->findPeaks(machine))
      storedPeaks = std::move(*kept);
  MachinePeaks peaks = storedPeaks.value_or(MachinePeaks());
  peaks.machine = machine;
  peaks.measuredUnixSeconds = unixSecondsNow();
  for (ThreadPeaks &row : *rows) {
    row.measuredUnixSeconds = peaks.measuredUnixSeconds;
    peaks.put(row);
  }
  return peaks;
}

} // namespace lintel
