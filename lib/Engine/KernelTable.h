// The kernels of this process, each compiled once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "JIT/Loader.h"
#include "Lintel/Schedule.h"
#include "lintel/Engine.h"
#include "lintel/Error.h"

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace lintel {

/// A kernel and how it was found. Immutable and shared by every layer that uses
/// it.
struct CompiledKernel {
  Schedule schedule;
  std::shared_ptr<const Kernel> kernel;
  TuningReport report;
};

/// Maps key texts to kernels. Thread-safe; keeps every kernel it was given.
class KernelTable {
public:
  using Result = Expected<std::shared_ptr<const CompiledKernel>>;
  using Make = std::function<Result()>;
  struct Found {
    Result result;
    bool madeHere; ///< this call ran `make`
  };

  /// The kernel of `key`. The first to ask runs `make`; those who ask meanwhile
  /// wait and share its result. A failure is shared by those who waited and
  /// then forgotten; a cancellation concerns only the call that was cancelled.
  Found findOrMake(const std::string &key, const Make &make);

  /// Runs `make` even if there is a kernel and keeps the new one.
  Result replace(const std::string &key, const Make &make);

private:
  std::mutex mutex;
  std::map<std::string, std::shared_future<Result>> kernels;
};

} // namespace lintel
