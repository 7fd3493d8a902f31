// From a problem to a layer: memory, disk, or the race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/Buckets.h"
#include "Engine/EngineImpl.h"
#include "Engine/LayerReport.h"
#include "Engine/LinearImpl.h"

#include "Problem/ProblemTitle.h"
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
                 "the budget must be a positive number of milliseconds, and "
                 "finite, not " +
                     std::to_string(options.budgetMilliseconds));
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

/// A text that reads as named stages would have their key, and so be served
/// where their layer is there. Before the brace MLIR reads blanks and comments.
Status checkRegion(const Epilogue &epilogue) {
  const std::string &text = epilogue.text();
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (!epilogue.isRegion() ||
      (begin != text.npos && (text[begin] == '{' || text[begin] == '/')))
    return {};
  return Error(ErrorCode::invalidArgument,
               "the epilogue '" + problemTitle(text) +
                   "' was given as a region, whose text begins with '{'; take "
                   "Epilogue::parse for named stages");
}

} // namespace

Expected<LayerPlan>
Engine::Impl::planLayer(const Problem &problem,
                        const CompileOptions &options) const {
  if (Status valid = checkOptions(problem, options); !valid)
    return valid.error();
  if (Status valid = checkRegion(problem.epilogue()); !valid)
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
  if (options.retune) {
    LayerTable::Result made = layers.replace(key, tune);
    // An older one would be served again once a tuning inside a parallel region
    // takes the key's own place.
    if (made && (*made)->ofAllThreads)
      made = layers.replace(nameOfAllThreads(key), [&] { return made; });
    return {std::move(made), /*madeHere=*/true};
  }
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
    if (LayerTable::Found better = ask(nameOfAllThreads(key)); better.result)
      return better;
  return found;
}

std::shared_ptr<const CompiledLayer>
Engine::Impl::findMade(const Problem &problem, const std::string &key,
                       const CompileOptions &options) {
  if (options.retune)
    return nullptr;
  if (!options.schedule.empty()) {
    const Expected<Schedule> schedule =
        pinnedSchedule(options.schedule, problem);
    return schedule ? layers.find(nameOfPinned(key, *schedule)) : nullptr;
  }
  std::shared_ptr<const CompiledLayer> found = layers.find(key);
  // Whether all threads run now is not asked: the executor may be at work.
  if (found && !found->ofAllThreads)
    if (auto better = layers.find(nameOfAllThreads(key)))
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
    if (auto made = impl->findMade(problem, key, options))
      return linear({std::move(made), /*madeHere=*/false},
                    options.schedule.empty() ? KernelSource::cache
                                             : KernelSource::pinned);
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
