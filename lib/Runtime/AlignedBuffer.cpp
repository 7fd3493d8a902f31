// Aligned, zero-filled memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/AlignedBuffer.h"

#include "Lintel/Target.h"
#include "Lintel/WholeUnits.h"
#include "Runtime/HugePages.h"
#include "Runtime/SharedHugePages.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace lintel {
namespace {

constexpr size_t kCacheLine = Target::kLineBytes;
/// From here on a page of its own wastes a quarter at most; just beyond one,
/// two pages waste half.
constexpr size_t kMappedFrom = size_t(3) << 19;
/// From here on one buffer a thread may waste most of a huge page.
constexpr size_t kOnHugePagesFrom = size_t(128) << 10;
/// From here on sharing huge pages saves entries of the TLB.
constexpr size_t kSharedFrom = size_t(16) << 10;
/// From here on rounding up to huge pages wastes a fifth at most.
constexpr size_t kSharedBelow = size_t(8) << 20;

void *allocateLines(size_t bytes) {
  // At least one line, so that an empty buffer has an address too.
  size_t rounded = bytes == 0 ? kCacheLine : roundUp(bytes, kCacheLine);
  void *memory = std::aligned_alloc(kCacheLine, rounded);
  if (memory)
    std::memset(memory, 0, rounded);
  return memory;
}

void freeLines(void *memory, size_t) { std::free(memory); }

} // namespace

AlignedBuffer::AlignedBuffer(void *memory, size_t bytes, Free *free)
    : memory(memory), bytes(bytes), free(free) {}

Expected<AlignedBuffer> AlignedBuffer::owned(void *memory, size_t bytes,
                                             Free *free) {
  if (!memory)
    return Error(ErrorCode::io, "out of memory: cannot allocate " +
                                    std::to_string(bytes) + " bytes");
  return AlignedBuffer(memory, bytes, free);
}

Expected<AlignedBuffer> AlignedBuffer::allocate(size_t bytes) {
  return allocateMappedFrom(kMappedFrom, bytes);
}

Expected<AlignedBuffer> AlignedBuffer::allocateOnHugePages(size_t bytes) {
  return allocateMappedFrom(kOnHugePagesFrom, bytes);
}

Expected<AlignedBuffer> AlignedBuffer::allocateMappedFrom(size_t least,
                                                          size_t bytes) {
  if (bytes < least)
    return owned(allocateLines(bytes), bytes, freeLines);
  const bool fits = bytes <= PTRDIFF_MAX - 2 * kHugePage;
  return owned(fits ? mapHugePages(bytes) : nullptr, bytes, unmapHugePages);
}

Expected<AlignedBuffer> AlignedBuffer::allocateForStreaming(size_t bytes) {
  if (bytes < kSharedFrom || bytes >= kSharedBelow)
    return allocate(bytes);
  void *memory = takeFromSharedHugePages(bytes);
  // They come by 64 MiB of addresses, which a limit may not leave.
  if (!memory)
    return allocate(bytes);
  std::memset(memory, 0, bytes);
  return owned(memory, bytes, returnToSharedHugePages);
}

AlignedBuffer::AlignedBuffer(AlignedBuffer &&other) noexcept
    : memory(std::exchange(other.memory, nullptr)),
      bytes(std::exchange(other.bytes, 0)), free(other.free) {}

AlignedBuffer &AlignedBuffer::operator=(AlignedBuffer &&other) noexcept {
  if (this != &other) {
    release();
    memory = std::exchange(other.memory, nullptr);
    bytes = std::exchange(other.bytes, 0);
    free = other.free;
  }
  return *this;
}

AlignedBuffer::~AlignedBuffer() { release(); }

void AlignedBuffer::release() {
  if (memory)
    free(memory, bytes);
}

} // namespace lintel
