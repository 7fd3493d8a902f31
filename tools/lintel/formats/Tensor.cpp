// A dense tensor in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "formats/Tensor.h"

#include <algorithm>

namespace lintel::tool {

std::string shapeText(std::span<const int64_t> shape) {
  std::string text = "[";
  for (int64_t size : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

Expected<int64_t> countElements(std::span<const int64_t> shape,
                                int64_t bytesPerElement) {
  if (std::ranges::any_of(shape, [](int64_t size) { return size < 0; }))
    return Error(ErrorCode::parse, "shape " + shapeText(shape) +
                                       " has a negative size; sizes are >= 0");
  // A zero anywhere makes the product zero, however large the other sizes are.
  if (std::ranges::find(shape, 0) != shape.end())
    return int64_t(0);
  int64_t bytes = bytesPerElement;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(bytes, size, &bytes))
      return Error(ErrorCode::parse, "shape " + shapeText(shape) +
                                         " has more elements than memory can "
                                         "hold");
  return bytes / bytesPerElement;
}

/// No fault of an input, and none of a file.
static Error outOfMemory(const Error &error) {
  return Error(ErrorCode::internal, error.message());
}

Expected<Tensor> Tensor::allocate(std::vector<int64_t> shape, DType dtype) {
  Expected<int64_t> count = countElements(shape, bytesOf(dtype));
  if (!count)
    return outOfMemory(count.error());
  Expected<AlignedBuffer> buffer = AlignedBuffer::allocate(
      std::max<size_t>(64, size_t(*count) * byteSize(dtype)));
  if (!buffer)
    return outOfMemory(buffer.error());
  Tensor tensor;
  tensor.dimensions = std::move(shape);
  tensor.elementType = dtype;
  tensor.count = *count;
  tensor.buffer = std::move(*buffer);
  return tensor;
}

} // namespace lintel::tool
