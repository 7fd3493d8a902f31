// The elements of a tensor, in the type that it holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/TypedTensor.h"

#include <cstring>
#include <sys/mman.h>

namespace lintel {

static constexpr std::align_val_t kLine{64};
/// From four huge pages on memory is the system's, mapped for it alone.
static constexpr size_t kLeastMapped = size_t(8) << 20;

std::byte *allocateZeros(size_t bytes) {
  if (bytes < kLeastMapped) {
    void *memory = ::operator new(bytes, kLine);
    return static_cast<std::byte *>(std::memset(memory, 0, bytes));
  }
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  madvise(memory, bytes, MADV_HUGEPAGE); // a wish
  return static_cast<std::byte *>(memory);
}

void freeZeros(std::byte *memory, size_t bytes) noexcept {
  if (bytes < kLeastMapped)
    ::operator delete(memory, kLine);
  else
    munmap(memory, bytes);
}

TypedTensor::TypedTensor(DType dtype, size_t count)
    : elementType(dtype), bytes(count * byteSize(dtype)) {}

std::vector<float> TypedTensor::floats() const {
  std::vector<float> widened(size());
  for (size_t i = 0; i < widened.size(); ++i)
    widened[i] = (*this)[i];
  return widened;
}

} // namespace lintel
