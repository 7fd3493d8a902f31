// Memory on huge pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/HugePages.h"

#include "Runtime/RoundUp.h"

#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>

namespace lintel {
namespace {

constexpr size_t kCacheLine = 64;

/// Where the shared pages come from.
class HugePageResource final : public std::pmr::memory_resource {
  void *do_allocate(size_t bytes, size_t) override {
    if (void *memory = mapHugePages(bytes))
      return memory;
    throw std::bad_alloc();
  }
  void do_deallocate(void *memory, size_t bytes, size_t) override {
    unmapHugePages(memory, bytes);
  }
  bool do_is_equal(const memory_resource &other) const noexcept override {
    return this == &other;
  }
};

/// Deals whole huge pages out piece by piece, and keeps what comes back. For
/// those who hold the mutex.
struct SharedPages {
  HugePageResource pages;
  std::pmr::monotonic_buffer_resource pieces{kHugePage, &pages};
  std::pmr::unsynchronized_pool_resource pool{
      std::pmr::pool_options{.max_blocks_per_chunk = 8,
                             .largest_required_pool_block = kHugePage},
      &pieces};
};

constinit std::mutex pagesMutex;
/// Made by the first who wants a piece. Never destroyed: a weight may outlive
/// any static object.
constinit SharedPages *sharedPages = nullptr;

// A fork waits until nobody deals, so that the child finds whole what it
// inherits, and a mutex that its one thread holds. Before there are threads: a
// fork beside the first use would come too soon for a handler.
[[maybe_unused]] const int handlersKept =
    pthread_atfork([] { pagesMutex.lock(); }, [] { pagesMutex.unlock(); },
                   [] { pagesMutex.unlock(); });

} // namespace

void *mapHugePages(size_t bytes) {
  size_t wanted = roundUp(bytes, kHugePage);
  size_t mapped = wanted + kHugePage;
  void *base = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return nullptr;
  uintptr_t begin = reinterpret_cast<uintptr_t>(base);
  uintptr_t aligned = roundUp(begin, kHugePage);
  if (size_t head = aligned - begin)
    munmap(base, head);
  if (size_t tail = begin + mapped - (aligned + wanted))
    munmap(reinterpret_cast<void *>(aligned + wanted), tail);
  void *memory = reinterpret_cast<void *>(aligned);
  // A wish: without huge pages the memory is right all the same.
  madvise(memory, wanted, MADV_HUGEPAGE);
  return memory;
}

void unmapHugePages(void *memory, size_t bytes) {
  munmap(memory, roundUp(bytes, kHugePage));
}

void *takeFromSharedHugePages(size_t bytes) {
  std::lock_guard lock(pagesMutex);
  try {
    if (!sharedPages)
      sharedPages = new SharedPages;
    return sharedPages->pool.allocate(bytes, kCacheLine);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void returnToSharedHugePages(void *memory, size_t bytes) {
  std::lock_guard lock(pagesMutex);
  sharedPages->pool.deallocate(memory, bytes, kCacheLine);
}

} // namespace lintel
