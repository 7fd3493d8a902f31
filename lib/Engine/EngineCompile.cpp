// From a problem to a layer: memory, disk, or the race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/Buckets.h"
#include "Engine/EngineImpl.h"
#include "Engine/LayerReport.h"
#include "Engine/LinearImpl.h"

#include "Runtime/Clock.h"
#include "Runtime/FloatEnvironment.h"

#include <cmath>
#include <utility>

namespace lintel {
namespace {

Status checkOptions(const Problem &problem, const CompileOptions &options) {
  if (!std::isfinite(options.budgetMilliseconds) ||
      options.budgetMilliseconds <= 0)
    return Error(ErrorCode::invalidArgument,
                 "the budget must be a positive number of milliseconds");
  if (!options.rows.empty() && !hasBuckets(problem))
    return Error(ErrorCode::invalidArgument,
                 "rows are named, but the layer is for " + problem.rowsText() +
                     " rows; name them for a problem with '?' rows, without "
                     "'@' and without bounds");
  if (!options.rows.empty() && !options.schedule.empty())
    return Error(ErrorCode::invalidArgument,
                 "rows are named, but a pinned schedule makes one kernel for "
                 "any number of them; leave one of the two out");
  return {};
}

} // namespace

Expected<LayerPlan>
Engine::Impl::planLayer(const Problem &problem,
                        const CompileOptions &options) const {
  if (Status valid = checkOptions(problem, options); !valid)
    return valid.error();
  LayerPlan plan{problem, {}, {}};
  if (hasBuckets(problem) && options.schedule.empty()) {
    Expected<std::vector<int64_t>> mix = makeMix(options.rows);
    if (!mix)
      return mix.error();
    plan.mix = std::move(*mix);
  }
  Expected<std::vector<Problem>> buckets = cutIntoBuckets(problem, plan.mix);
  if (!buckets)
    return buckets.error();
  plan.buckets = std::move(*buckets);
  return plan;
}

/// No kernel is made, and no schedule is legal or not; but it is one.
Expected<Linear>
Engine::Impl::layerOfNothing(const Problem &problem,
                             const CompileOptions &options) const {
  TuningReport report = emptyReport(problem);
  if (!options.schedule.empty()) {
    if (Expected<Schedule> schedule = Schedule::parse(options.schedule);
        !schedule)
      return schedule.error();
    report.source = KernelSource::pinned;
  }
  return Linear(std::make_unique<Linear::Impl>(problem, std::move(report)));
}

LayerTable::Found Engine::Impl::findOrTune(const LayerPlan &plan,
                                           const std::string &key,
                                           const CompileOptions &options) {
  const auto tune = [&] { return tuneAndStore(plan, options); };
  if (options.retune)
    return {layers.replace(key, tune), /*madeHere=*/true};
  const auto ask = [&](const std::string &name) {
    return layers.findOrMake(
        name,
        [&]() -> LayerTable::Result {
          if (cache)
            if (std::shared_ptr<const CompiledLayer> cached = findInCache(plan))
              return cached;
          return tune();
        },
        options.stop);
  };
  LayerTable::Found found = ask(key);
  // One that was tuned inside a parallel region, say, serves those who have all
  // threads only where nothing better comes of it.
  if (found.result && !found.madeHere && !(*found.result)->ofAllThreads &&
      runsAllThreads())
    if (LayerTable::Found better = ask(key + "\nof all threads"); better.result)
      return better;
  return found;
}

Expected<Linear> Engine::compile(const Problem &problem,
                                 const CompileOptions &options) {
  const Clock::time_point start = Clock::now();
  const CallsUnderWay::Call call(*impl->calls);
  if (!call.permitted() && !call.isOfCallback())
    return call.permitted().error();
  // Of the caller's, kernels would seem wrong and compilers trap.
  const DefaultFloatEnvironment whileCompiling;
  Expected<LayerPlan> plan = impl->planLayer(problem, options);
  if (!plan)
    return plan.error();
  if (problem.isEmpty())
    return impl->layerOfNothing(problem, options);

  const auto linear = [&](const LayerTable::Found &found,
                          KernelSource source) -> Expected<Linear> {
    if (!found.result)
      return found.result.error();
    const std::shared_ptr<const CompiledLayer> &layer = *found.result;
    const bool made = found.madeHere && source != KernelSource::cache;
    return Linear(std::make_unique<Linear::Impl>(
        problem,
        made ? reportedAs(layer->report, source)
             : reportedAsFound(layer->report, source, millisecondsSince(start)),
        layer, impl->target, impl->executor, impl->threads));
  };
  const std::string key = impl->keyOf(problem, plan->mix).text();
  if (call.isOfCallback()) {
    const bool anyWillDo = options.schedule.empty() && !options.retune;
    if (auto known = anyWillDo ? impl->layers.find(key) : nullptr)
      return linear({std::move(known), /*madeHere=*/false},
                    KernelSource::cache);
    return call.permitted().error();
  }
  if (!options.schedule.empty())
    return linear(impl->findOrPin(problem, key, options), KernelSource::pinned);

  const LayerTable::Found found = impl->findOrTune(*plan, key, options);
  const bool tunedHere = found.madeHere && found.result;
  return linear(found, tunedHere ? (*found.result)->report.source
                                 : KernelSource::cache);
}

} // namespace lintel
