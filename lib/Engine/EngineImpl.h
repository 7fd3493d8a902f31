// What an Engine holds. For Lintel's own tools; not installed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/Cache.h"
#include "Engine/KernelTable.h"
#include "JIT/Loader.h"
#include "Lintel/Target.h"
#include "Target/HostTarget.h"
#include "Target/MachinePeaks.h"
#include "Tuning/Tuner.h"
#include "lintel/Engine.h"
#include "lintel/Executor.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace lintel {

struct Engine::Impl {
  HostFacts facts;
  Target target;
  int threads = 1;
  std::shared_ptr<Executor> executor;
  std::shared_ptr<Loader> loader;
  std::string cacheDirectory;   ///< "": none is known
  std::string cacheProblem;     ///< why there is no cache, or ""
  std::unique_ptr<Cache> cache; ///< null: kernels live in this process only
  /// The peaks that were kept for this machine. Empty with an executor of the
  /// embedder's: its threads may be other ones than those that were measured.
  std::optional<MachinePeaks> storedPeaks;

  /// Tuning on one problem at a time: two would disturb each other's timings.
  std::mutex tuningMutex;
  std::unique_ptr<Tuner>
      lazyTuner; ///< made by the first miss, so that a hit never touches MLIR
  KernelTable kernels;

  /// The warm tuner; call with tuningMutex held.
  Expected<Tuner *> tuner();
  /// Identity of the kernel of `problem` on this engine.
  CacheKey keyOf(const Problem &problem) const;

  /// The cached kernel, if it is there, legal and loads. Any doubt is a miss.
  std::shared_ptr<const CompiledKernel> findInCache(const CacheKey &key,
                                                    const Problem &problem);
  /// Tunes and puts the winner in the cache.
  KernelTable::Result tuneAndStore(const CacheKey &key, const Problem &problem,
                                   const CompileOptions &options);
  /// Verifies and times the schedule that `options` pins.
  KernelTable::Result compilePinned(const Problem &problem,
                                    const CompileOptions &options);

  /// What the cache keeps for this machine.
  std::optional<MachinePeaks> findPeaks() const;
  /// The kept FMA peak of as many threads as the engine has; 0: none.
  double storedPeakGflops() const;
  /// Measures the peaks of one and of all threads, and adds those that were
  /// kept for other numbers of threads. Takes some seconds; keeps nothing.
  Expected<MachinePeaks> measurePeaks();

  struct Tuned;
  /// Tunes, or verifies and times the pinned schedule alone.
  Expected<Tuned> runTuner(const Problem &problem,
                           const CompileOptions &options,
                           const std::optional<Schedule> &pinned);
  /// Problem and machine filled in, nothing measured.
  TuningReport emptyReport(const Problem &problem) const;
};

} // namespace lintel
