// Layers in the cache on disk: an entry for each kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/EngineImpl.h"
#include "Engine/EngineTuning.h"
#include "Engine/KernelKey.h"
#include "Engine/LayerReport.h"
#include "Engine/Throughput.h"
#include "Engine/TuningRecord.h"

#include "Codegen/Compiler.h"
#include "Lintel/KernelABI.h"
#include "Problem/ProblemTitle.h"
#include "Runtime/Log.h"
#include "Schedule/Legality.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lintel {
namespace {

struct LoadedKernel {
  CompiledKernel kernel;
  TuningReport report;
};

/// What an entry holds, if it is legal for the problem and loads.
Expected<LoadedKernel> load(const CacheEntry &entry, const Problem &problem,
                            const Target &target, Loader &loader,
                            double storedPeakGflops) {
  Expected<TuningRecord> record = TuningRecord::decode(entry.record);
  if (!record)
    return record.error();
  Expected<Schedule> schedule = Schedule::parse(record->report.schedule);
  if (!schedule)
    return schedule.error();
  if (Status legal = checkSchedule(*schedule, problem, target); !legal)
    return legal.error().in("schedule '" + record->report.schedule + "'");
  Expected<std::shared_ptr<const Kernel>> kernel =
      loader.load(entry.object, kKernelSymbol);
  if (!kernel)
    return kernel.error();
  record->report.rows = problem.rows();
  setPeakShare(record->report,
               choosePeak(storedPeakGflops, record->peakGflops));
  return LoadedKernel{{problem, *schedule, std::move(*kernel)},
                      std::move(record->report)};
}

bool shareAWeight(const std::vector<CompiledKernel> &kernels) {
  return std::ranges::all_of(kernels, [&](const CompiledKernel &kernel) {
    return kernel.schedule.panel() == kernels.front().schedule.panel();
  });
}

} // namespace

CacheKey Engine::Impl::keyOf(const Problem &problem,
                             const std::vector<int64_t> &mix) const {
  return kernelKey(
      {problem, target, mix, threads, codegenVersion(), kKernelAbiVersion});
}

std::shared_ptr<const CompiledLayer>
Engine::Impl::findInCache(const LayerPlan &plan) {
  const auto isUsable = [this](std::string_view feature) {
    auto position = facts.features.find(std::string(feature));
    return position != facts.features.end() && position->second;
  };
  auto layer = std::make_shared<CompiledLayer>();
  std::vector<TuningReport> reports;
  for (const Problem &bucket : plan.buckets) {
    const CacheKey key = keyOf(bucket, plan.mix);
    std::optional<CacheEntry> entry = cache->find(key, isUsable);
    if (!entry)
      return nullptr;
    Expected<LoadedKernel> loaded =
        load(*entry, bucket, target, *loader, storedPeakGflops(bucket.types()));
    if (!loaded) {
      logMessage(LogLevel::warn, "cache entry {} is not used: {}", key.hash(),
                 loaded.error().message());
      return nullptr;
    }
    loaded->report.source = KernelSource::cache;
    loaded->report.key = key.hash();
    layer->kernels.push_back(std::move(loaded->kernel));
    reports.push_back(std::move(loaded->report));
  }
  if (!shareAWeight(layer->kernels)) {
    logMessage(LogLevel::info,
               "the cached kernels of {} want weights packed in different "
               "ways, as two processes that tune at once leave them",
               problemTitle(plan.problem.text()));
    return nullptr;
  }
  layer->report = plan.mix.empty()
                      ? std::move(reports.front())
                      : reportOfBuckets(plan.problem, std::move(reports));
  return layer;
}

void Engine::Impl::store(const LayerPlan &plan, const Problem &bucket,
                         Tuned &tuned) {
  if (!cache)
    return;
  const CacheKey key = keyOf(bucket, plan.mix);
  tuned.report.key = key.hash();
  TuningRecord record{tuned.report, tuned.peakGflops};
  CacheEntry entry{key.text(), target.features(), record.encode(),
                   std::move(tuned.result.winnerObject.bytes)};
  if (Status written = cache->put(key, entry); !written) {
    logMessage(LogLevel::warn, "the kernel of {} is not cached: {}",
               problemTitle(bucket.text()), written.error().message());
    tuned.report.key.clear(); // nobody would find it
  }
}

} // namespace lintel
