// The elements of a tensor, in the type that it holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/Element.h"
#include "lintel/DType.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace lintel {

/// Zeros that begin with a cache line. Where they are many no page of them is
/// touched, huge ones if the system grants them: whoever fills a weight, which
/// may have a hundred thousand small pages, can do so with all threads.
/// Throws std::bad_alloc.
std::byte *allocateZeros(size_t bytes);
void freeZeros(std::byte *memory, size_t bytes) noexcept;

/// The allocator of a vector that takes its elements for zeros as they come.
template <class T> struct ZerosAllocator {
  using value_type = T;

  ZerosAllocator() = default;
  template <class Other> ZerosAllocator(const ZerosAllocator<Other> &) {}
  T *allocate(size_t count) {
    return reinterpret_cast<T *>(allocateZeros(count * sizeof(T)));
  }
  void deallocate(T *memory, size_t count) {
    freeZeros(reinterpret_cast<std::byte *>(memory), count * sizeof(T));
  }
  void construct(T *) noexcept {}
  template <class... Args> void construct(T *place, Args &&...args) {
    ::new (place) T(std::forward<Args>(args)...);
  }
  friend bool operator==(ZerosAllocator, ZerosAllocator) { return true; }
};

using LineAlignedBytes = std::vector<std::byte, ZerosAllocator<std::byte>>;

/// A dense array of elements, zeros when made. It begins with a cache line, as
/// the tensors of graph compilers do: tile registers take up to four times as
/// long to load rows that do not, so that kernels timed on those would be
/// chosen for nobody (decision 94).
class TypedTensor {
public:
  TypedTensor(DType dtype, size_t count);

  DType dtype() const { return elementType; }
  size_t size() const { return bytes.size() / byteSize(elementType); }
  bool empty() const { return bytes.empty(); }
  const void *data() const { return bytes.data(); }
  void *data() { return bytes.data(); }
  /// Where an element is.
  const void *from(int64_t element) const {
    return bytes.data() + element * bytesOf(elementType);
  }
  /// As f32, which rounds large s32.
  float operator[](size_t index) const {
    return float(elementAt(elementType, data(), int64_t(index)));
  }
  /// Every element, widened.
  std::vector<float> floats() const;
  /// The elements themselves; `Element` must be that of dtype().
  template <class Element> std::span<Element> as() {
    return {reinterpret_cast<Element *>(bytes.data()), size()};
  }
  friend bool operator==(const TypedTensor &, const TypedTensor &) = default;

private:
  DType elementType;
  LineAlignedBytes bytes;
};

} // namespace lintel
