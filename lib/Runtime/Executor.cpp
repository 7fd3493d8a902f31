// The two executors that come with Lintel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel/Executor.h"

#include "Runtime/Environment.h"
#include "Runtime/FetchLines.h"
#include "Runtime/Log.h"
#include "Runtime/OpenMP.h"

#include <algorithm>
#include <atomic>
#include <pthread.h>
#include <sys/stat.h>

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

//===----------------------------------------------------------------------===//
// Fork
//===----------------------------------------------------------------------===//

// The worker threads of OpenMP runtimes do not exist in a forked child, and the
// first region there waits for them for ever.
std::atomic<bool> regionRan = false;
std::atomic<bool> otherThreadsRan = false; ///< when the last fork began
std::atomic<bool> forkedAfterRegion = false;
std::atomic<bool> fallbackLogged = false;

void noteThreadsInParent() {
  struct stat tasks = {};
  // A link from the parent, one of its own, and one from each thread's folder.
  constexpr nlink_t kLinksOfOneThread = 3;
  const bool others = ::stat("/proc/self/task", &tasks) == 0 &&
                      tasks.st_nlink > kLinksOfOneThread;
  otherThreadsRan.store(others, std::memory_order_relaxed);
}

void noteForkInChild() {
  // Of a region of the host's nothing is known but that its threads wait for
  // the next one: with any threads and a runtime it may have been.
  if (regionRan.load(std::memory_order_relaxed) || openMPIsLostToFork() ||
      (otherThreadsRan.load(std::memory_order_relaxed) && openMPIsMapped())) {
    forkedAfterRegion.store(true, std::memory_order_relaxed);
    fallbackLogged.store(false, std::memory_order_relaxed);
  }
}

// Before there are threads, and whether or not there is an executor yet: the
// host may run regions and fork first.
[[maybe_unused]] const int handlersKept =
    pthread_atfork(noteThreadsInParent, nullptr, noteForkInChild);

bool inForkedChild() {
  if (!forkedAfterRegion.load(std::memory_order_relaxed))
    return false;
  if (!fallbackLogged.exchange(true))
    logMessage(LogLevel::warn,
               "forked after an OpenMP region, during the first, or beside "
               "threads that may be those of one: kernels of this process run "
               "on one thread, since OpenMP runtimes hang here");
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
        maxThreads > 1 && !inForkedChild() ? openMPRuntime() : nullptr;
    if (!runtime || runtime->inParallel()) {
      body(context, 0, 1);
      return;
    }
    Region region{*runtime, body, context, maxThreads};
    regionRan.store(true, std::memory_order_relaxed);
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
