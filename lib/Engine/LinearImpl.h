// What a Linear holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Engine/LayerTable.h"
#include "Runtime/KernelCall.h"
#include "Runtime/PackedWeight.h"
#include "lintel/Engine.h"
#include "lintel/Executor.h"
#include "lintel/Problem.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lintel {

struct Linear::Impl {
  /// A Linear over `layer`, which was compiled for `target`. `report` differs
  /// from the layer's own in its source.
  Impl(const Problem &problem, TuningReport report,
       std::shared_ptr<const CompiledLayer> layer, const Target &target,
       std::shared_ptr<Executor> executor, int threads);
  /// A layer without rows or columns: there is nothing to compile or to run.
  Impl(const Problem &problem, TuningReport report);

  /// The plan of the kernel that serves so many rows; one does.
  const KernelPlan &planFor(int64_t rows) const {
    size_t bucket = 0;
    while (rows > mostRows[bucket])
      ++bucket;
    return plans[bucket];
  }

  Problem problem;
  TuningReport report;
  std::shared_ptr<const CompiledLayer> layer; ///< null: nothing to compute
  std::shared_ptr<Executor> executor;
  int threads = 1;               ///< of a call, and for packing the weight
  std::vector<int64_t> mostRows; ///< that each kernel serves, ascending
  std::vector<KernelPlan> plans; ///< one for each
  std::optional<PackedWeight> weight;
};

} // namespace lintel
