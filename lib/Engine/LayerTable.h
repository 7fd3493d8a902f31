// The layers of this process, each compiled once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "JIT/Loader.h"
#include "Lintel/Schedule.h"
#include "lintel/Engine.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lintel {

/// How long those who wait for another thread that compiles do so before they
/// ask whether to go on.
inline constexpr std::chrono::milliseconds kPatience{20};

/// A kernel, and what it computes.
struct CompiledKernel {
  Problem problem; ///< its rows are those that the kernel serves
  Schedule schedule;
  std::shared_ptr<const Kernel> kernel;
};

/// Kernels over one packed weight, and how they were found. Immutable and
/// shared by every Linear that uses it.
struct CompiledLayer {
  /// Each takes the rows behind those of the one before; never empty. All have
  /// the same panel.
  std::vector<CompiledKernel> kernels;
  TuningReport report;
  /// Whether all of the engine's threads ran when it was tuned.
  bool ofAllThreads = true;
};

/// Under what a table has the layers beside that of `key`: of a schedule that
/// was pinned, and the one of all threads where the key's own had fewer.
std::string nameOfPinned(const std::string &key, const Schedule &schedule);
std::string nameOfAllThreads(const std::string &key);

/// Maps key texts to layers. Thread-safe; keeps every layer it was given.
class LayerTable {
public:
  using Result = Expected<std::shared_ptr<const CompiledLayer>>;
  using Make = std::function<Result()>;
  using Stop = std::function<bool()>; ///< may be empty
  struct Found {
    Result result;
    bool madeHere; ///< this call ran `make`
  };

  /// The layer of `key`. The first to ask runs `make`; those who ask meanwhile
  /// wait and share its result. A failure is shared by those who waited and
  /// then forgotten; a cancellation, or what `make` throws, concerns only the
  /// call that it came from. Who waits is cancelled when `stop` says so. What
  /// either throws is an error.
  Found findOrMake(const std::string &key, const Make &make,
                   const Stop &stop = {});

  /// The layer of `key` if it is made; null otherwise. Waits for nobody.
  std::shared_ptr<const CompiledLayer> find(const std::string &key);

  /// Runs `make` even if there is a layer and keeps the new one.
  Result replace(const std::string &key, const Make &make);

private:
  class Claim;
  void forgetUnmade(const std::string &key);

  std::mutex mutex;
  std::map<std::string, std::shared_future<Result>> layers;
};

} // namespace lintel
