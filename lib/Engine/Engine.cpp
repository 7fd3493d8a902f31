// Setting an engine up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/ChooseTarget.h"
#include "Engine/EngineImpl.h"
#include "Engine/OpenCache.h"

#include "Runtime/Environment.h"
#include "Runtime/FloatEnvironment.h"
#include "Runtime/Fork.h"
#include "Runtime/Log.h"
#include "Runtime/OpenMP.h"
#include "Target/CpuCount.h"

#include <algorithm>
#include <utility>

namespace lintel {
namespace {

Expected<int> chooseThreads(const EngineOptions &options,
                            const Environment &environment,
                            const HostFacts &facts) {
  if (options.threads < 0 || options.threads > kMaxThreads)
    return Error(ErrorCode::invalidArgument,
                 "threads is " + std::to_string(options.threads) +
                     ", must be 1 to " + std::to_string(kMaxThreads) +
                     ", or 0 for LINTEL_THREADS, or else the CPUs that the "
                     "calling thread may use");
  if (options.threads > 0)
    return options.threads;
  if (environment.threads)
    return *environment.threads;
  return static_cast<int>(std::clamp<int64_t>(facts.cores, 1, kMaxThreads));
}

/// Regions have one thread in a child that was forked beside others: so kernels
/// are tuned for one, and cached as those of one.
int threadsOfOpenMP(int wanted) {
  if (wanted == 1 || !wasForkedBesideThreads())
    return wanted;
  logMessage(LogLevel::warn,
             "forked from a process that had other threads: the engine has one "
             "thread instead of {}, since OpenMP runtimes may hang here; give "
             "it an executor for more",
             wanted);
  return 1;
}

/// A runtime that binds threads has bound the one that loaded it to one place,
/// from a hyperthread to a socket (OMP_PLACES), and has the others as well. It
/// is asked only where that may be so: libomp initialises itself to answer, and
/// would not heed what the host says in the environment later.
void countCpusOfRuntime(HostFacts &facts) {
  if (!leavesOutCpus(affinityOfThread(), cpusOfMachine()))
    return;
  int64_t cpus = cpusOfBindingOpenMP();
  if (const std::optional<int64_t> quota = cgroupCpuLimit(""))
    cpus = std::min(cpus, *quota);
  facts.cores = std::max(facts.cores, cpus);
}

} // namespace

Engine::Engine(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}

Engine::~Engine() {
  // Where threads of the parent were compiling, what they held stays locked and
  // half changed: it is left to the end of the process.
  const bool isWhole = bool(CallsUnderWay::Call(*impl->calls).permitted());
  if (!isWhole) {
    [[maybe_unused]] const Impl *left = impl.release();
  }
}

int Engine::threads() const { return impl->threads; }

Expected<std::unique_ptr<Engine>> Engine::create(EngineOptions options) {
  const DefaultFloatEnvironment whileCreating;
  Expected<Environment> environment = Environment::read();
  if (!environment)
    return environment.error();
  setLogLevel(environment->logLevel);
  warnOfStrayVariables();
  if (options.cacheDirectory)
    if (Status usable =
            checkCacheDirectory("cacheDirectory", *options.cacheDirectory);
        !usable)
      return usable.error();

  auto impl = std::make_unique<Impl>();
  impl->usesOpenMP = !options.executor;
  impl->facts = readHostFacts(environment->isaCap);
  if (impl->usesOpenMP)
    countCpusOfRuntime(impl->facts);
  Expected<Target> target = chooseTarget(impl->facts, *environment);
  if (!target)
    return target.error();
  impl->target = *target;
  Expected<int> threads = chooseThreads(options, *environment, impl->facts);
  if (!threads)
    return threads.error();
  impl->threads = impl->usesOpenMP ? threadsOfOpenMP(*threads) : *threads;
  Expected<std::shared_ptr<Loader>> loader = Loader::create();
  if (!loader)
    return loader.error();
  impl->loader = std::move(*loader);
  openCache(*impl, options, *environment);
  if (impl->usesOpenMP)
    impl->takeStoredPeaks();
  impl->executor = impl->usesOpenMP ? openMPExecutor(impl->threads)
                                    : std::move(options.executor);
  return std::unique_ptr<Engine>(new Engine(std::move(impl)));
}

Expected<Tuner *> Engine::Impl::tuner() {
  if (!lazyTuner) {
    Expected<std::unique_ptr<Tuner>> made =
        Tuner::create(target, loader, executor);
    if (!made)
      return made.error();
    lazyTuner = std::move(*made);
  }
  return lazyTuner.get();
}

} // namespace lintel
