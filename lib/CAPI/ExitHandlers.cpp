// Nothing in liblintel.so is destroyed because the process exits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a process exits other threads may still compile, and handlers that the
// host registered before this library was there do so afterwards: LLVM's static
// objects (options, registries, targets) and MLIR's thread-local caches must
// outlive both. The library is never unloaded, and the memory goes with the
// process. With -Wl,--wrap these functions are what its code calls, that of
// LLVM included.

#include <new>
#include <pthread.h>

namespace {

/// A thread-local object that its thread destroys, the youngest first.
struct Destruction {
  void (*destroy)(void *);
  void *object;
  Destruction *next;
};
thread_local Destruction *destructions = nullptr;

void destroyAll(void *) {
  while (Destruction *last = destructions) {
    destructions = last->next;
    last->destroy(last->object);
    delete last;
  }
}

/// Its destructor runs when a thread ends, but in no thread when the process
/// does.
struct EndOfThread {
  pthread_key_t key = 0;
  const bool exists = pthread_key_create(&key, destroyAll) == 0;
};

} // namespace

// Both return 0 for success, as the compiler takes for granted. The linker made
// up the names. NOLINTBEGIN(readability-identifier-naming)

extern "C" int __wrap___cxa_atexit(void (*)(void *), void *, void *) {
  return 0;
}

extern "C" int __wrap___cxa_thread_atexit(void (*destroy)(void *), void *object,
                                          void *) {
  static const EndOfThread endOfThread;
  auto *added = new (std::nothrow) Destruction{destroy, object, destructions};
  // Without, the object outlives its thread, which is a leak and no more.
  if (!added || !endOfThread.exists ||
      pthread_setspecific(endOfThread.key, added) != 0) {
    delete added;
    return 0;
  }
  destructions = added;
  return 0;
}
// NOLINTEND(readability-identifier-naming)
