// Guard pages, canaries and poison.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/GuardedBuffer.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace lintel {
namespace {

constexpr uint32_t kPoisonBits =
    0x7fe1dead; // a quiet NaN that no arithmetic makes
/// Its upper half is a quiet NaN of bf16, and of f16.
constexpr uint16_t kNarrowPoisonBits = kPoisonBits >> 16;
// Read as floats, canaries are NaN too, so that using them shows in results.
constexpr unsigned char kCanary = 0xff;

size_t pageBytes() { return size_t(sysconf(_SC_PAGESIZE)); }

bool allCanary(const char *begin, const char *end) {
  return std::all_of(begin, end, [](char c) {
    return static_cast<unsigned char>(c) == kCanary;
  });
}

} // namespace

GuardedBuffer::GuardedBuffer(size_t count, Fit fit, size_t elementBytes)
    : count(count), elementBytes(elementBytes) {
  size_t page = pageBytes(), bytes = count * elementBytes;
  size_t accessible = std::max<size_t>(1, (bytes + page - 1) / page) * page;
  mappedBytes = accessible + 2 * page;
  void *memory =
      mmap(nullptr, mappedBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  mapping = static_cast<char *>(memory);
  char *first = mapping + page;
  if (mprotect(first, accessible, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping, mappedBytes);
    throw std::bad_alloc();
  }
  std::fill_n(first, accessible, static_cast<char>(kCanary));
  start = fit == Fit::begin ? first : first + accessible - bytes;
  poison();
}

GuardedBuffer::GuardedBuffer(GuardedBuffer &&other) noexcept
    : mapping(std::exchange(other.mapping, nullptr)),
      mappedBytes(other.mappedBytes),
      start(std::exchange(other.start, nullptr)),
      count(std::exchange(other.count, 0)), elementBytes(other.elementBytes) {}

GuardedBuffer::~GuardedBuffer() {
  if (mapping)
    munmap(mapping, mappedBytes);
}

/// Of integers. The upper bits of a product with an odd number look random.
static uint8_t poisonByteAt(size_t index) {
  return static_cast<uint8_t>(static_cast<uint32_t>(index + 1) * 0x9e3779b1u >>
                              24);
}

// Tests poison and look at some billions of elements: a loop for each width.
void GuardedBuffer::poison() {
  if (elementBytes == sizeof(float))
    std::fill_n(elements<uint32_t>(), count, kPoisonBits);
  else if (elementBytes == sizeof(uint16_t))
    std::fill_n(elements<uint16_t>(), count, kNarrowPoisonBits);
  else
    for (size_t i = 0; i < count; ++i)
      elements<uint8_t>()[i] = poisonByteAt(i);
}

bool GuardedBuffer::isPoison(float value) {
  return std::bit_cast<uint32_t>(value) == kPoisonBits;
}

bool GuardedBuffer::isPoisonAt(size_t index) const {
  if (elementBytes == sizeof(float))
    return elements<uint32_t>()[index] == kPoisonBits;
  if (elementBytes == sizeof(uint16_t))
    return elements<uint16_t>()[index] == kNarrowPoisonBits;
  return elements<uint8_t>()[index] == poisonByteAt(index);
}

bool GuardedBuffer::canariesIntact() const {
  const char *first = mapping + pageBytes();
  const char *last = mapping + mappedBytes - pageBytes();
  return allCanary(first, start) &&
         allCanary(start + count * elementBytes, last);
}

} // namespace lintel
