// Noting forks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Fork.h"

#include <atomic>
#include <pthread.h>
#include <sys/stat.h>

namespace lintel {
namespace {

std::atomic<bool> forksBesideThreads = false; ///< the fork that is under way
std::atomic<bool> forkedBesideThreads = false;

/// Taken for true where the kernel does not tell.
bool otherThreadsRun() {
  struct stat tasks = {};
  // A link from the parent, one of its own, and one from each thread's folder.
  constexpr nlink_t kLinksOfOneThread = 3;
  return ::stat("/proc/self/task", &tasks) != 0 ||
         tasks.st_nlink != kLinksOfOneThread;
}

void noteInParent() {
  forksBesideThreads.store(otherThreadsRun(), std::memory_order_relaxed);
}
void noteInChild() {
  if (forksBesideThreads.load(std::memory_order_relaxed))
    forkedBesideThreads.store(true, std::memory_order_relaxed);
}

// Before there is an engine: the host may run regions of its own and fork
// first.
[[maybe_unused]] const int handlersKept =
    pthread_atfork(noteInParent, nullptr, noteInChild);

} // namespace

bool wasForkedBesideThreads() {
  return forkedBesideThreads.load(std::memory_order_relaxed);
}

} // namespace lintel
