// Nothing in liblintel.so is destroyed because the process exits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a process exits other threads may still compile, and handlers that the
// host registered before this library was there do so afterwards: LLVM's static
// objects (options, registries, targets) and MLIR's thread-local caches must
// outlive both. The library is never unloaded, and the memory goes with the
// process. With -Wl,--wrap these functions are what its code calls, that of
// LLVM included.

#include <climits>
#include <cstdint>
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

void endThread(void *round);

/// Its destructor runs when a thread ends, but in no thread when the process
/// does.
struct EndOfThread {
  pthread_key_t key = 0;
  const bool exists = pthread_key_create(&key, endThread) == 0;
};

const EndOfThread &endOfThread() {
  static const EndOfThread only;
  return only;
}

void destroyAll() {
  while (Destruction *last = destructions) {
    destructions = last->next;
    last->destroy(last->object);
    delete last;
  }
}

/// Destructors of the host's keys may still call the library: its objects go in
/// the last round of those that are sure to come.
void endThread(void *round) {
  const auto rounds = reinterpret_cast<intptr_t>(round);
  const auto *next = reinterpret_cast<const void *>(rounds + 1);
  if (rounds < PTHREAD_DESTRUCTOR_ITERATIONS &&
      pthread_setspecific(endOfThread().key, next) == 0)
    return;
  destroyAll();
}

} // namespace

// Both return 0 for success, as the compiler takes for granted. The linker made
// up the names. NOLINTBEGIN(readability-identifier-naming)

extern "C" int __wrap___cxa_atexit(void (*)(void *), void *, void *) {
  return 0;
}

extern "C" int __wrap___cxa_thread_atexit(void (*destroy)(void *), void *object,
                                          void *) {
  const EndOfThread &end = endOfThread();
  const auto *firstRound = reinterpret_cast<const void *>(intptr_t(1));
  auto *added = new (std::nothrow) Destruction{destroy, object, destructions};
  // Without, the object outlives its thread, which is a leak and no more.
  if (!added || !end.exists ||
      (!destructions && pthread_setspecific(end.key, firstRound) != 0)) {
    delete added;
    return 0;
  }
  destructions = added;
  return 0;
}
// NOLINTEND(readability-identifier-naming)
