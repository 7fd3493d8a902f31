// What a Linear holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Engine/KernelTable.h"
#include "Runtime/KernelCall.h"
#include "Runtime/PackedWeight.h"
#include "lintel/Engine.h"
#include "lintel/Executor.h"
#include "lintel/Problem.h"

#include <memory>
#include <optional>

namespace lintel {

struct Linear::Impl {
  /// A layer over `kernel`. `report` differs from the kernel's own in its
  /// source.
  Impl(const Problem &problem, TuningReport report,
       std::shared_ptr<const CompiledKernel> kernel,
       std::shared_ptr<Executor> executor, int threads);
  /// A layer without rows or columns: there is nothing to compile or to run.
  Impl(const Problem &problem, TuningReport report);

  Problem problem;
  TuningReport report;
  std::shared_ptr<const CompiledKernel> kernel; ///< null: nothing to compute
  std::shared_ptr<Executor> executor;
  KernelPlan plan;
  std::optional<PackedWeight> weight;
};

} // namespace lintel
