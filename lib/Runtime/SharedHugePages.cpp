// Pieces of huge pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/SharedHugePages.h"

#include "Lintel/Target.h"
#include "Lintel/WholeUnits.h"
#include "Runtime/HugePages.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>

namespace lintel {
namespace {

constexpr size_t kCacheLine = Target::kLineBytes;
/// Address space that is taken at once. What nobody touches is no memory.
constexpr size_t kRegion = size_t(64) << 20;

uintptr_t roundDownToPage(uintptr_t address) {
  return address - address % kHugePage;
}

/// Cuts pieces off the smallest free range that is large enough, and joins what
/// comes back with the free ranges beside it. (The pools of std::pmr have
/// no size from 128 KiB to 1 MiB, and give nothing back.) For
/// those who hold the mutex.
class SharedPages {
public:
  /// Null, or std::bad_alloc, if there is no memory; then nothing is changed.
  void *take(size_t bytes) {
    const size_t size = roundUp(bytes, kCacheLine);
    auto range = smallestOf(size);
    if (range == free.end()) {
      const size_t region = std::max(kRegion, roundUp(size, kHugePage));
      range = addRegion(region);
      if (range == free.end())
        return nullptr;
    }
    const auto [begin, end] = *range;
    // What is left keeps the node: a new one may find no memory.
    auto node = free.extract(range);
    if (begin + size < end) {
      node.key() = begin + size;
      free.insert(std::move(node));
    }
    return reinterpret_cast<void *>(begin);
  }

  void takeBack(void *piece, size_t bytes) {
    const auto begin = reinterpret_cast<uintptr_t>(piece);
    const size_t size = roundUp(bytes, kCacheLine);
    const auto [joinedBegin, joinedEnd] = *join(begin, size);
    const uintptr_t first = std::max(roundUp(joinedBegin, uintptr_t(kHugePage)),
                                     roundDownToPage(begin));
    const uintptr_t last =
        std::min(roundDownToPage(joinedEnd),
                 roundUp(begin + size, uintptr_t(kHugePage)));
    if (first < last)
      madvise(reinterpret_cast<void *>(first), last - first, MADV_DONTNEED);
  }

private:
  using Ranges = std::map<uintptr_t, uintptr_t>;

  Ranges::iterator smallestOf(size_t size) {
    auto best = free.end();
    for (auto range = free.begin(); range != free.end(); ++range) {
      const size_t bytes = range->second - range->first;
      if (bytes >= size &&
          (best == free.end() || bytes < best->second - best->first))
        best = range;
    }
    return best;
  }

  /// A new region, free with what touches it; the end, or std::bad_alloc, if
  /// there is no memory.
  Ranges::iterator addRegion(size_t bytes) {
    void *memory = mapHugePages(bytes);
    if (!memory)
      return free.end();
    try {
      return join(reinterpret_cast<uintptr_t>(memory), bytes);
    } catch (...) {
      unmapHugePages(memory, bytes);
      throw;
    }
  }

  /// Makes [begin, begin + size) free; returns the range that it is part of.
  Ranges::iterator join(uintptr_t begin, size_t size) {
    auto range = free.emplace(begin, begin + size).first;
    if (const auto after = std::next(range);
        after != free.end() && after->first == range->second) {
      range->second = after->second;
      free.erase(after);
    }
    if (range == free.begin())
      return range;
    const auto before = std::prev(range);
    if (before->second != range->first)
      return range;
    before->second = range->second;
    free.erase(range);
    return before;
  }

  Ranges free; ///< begin and end; none touches another
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

void *takeFromSharedHugePages(size_t bytes) {
  std::lock_guard lock(pagesMutex);
  try {
    if (!sharedPages)
      sharedPages = new SharedPages;
    return sharedPages->take(bytes);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void returnToSharedHugePages(void *memory, size_t bytes) {
  std::lock_guard lock(pagesMutex);
  try {
    sharedPages->takeBack(memory, bytes);
  } catch (const std::bad_alloc &) {
    // There is no room to note that it is free: it is lost.
  }
}

} // namespace lintel
