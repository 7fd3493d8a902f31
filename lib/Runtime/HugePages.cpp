// Memory on huge pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/HugePages.h"

#include "Lintel/WholeUnits.h"

#include <cstdint>
#include <sys/mman.h>

namespace lintel {
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

} // namespace lintel
