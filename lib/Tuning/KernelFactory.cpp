// Compiles and loads many kernels at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/KernelFactory.h"

#include "Basics/MessageText.h"
#include "Tuning/WorkerThreads.h"

#include <algorithm>
#include <atomic>
#include <string_view>
#include <vector>

namespace lintel {

/// A compiler takes tens of milliseconds to warm up, so that more of them cost
/// more than ten objects take.
static constexpr int64_t kMaxWorkers = 8;
/// A k loop of no more steps than this does not choose the tile: what it spills
/// or copies is little beside its sums and the epilogue.
static constexpr int64_t kFewSteps = 8;

KernelFactory::KernelFactory(const Target &target,
                             std::shared_ptr<Loader> loader)
    : target(target), loader(std::move(loader)),
      compilers(std::clamp<int64_t>(target.cores, 2, kMaxWorkers)) {}

Expected<std::unique_ptr<KernelFactory>>
KernelFactory::create(const Target &target, std::shared_ptr<Loader> loader) {
  std::unique_ptr<KernelFactory> factory(
      new KernelFactory(target, std::move(loader)));
  if (Expected<Compiler *> first = factory->compiler(0); !first)
    return first.error();
  return factory;
}

/// Whether the k loop has too few registers for its sums, and time enough to
/// pay for it. Tile registers are assigned by us; addresses and what an
/// epilogue keeps in vectors are reloaded while a product takes 16 cycles.
static bool losesToSpills(const ObjectCode &object, const Problem &problem,
                          const Schedule &schedule) {
  return object.loopSpills > 0 && !schedule.onTiles() &&
         problem.k() > kFewSteps * schedule.depthOfStep();
}

/// The reason against such a kernel, and what of its schedule could give way.
static std::string spillText(const ObjectCode &object,
                             const Schedule &schedule) {
  std::vector<std::string_view> remedies = {"a smaller tile"};
  if (schedule.epilogue != EpiloguePlacement::tile)
    remedies.push_back("epilogue=tile");
  if (schedule.streams > 1)
    remedies.push_back("fewer streams");
  return "the tile leaves too few registers: its k loop has to spill, reload "
         "or copy some (" +
         std::to_string(object.loopSpills) + "); " + listOf(remedies, "or") +
         " may not";
}

Expected<Compiler *> KernelFactory::compiler(size_t worker) {
  std::unique_ptr<Compiler> &slot = compilers[worker];
  if (!slot) {
    Expected<std::unique_ptr<Compiler>> made = Compiler::create(target);
    if (!made)
      return made.error();
    slot = std::move(*made);
  }
  return slot.get();
}

BuiltKernel KernelFactory::buildOne(size_t worker, const Problem &problem,
                                    const Schedule &schedule) {
  BuiltKernel built;
  Expected<Compiler *> warm = compiler(worker);
  if (!warm) {
    built.fault = warm.error().message();
    return built;
  }
  Expected<ObjectCode> object = (*warm)->compile(problem, schedule);
  if (!object) {
    built.fault = object.error().message();
    return built;
  }
  built.object = std::move(*object);
  if (losesToSpills(built.object, problem, schedule)) {
    built.fault = spillText(built.object, schedule);
    return built;
  }
  Expected<std::shared_ptr<const Kernel>> kernel =
      loader->load(built.object.bytes, kKernelSymbol);
  if (kernel)
    built.kernel = std::move(*kernel);
  else
    built.fault = kernel.error().message();
  return built;
}

std::vector<BuiltKernel>
KernelFactory::build(const Problem &problem,
                     const std::vector<Schedule> &schedules,
                     const std::function<void(size_t done)> &progress,
                     const std::function<bool()> &cancelled) {
  std::vector<BuiltKernel> kernels(schedules.size());
  std::atomic<size_t> done{0};
  std::atomic<bool> stopped{cancelled()};
  runOnWorkers(workers(), schedules.size(), [&](size_t worker, size_t item) {
    if (worker == 0 && cancelled())
      stopped = true;
    if (stopped) {
      kernels[item].attempted = false;
      kernels[item].fault = "interrupted before it was compiled";
      return;
    }
    kernels[item] = buildOne(worker, problem, schedules[item]);
    const size_t finished = ++done;
    if (worker == 0)
      progress(finished);
  });
  return kernels;
}

} // namespace lintel
