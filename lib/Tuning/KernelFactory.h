// Compiles and loads many kernels at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Codegen/Compiler.h"
#include "JIT/Loader.h"
#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lintel {

/// An object and its loaded code, or why there is none.
struct BuiltKernel {
  ObjectCode object;
  std::shared_ptr<const Kernel> kernel; ///< null if there is a fault
  std::string fault;
  bool attempted = true; ///< false: all was stopped before its turn
};

/// Keeps one warm compiler for each worker thread.
class KernelFactory {
public:
  /// Makes the first compiler, so that what prevents compiling shows here.
  static Expected<std::unique_ptr<KernelFactory>>
  create(const Target &target, std::shared_ptr<Loader> loader);

  /// Builds a kernel for each schedule. An object whose inner loops spill
  /// registers is a fault. `cancelled` is asked on the calling thread; when it
  /// says true, kernels not yet begun are not built.
  std::vector<BuiltKernel>
  build(const Problem &problem, const std::vector<Schedule> &schedules,
        const std::function<void(size_t done)> &progress,
        const std::function<bool()> &cancelled);

  /// Threads worth using for work beside the kernels.
  size_t workers() const { return compilers.size(); }

private:
  KernelFactory(const Target &target, std::shared_ptr<Loader> loader);
  Expected<Compiler *> compiler(size_t worker);
  BuiltKernel buildOne(size_t worker, const Problem &problem,
                       const Schedule &schedule);

  Target target;
  std::shared_ptr<Loader> loader;
  std::vector<std::unique_ptr<Compiler>> compilers; ///< made when first used
};

} // namespace lintel
