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

ExecutorKind Engine::Impl::executorKind() const {
  if (threads == 1)
    return ExecutorKind::none;
  return usesOpenMP ? ExecutorKind::openMP : ExecutorKind::callers;
}

CacheKey Engine::Impl::keyOf(const Problem &problem,
                             const std::vector<int64_t> &mix) const {
  return kernelKey({problem, target, mix, threads, executorKind(),
                    codegenVersion(), kKernelAbiVersion});
}

std::shared_ptr<CompiledLayer> Engine::Impl::newLayer() const {
  return {new CompiledLayer, [calls = calls](const CompiledLayer *layer) {
            const CallsUnderWay::Call freeing(*calls);
            delete layer;
          }};
}

std::shared_ptr<const CompiledLayer>
Engine::Impl::findInCache(const LayerPlan &plan) {
  const auto isUsable = [this](std::string_view feature) {
    auto position = facts.features.find(std::string(feature));
    return position != facts.features.end() && position->second;
  };
  std::shared_ptr<CompiledLayer> layer = newLayer();
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
    logMessage(LogLevel::warn,
               "the cached kernels of {} want weights packed in different "
               "ways, as two processes that tune at once may leave them, or "
               "one that ended while it stored them: they are tuned again",
               problemTitle(plan.problem.text()));
    return nullptr;
  }
  layer->report = plan.mix.empty()
                      ? std::move(reports.front())
                      : reportOfBuckets(plan.problem, std::move(reports));
  cacheWorked = true;
  return layer;
}

void Engine::Impl::store(const LayerPlan &plan, std::vector<Tuned> &kernels) {
  if (!cache)
    return;
  std::vector<CacheEntry> entries;
  for (size_t i = 0; i < kernels.size(); ++i) {
    Tuned &tuned = kernels[i];
    const CacheKey key = keyOf(plan.buckets[i], plan.mix);
    tuned.report.key = key.hash();
    TuningRecord record{tuned.report, tuned.peakGflops};
    entries.push_back({key.text(), target.features(), record.encode(),
                       std::move(tuned.result.winnerObject.bytes)});
  }
  const Status written = cache->putTogether(entries);
  if (written) {
    cacheWorked = true;
    return;
  }
  for (Tuned &tuned : kernels)
    tuned.report.key.clear(); // nobody would find it
  const bool isOne = kernels.size() == 1;
  const std::string &why = written.error().message();
  // What was said when the engine was made is not said of each layer.
  logMessage(why == cacheProblem ? LogLevel::info : LogLevel::warn,
             "the {} of {} {} not cached: {}", isOne ? "kernel" : "kernels",
             problemTitle(plan.problem.text()), isOne ? "is" : "are", why);
}

} // namespace lintel
