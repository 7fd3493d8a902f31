// The two executors that come with Lintel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel/Executor.h"

#include "Runtime/Environment.h"
#include "Runtime/FetchLines.h"
#include "Runtime/Fork.h"
#include "Runtime/Log.h"
#include "Runtime/OpenMP.h"

#include <algorithm>
#include <atomic>

#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#endif

namespace lintel {
namespace {

class SequentialExecutor final : public Executor {
public:
  void run(int32_t, ParallelBody body, void *context) override {
    body(context, 0, 1);
  }
};

/// Whether kernels must do without the runtime's threads here.
bool mustRunAlone() {
  static std::atomic<bool> logged = false;
  if (!wasForkedBesideThreads())
    return false;
  if (!logged.exchange(true))
    logMessage(LogLevel::warn,
               "forked from a process that had other threads: kernels of this "
               "process run on one thread, since OpenMP runtimes may hang "
               "here; give the engine an executor for more");
  return true;
}

//===----------------------------------------------------------------------===//
// OpenMP
//===----------------------------------------------------------------------===//

/// What each thread of a region needs to know, on one line.
struct alignas(kLineBytes) Region {
  const OpenMPRuntime &runtime;
  ParallelBody body;
  void *context;
  int32_t maxParts;
};

// The thread sanitizer does not see the synchronisation inside a runtime that
// is not instrumented, so it is told.
void orderBefore([[maybe_unused]] void *point) {
#if __has_feature(thread_sanitizer)
  __tsan_release(point);
#endif
}
void orderAfter([[maybe_unused]] void *point) {
#if __has_feature(thread_sanitizer)
  __tsan_acquire(point);
#endif
}

/// The team is as large as the runtime made it, which may be less than asked
/// for, and more than there are parts.
void runPart(void *data) {
  orderAfter(data);
  const Region &region = *static_cast<const Region *>(data);
  // A body reads what its context points to, and that begins with what it needs
  // first (PartsOfRegion): on its way while the runtime is asked who this is.
  constexpr size_t kFirstRead = 4 * kLineBytes;
  fetchLines(region.context, kFirstRead);
  const int32_t part = region.runtime.threadNumber();
  const int32_t parts = std::min(region.runtime.teamSize(), region.maxParts);
  if (part < parts)
    region.body(region.context, part, parts);
  orderBefore(data);
}

class OpenMPExecutor final : public Executor {
public:
  explicit OpenMPExecutor(int32_t teamThreads) : teamThreads(teamThreads) {}

  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    const OpenMPRuntime *runtime =
        maxThreads > 1 && !mustRunAlone() ? openMPRuntime() : nullptr;
    if (!runtime || runtime->inParallel()) {
      body(context, 0, 1);
      return;
    }
    Region region{*runtime, body, context, maxThreads};
    orderBefore(&region);
    constexpr unsigned kNoProcBind = 0;
    const int32_t threads =
        std::min(std::max(maxThreads, teamThreads), kMaxThreads);
    runtime->parallel(runPart, &region, unsigned(threads), kNoProcBind);
    orderAfter(&region);
  }

private:
  int32_t teamThreads; ///< of a region at least
};

} // namespace

Executor::~Executor() = default;

std::shared_ptr<Executor> sequentialExecutor() {
  static const auto *instance =
      new std::shared_ptr<Executor>(std::make_shared<SequentialExecutor>());
  return *instance;
}

std::shared_ptr<Executor> openMPExecutor() {
  static const auto *instance =
      new std::shared_ptr<Executor>(std::make_shared<OpenMPExecutor>(1));
  return *instance;
}

std::shared_ptr<Executor> openMPExecutor(int32_t teamThreads) {
  return std::make_shared<OpenMPExecutor>(teamThreads);
}

} // namespace lintel
