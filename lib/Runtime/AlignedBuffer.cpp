// Aligned, zero-filled memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/AlignedBuffer.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <utility>

namespace lintel {
namespace {

constexpr size_t kCacheLine = 64;
constexpr size_t kHugePage = size_t(2) << 20;
/// From here on rounding up to huge pages wastes a third at most.
constexpr size_t kMappedFrom = size_t(3) << 19;

size_t roundUp(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// Fresh pages are zero already, so that a large buffer is not touched twice.
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
  // A wish: without huge pages the buffer is right all the same.
  madvise(memory, wanted, MADV_HUGEPAGE);
  return memory;
}

void *allocateLines(size_t bytes) {
  // At least one line, so that an empty buffer has an address too.
  size_t rounded = bytes == 0 ? kCacheLine : roundUp(bytes, kCacheLine);
  void *memory = std::aligned_alloc(kCacheLine, rounded);
  if (memory)
    std::memset(memory, 0, rounded);
  return memory;
}

void release(void *memory, size_t bytes) {
  if (!memory)
    return;
  if (bytes >= kMappedFrom)
    munmap(memory, roundUp(bytes, kHugePage));
  else
    std::free(memory);
}

} // namespace

Expected<AlignedBuffer> AlignedBuffer::allocate(size_t bytes) {
  AlignedBuffer buffer;
  if (bytes < kMappedFrom)
    buffer.memory = allocateLines(bytes);
  else if (bytes <= PTRDIFF_MAX - 2 * kHugePage)
    buffer.memory = mapHugePages(bytes);
  if (!buffer.memory)
    return Error(ErrorCode::io, "out of memory: cannot allocate " +
                                    std::to_string(bytes) + " bytes");
  buffer.bytes = bytes;
  return buffer;
}

AlignedBuffer::AlignedBuffer(AlignedBuffer &&other) noexcept
    : memory(std::exchange(other.memory, nullptr)),
      bytes(std::exchange(other.bytes, 0)) {}

AlignedBuffer &AlignedBuffer::operator=(AlignedBuffer &&other) noexcept {
  if (this != &other) {
    release(memory, bytes);
    memory = std::exchange(other.memory, nullptr);
    bytes = std::exchange(other.bytes, 0);
  }
  return *this;
}

AlignedBuffer::~AlignedBuffer() { release(memory, bytes); }

} // namespace lintel
