// Runs kernels on one set of inputs, to verify and to time them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/KernelABI.h"
#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "Runtime/KernelCall.h"
#include "Runtime/PackedWeight.h"
#include "Tuning/Verifier.h"
#include "lintel/Executor.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace lintel {

/// What a workbench runs.
struct WorkbenchOptions {
  int64_t rows = 1; ///< of x; a slice of the problem's, or all
  Fill fill = Fill::exact;
  int threads = 1;    ///< of a kernel call
  size_t workers = 1; ///< threads that evaluate the oracle
};

/// Inputs, packed weights and outputs for `rows` rows of a problem. Kernels
/// whose tiles are equally wide share a packed weight.
class Workbench {
public:
  static Expected<std::unique_ptr<Workbench>>
  create(const Problem &problem, const Target &target,
         std::shared_ptr<Executor> executor, const WorkbenchOptions &options);

  /// Packs the weight for each panel shape, on the oracle's threads. add()
  /// packs the ones that are missing.
  void packWeights(const std::vector<PanelShape> &shapes);
  /// Adds a kernel and returns its number.
  Expected<size_t> add(const Schedule &schedule, KernelFunction function);
  Verdict verify(size_t kernel);
  /// For a dynamic M: runs every micro-kernel, on strips of its height and on
  /// strips one row shorter.
  Verdict verifyStrips(size_t kernel);
  /// Judges kernels from then on without the first accepted run.
  void forgetReference() { verifier->forgetReference(); }

  /// Microseconds of one call. Short calls are repeated and averaged. Few rows
  /// find the weight cold, as they do in a model larger than the caches.
  double time(size_t kernel);

private:
  struct Entry {
    KernelPlan plan;
    const PackedWeight *weight;
    int64_t mr;
    int repetitions = 0; ///< in one sample; 0: not yet known
  };

  Workbench(const Problem &problem, const Target &target,
            std::shared_ptr<Executor> executor, const WorkbenchOptions &options,
            std::unique_ptr<Verifier> verifier);
  Expected<PackedWeight> pack(const PanelShape &shape) const;
  Expected<const PackedWeight *> packed(const PanelShape &shape);
  Status run(const Entry &entry, int64_t rows, const KernelTensor *outputs);
  double timeCalls(const Entry &entry, int calls);
  /// Some M for each height of strips, with short ones among them and without.
  std::vector<int64_t> rowsOfEveryHeight(int64_t mr) const;

  Problem problem; ///< with the rows of this workbench, unless they are dynamic
  int64_t mostRows; ///< that kernels are made for
  WorkbenchOptions options;
  std::shared_ptr<Executor> executor;
  std::unique_ptr<Verifier> verifier;
  std::vector<KernelTensor> operands;
  std::map<PanelShape, PackedWeight> weights;
  std::vector<Entry> entries;
  bool flushWeights; ///< before every sample
};

} // namespace lintel
