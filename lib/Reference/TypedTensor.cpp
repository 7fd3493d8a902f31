// The elements of a tensor, in the type that it holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/TypedTensor.h"

#include <sys/mman.h>

namespace lintel {

/// Zeros, on huge pages where there are many and the system grants them: a
/// weight may have a hundred thousand small ones.
static LineAlignedBytes manyBytes(size_t count) {
  constexpr size_t kHugePage = size_t(2) << 20;
  LineAlignedBytes bytes;
  bytes.reserve(count);
  if (count >= 4 * kHugePage) {
    const auto begin = reinterpret_cast<uintptr_t>(bytes.data());
    const uintptr_t aligned = (begin + kHugePage - 1) / kHugePage * kHugePage;
    // A wish, and nobody else's pages: none is touched yet.
    madvise(reinterpret_cast<void *>(aligned), begin + count - aligned,
            MADV_HUGEPAGE);
  }
  bytes.resize(count);
  return bytes;
}

TypedTensor::TypedTensor(DType dtype, size_t count)
    : elementType(dtype), bytes(manyBytes(count * byteSize(dtype))) {}

std::vector<float> TypedTensor::floats() const {
  std::vector<float> widened(size());
  for (size_t i = 0; i < widened.size(); ++i)
    widened[i] = (*this)[i];
  return widened;
}

} // namespace lintel
