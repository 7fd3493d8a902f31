// Runs kernels on one set of inputs, to verify and to time them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/KernelABI.h"
#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "Runtime/AlignedBuffer.h"
#include "Runtime/KernelCall.h"
#include "Runtime/PackedWeight.h"
#include "Tuning/ColumnSlice.h"
#include "Tuning/Verifier.h"
#include "lintel/Executor.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lintel {

/// What a workbench runs.
struct WorkbenchOptions {
  int64_t rows = 1; ///< of x; a slice of the problem's, or all
  /// The last columns that there is data for; none: all. Kernels run on no more
  /// of them.
  std::optional<int64_t> columns;
  Fill fill = Fill::exact;
  int threads = 1;    ///< of a kernel call
  size_t workers = 1; ///< threads that make data, pack and evaluate the oracle
  /// What is waited for threads to wake, in all: others may have the CPUs.
  double mostWakingMilliseconds = 100;
};

/// Whether what a race runs must be made cold: where all of the weight would
/// be, with few rows (streamsColdWeight) or since L3 does not keep it, but what
/// is raced might stay in a cache: all of it up to twice L3, which evicts
/// itself beyond, and a part, whose size differs from schedule to schedule, up
/// to four times L3.
bool findsColdWeight(const Problem &problem, int64_t rows, int64_t columns,
                     const Target &target);

/// Inputs, packed weights and outputs for a part of a problem. Kernels whose
/// tiles are equally wide share a packed weight.
class Workbench {
public:
  static Expected<std::unique_ptr<Workbench>>
  create(const Problem &problem, const Target &target,
         std::shared_ptr<Executor> executor, const WorkbenchOptions &options);

  /// Packs the weight from a column on, a multiple of the panel width, for each
  /// panel shape. add() packs the ones that are missing.
  void packWeights(const std::map<PanelShape, int64_t> &firstColumns);
  /// Adds a kernel and returns its number.
  Expected<size_t> add(const Schedule &schedule, KernelFunction function,
                       const ColumnSlice &slice = {});
  Verdict verify(size_t kernel);
  /// For a dynamic M: runs every micro-kernel, on strips of its height and on
  /// strips one row shorter.
  Verdict verifyStrips(size_t kernel);
  /// Judges kernels from then on without the first accepted run.
  void forgetReference() { verifier->forgetReference(); }

  /// Wakes the executor's threads, as time() does before it looks at the clock.
  void wakeThreads();
  /// Microseconds of one call. Short calls are repeated and averaged. Few rows
  /// find the weight cold, as they do in a model larger than the caches.
  double time(size_t kernel);
  /// The same, once, on a part of the slice that the kernel was added with.
  double timeOnPart(size_t kernel, const ColumnSlice &part);
  /// Microseconds of the call that verify() made: rough, since it was the first
  /// of its kernel. 0 before.
  double firstTime(size_t kernel) const { return entries[kernel].firstTime; }
  /// Milliseconds that a sample takes, going by that call: the call, and making
  /// its weight cold again.
  double sampleMilliseconds(size_t kernel) const {
    return (entries[kernel].firstTime + entries[kernel].coolingTime) / 1000;
  }

private:
  struct Entry {
    KernelPlan plan;
    const PackedWeight *weight;
    int64_t weightColumn; ///< its first one
    int64_t firstColumn;  ///< that the kernel computes
    std::optional<SlicedCall> sliced;
    int64_t mr;
    int repetitions = 1;    ///< in one sample, as far as is known
    double firstTime = 0;   ///< of the verified call, in microseconds
    double coolingTime = 0; ///< of making its weight cold after that
  };
  /// A panel shape and the first column.
  using WeightKey = std::pair<PanelShape, int64_t>;
  using PackedFrom = std::pair<const WeightKey, PackedWeight>;

  Workbench(const Problem &problem, const Target &target,
            std::shared_ptr<Executor> executor, const WorkbenchOptions &options,
            std::unique_ptr<Verifier> verifier);
  Expected<PackedWeight> pack(const WeightKey &key) const;
  int64_t workspaceOf(const Schedule &schedule) const;
  Status checkWorkspaces(const KernelPlan &plan) const;
  Status growSlicedWorkspace(const KernelPlan &plan);
  const PackedFrom *find(const WeightKey &key) const;
  Expected<const PackedWeight *> packed(WeightKey &key);
  Status run(Entry &entry, int64_t rows, const KernelTensor *outputs);
  Status poisonSums(Entry &entry, int64_t rows);
  double undisturbed(Entry &entry);
  double timeCalls(Entry &entry, int calls);
  Status makeCold(const PackedWeight &weight, size_t from = 0) const;
  Status makeCold(const Entry &entry) const;
  Verdict leftCold(const Entry &entry, Verdict verdict) const;
  void warmUp(Entry &entry);
  /// Column of the problem that the data begin with.
  int64_t firstDataColumn() const { return problem.n() - dataColumns; }
  /// Some M for each height of strips, with short ones among them and without.
  std::vector<int64_t> rowsOfEveryHeight(int64_t mr) const;

  Problem problem; ///< with the rows of this workbench, unless they are dynamic
  Target target;
  int64_t mostRows; ///< that kernels are made for
  int64_t dataColumns;
  WorkbenchOptions options;
  std::shared_ptr<Executor> executor;
  std::unique_ptr<Verifier> verifier;
  std::vector<KernelTensor> operands;
  std::map<WeightKey, PackedWeight> weights;
  std::vector<Entry> entries;
  int64_t workspaceMemory; ///< bytes that workspaces may take
  /// Of calls on slices, which take turns in it, as others do in that of the
  /// thread.
  AlignedBuffer slicedWorkspace;
  bool flushWeights; ///< whenever one was used
  size_t largestCache;
  double quickestCall = INFINITY; ///< microseconds; of any kernel
  double wakingMilliseconds = 0;  ///< spent on threads that sleep
};

} // namespace lintel
