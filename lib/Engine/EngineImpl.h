// What an Engine holds. For Lintel's own tools; not installed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/Cache.h"
#include "Engine/CallsUnderWay.h"
#include "Engine/KernelKey.h"
#include "Engine/LayerTable.h"
#include "JIT/Loader.h"
#include "Lintel/Target.h"
#include "Target/HostTarget.h"
#include "Target/MachinePeaks.h"
#include "Tuning/Tuner.h"
#include "lintel/Engine.h"
#include "lintel/Executor.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace lintel {

/// The kernels that a layer is made of.
struct LayerPlan {
  Problem problem;
  std::vector<int64_t> mix;     ///< rows named for a dynamic M; else empty
  std::vector<Problem> buckets; ///< what each kernel computes
};

/// What makes OpenMP, and an executor of the embedder's, run a region on fewer
/// threads than it was asked for.
inline constexpr const char *kWhyFewerThreads =
    "as in a child forked since the engine was made, inside a parallel region, "
    "below OMP_THREAD_LIMIT, with OMP_DYNAMIC, or without an OpenMP runtime";
inline constexpr const char *kWhyFewerOfExecutor =
    "the engine's executor had a thread run several parts, as where the others "
    "had no CPU meanwhile or it takes turns";

struct Engine::Impl {
  HostFacts facts;
  Target target;
  int threads = 1;
  std::shared_ptr<Executor> executor;
  bool usesOpenMP = true; ///< false: the executor is the embedder's
  std::shared_ptr<Loader> loader;
  std::string cacheDirectory; ///< "": none is known
  /// Why there is no cache, or why its directory was of no use when the engine
  /// was made, which may pass; else "".
  std::string cacheProblem;
  std::unique_ptr<Cache> cache; ///< null: kernels live in this process only
  /// Whether a kernel came from it, or went there, whatever its problem was.
  std::atomic<bool> cacheWorked = false;
  /// The peaks that were kept for this machine. Empty with an executor of the
  /// embedder's: its threads may be other ones than those that were measured.
  std::optional<MachinePeaks> storedPeaks;
  std::string peaksProblem; ///< why those that were kept are not used, or ""

  /// Those that compile, measure or free a layer: the last may outlive the
  /// engine.
  std::shared_ptr<CallsUnderWay> calls = std::make_shared<CallsUnderWay>();
  /// Tuning on one problem at a time: two would disturb each other's timings.
  std::timed_mutex tuningMutex;
  std::unique_ptr<Tuner>
      lazyTuner; ///< made by the first miss, so that a hit never touches MLIR
  LayerTable layers;

  /// The warm tuner; call with tuningMutex held.
  Expected<Tuner *> tuner();
  /// What compiling `problem` is to end in. Refuses options that cannot be
  /// right, and an epilogue that says it is a region and does not begin as one.
  Expected<LayerPlan> planLayer(const Problem &problem,
                                const CompileOptions &options) const;
  /// What calls with as many threads as the engine has run on.
  ExecutorKind executorKind() const;
  /// Identity, on this engine, of a kernel that belongs to a mix of rows, or of
  /// a whole layer.
  CacheKey keyOf(const Problem &problem,
                 const std::vector<int64_t> &mix = {}) const;

  /// An empty layer. Freeing it is a call under way: to unload a kernel takes
  /// locks that loading one takes, too.
  std::shared_ptr<CompiledLayer> newLayer() const;
  /// The layer from the cache, if every kernel of it is there, legal and loads.
  /// Any doubt is a miss.
  std::shared_ptr<const CompiledLayer> findInCache(const LayerPlan &plan);
  /// Tunes and puts the winners in the cache.
  LayerTable::Result tuneAndStore(const LayerPlan &plan,
                                  const CompileOptions &options);
  /// Of M or N of 0.
  Expected<Linear> layerOfNothing(const Problem &problem,
                                  const CompileOptions &options) const;
  /// The schedule that `text` pins for `problem`; one that cannot be is an
  /// error that names it.
  Expected<Schedule> pinnedSchedule(const std::string &text,
                                    const Problem &problem) const;
  /// The layer of `key`: from memory or the cache, else tuned.
  LayerTable::Found findOrTune(const LayerPlan &plan, const std::string &key,
                               const CompileOptions &options);
  /// The layer of the schedule that `options` pins: compiled once, like that of
  /// `key`.
  LayerTable::Found findOrPin(const Problem &problem, const std::string &key,
                              const CompileOptions &options);
  /// What either would find in memory, one of fewer threads where there is no
  /// other; null where there is none. Waits for nobody.
  std::shared_ptr<const CompiledLayer> findMade(const Problem &problem,
                                                const std::string &key,
                                                const CompileOptions &options);
  /// Verifies and times a schedule.
  LayerTable::Result compilePinned(const Problem &problem,
                                   const Schedule &schedule,
                                   const CompileOptions &options);

  /// Takes what the cache keeps for this machine, or says in peaksProblem why
  /// it is not used.
  void takeStoredPeaks();
  /// The kept peak for layers of these types, of as many threads as the engine
  /// has; 0: none.
  double storedPeakGflops(const DataTypes &types) const;
  /// Measures the peaks of one and of all threads, and adds those that were
  /// kept for other numbers of threads. Takes some seconds; keeps nothing.
  Expected<MachinePeaks> measurePeaks();

  struct Tuned;
  /// Tunes every bucket, or verifies and times the pinned schedule alone.
  Expected<std::vector<Tuned>> runTuner(const LayerPlan &plan,
                                        const CompileOptions &options,
                                        const std::optional<Schedule> &pinned);
  /// Whether the executor ran the engine's threads as such, and not several
  /// parts on one. What was tuned otherwise is of no use where they all run, as
  /// in other engines, which share its key; says so.
  bool ranOnAllThreads(const LayerPlan &plan, const Tuned &tuned) const;
  /// Whether it runs them so now, of parts without work; an executor that has
  /// one thread run several of these is taken for one that has fewer threads.
  bool runsAllThreads();
  /// Puts the winners in the cache, all or none, and their keys into the
  /// reports.
  void store(const LayerPlan &plan, std::vector<Tuned> &kernels);
  /// Problem and machine filled in, nothing measured.
  TuningReport emptyReport(const Problem &problem) const;
};

} // namespace lintel
