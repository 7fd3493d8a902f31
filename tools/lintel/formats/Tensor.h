// A dense tensor in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Runtime/AlignedBuffer.h"
#include "lintel/DType.h"
#include "lintel/Error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lintel::tool {

/// "[128, 768]".
std::string shapeText(std::span<const int64_t> shape);

/// The product of `shape`, 1 for the empty shape. Refuses negative sizes and
/// products of which `bytesPerElement` multiples do not fit in an int64_t.
Expected<int64_t> countElements(std::span<const int64_t> shape,
                                int64_t bytesPerElement);

/// Row-major, 64-byte aligned, zero-filled when made. Move-only.
class Tensor {
public:
  static Expected<Tensor> allocate(std::vector<int64_t> shape,
                                   DType dtype = DType::f32);

  const std::vector<int64_t> &shape() const { return dimensions; }
  DType dtype() const { return elementType; }
  int64_t elements() const { return count; }
  /// Never null, also when there are no elements.
  std::byte *data() const { return static_cast<std::byte *>(buffer.data()); }
  /// The elements of an f32 tensor.
  float *floats() const { return static_cast<float *>(buffer.data()); }
  std::span<std::byte> bytes() const {
    return {data(), size_t(count) * byteSize(elementType)};
  }

private:
  Tensor() = default;
  std::vector<int64_t> dimensions;
  DType elementType = DType::f32;
  int64_t count = 0;
  AlignedBuffer buffer;
};

} // namespace lintel::tool
