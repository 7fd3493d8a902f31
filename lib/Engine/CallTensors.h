// The tensors of one call, kept in its stack frame.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Runtime/FetchLines.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace lintel {

/// A list of at most `capacity` tensors. A call must not allocate, so those of
/// all but outlandish epilogues fit in place.
template <class Tensor> class CallTensors {
public:
  explicit CallTensors(size_t capacity) {
    if (capacity > inPlace.size())
      overflow.resize(capacity);
  }
  void append(Tensor tensor) { data()[count++] = tensor; }
  Tensor *data() { return overflow.empty() ? inPlace.data() : overflow.data(); }
  size_t size() const { return count; }
  Tensor &operator[](size_t index) { return data()[index]; }
  std::span<const Tensor> view() { return {data(), count}; }

private:
  /// Parts of a call ask for the line of a kernel's first four.
  alignas(kLineBytes) std::array<Tensor, 16> inPlace;
  std::vector<Tensor> overflow;
  size_t count = 0;
};

} // namespace lintel
