// The peaks of the machine: kept ones, and measured now.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/EngineImpl.h"
#include "Engine/PeakMeter.h"
#include "Engine/PeakSurvey.h"
#include "Engine/WithoutThrowing.h"

#include "Runtime/AllParts.h"
#include "Runtime/FloatEnvironment.h"
#include "Runtime/Log.h"
#include "Target/CpuCount.h"
#include "Target/Fingerprint.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lintel {

Expected<double> Engine::measurePeak(const DataTypes &types) {
  constexpr double kMilliseconds = 50;
  if (Status valid = types.check(); !valid)
    return valid.error();
  const CallsUnderWay::Call call(impl->calls);
  if (!call.permitted())
    return call.permitted().error();
  const DefaultFloatEnvironment whileMeasuring;
  return withoutThrowing(
      "measuring the peak failed", [&]() -> Expected<double> {
        std::lock_guard lock(impl->tuningMutex);
        PeakMeter meter(*impl->executor, impl->threads, impl->target,
                        bestInstruction(impl->target, types));
        if (Status sampled = meter.sampleFor(kMilliseconds); !sampled)
          return sampled.error();
        return meter.gflops();
      });
}

void Engine::Impl::takeStoredPeaks() {
  if (!cache)
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
  return row ? row->gflops(bestInstruction(target, types)).best : 0;
}

/// On how many CPUs the executor's threads may run, all together (two may share
/// one and a third have several); nothing where the system does not tell of
/// each.
static Expected<std::optional<size_t>> cpusOfThreads(Executor &executor,
                                                     int32_t threads) {
  std::vector<CpuMask> masks(threads);
  const Status ran = runAllParts(executor, threads, [&](int32_t part, int32_t) {
    masks[part] = affinityOfThread();
  });
  if (!ran)
    return ran.error();
  CpuMask all;
  for (const CpuMask &mask : masks) {
    if (mask.none())
      return std::optional<size_t>();
    all |= mask;
  }
  return std::optional<size_t>(all.count());
}

Expected<MachinePeaks> Engine::Impl::measurePeaks() {
  std::vector<int> counts = {1};
  if (threads != 1)
    counts.push_back(threads);
  std::lock_guard lock(tuningMutex);
  // They are kept for engines whose threads all run.
  constexpr double kMilliseconds = 2;
  PeakMeter meter(*executor, threads, target, bestInstruction(target, {}));
  if (Status sampled = meter.sampleFor(kMilliseconds); !sampled)
    return sampled.error();
  if (meter.threadsSeen() < threads)
    return Error(ErrorCode::unsupported,
                 "measuring the peaks: only " +
                     std::to_string(meter.threadsSeen()) + " of the engine's " +
                     std::to_string(threads) + " threads run, " +
                     kWhyFewerThreads);
  Expected<std::optional<size_t>> cpus = cpusOfThreads(*executor, threads);
  if (!cpus)
    return cpus.error();
  if (*cpus && **cpus < size_t(threads))
    return Error(
        ErrorCode::unsupported,
        "measuring the peaks: the engine's " + std::to_string(threads) +
            " threads are bound to fewer CPUs, " + std::to_string(**cpus) +
            ", as by OMP_PLACES or GOMP_CPU_AFFINITY; peaks are those "
            "of threads with a CPU each");
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
  peaks.measuredUnixSeconds =
      std::chrono::duration_cast<std::chrono::seconds>(
          std::chrono::system_clock::now().time_since_epoch())
          .count();
  for (const ThreadPeaks &row : *rows)
    peaks.put(row);
  return peaks;
}

} // namespace lintel
