// Output tensors that show what a kernel wrote too little or too much.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/PoisonedOutputs.h"

#include "Reference/Element.h"

#include <algorithm>

namespace lintel {

/// Quiet NaNs whose payloads hardware does not produce; the narrow one is NaN
/// in bf16 and in f16.
static constexpr uint32_t kPoison = 0x7fcadeadu;
static constexpr uint16_t kNarrowPoison = 0x7fd5u;
/// Guard bytes after each row; a cache line, so that rows keep the alignment
/// of their width.
static constexpr int64_t kRowGuardBytes = 64;
/// Guard elements before the first row and after the last: more than the widest
/// register tile, which may stick out by a whole tile row.
static constexpr int64_t kEndGuard = 256;

static int64_t rowGuard(DType dtype) { return kRowGuardBytes / bytesOf(dtype); }

static int64_t strideOf(const OutputShape &shape) {
  return shape.columns + rowGuard(shape.dtype);
}

template <class F> auto PoisonedOutputs::withPoison(F f) const {
  switch (byteSize(shape.dtype)) {
  case sizeof(uint8_t):
    return f(integerPoison);
  case sizeof(uint16_t):
    return f(kNarrowPoison);
  default:
    return f(kPoison);
  }
}

int64_t PoisonedOutputs::stride() const { return strideOf(shape); }

int64_t PoisonedOutputs::bytesPerRow(const OutputShape &shape) {
  return shape.results * strideOf(shape) * bytesOf(shape.dtype);
}

Expected<PoisonedOutputs> PoisonedOutputs::allocate(const OutputShape &shape,
                                                    int64_t denseStride) {
  PoisonedOutputs outputs(shape);
  const int64_t elements =
      shape.rows * std::max(strideOf(shape), denseStride) + 2 * kEndGuard;
  for (int result = 0; result < shape.results; ++result) {
    Expected<AlignedBuffer> buffer = AlignedBuffer::allocate(
        static_cast<size_t>(elements * bytesOf(shape.dtype)));
    if (!buffer)
      return buffer.error().in("outputs");
    std::byte *first = static_cast<std::byte *>(buffer->data()) +
                       kEndGuard * bytesOf(shape.dtype);
    outputs.guarded.push_back({first, strideOf(shape)});
    outputs.dense.push_back({first, denseStride});
    outputs.buffers.push_back(std::move(*buffer));
  }
  outputs.poison();
  return outputs;
}

void PoisonedOutputs::poison() {
  const int64_t elements = shape.rows * stride() + 2 * kEndGuard;
  integerPoison = static_cast<uint8_t>(~integerPoison);
  for (const AlignedBuffer &buffer : buffers)
    withPoison([&](auto poison) {
      std::fill_n(static_cast<decltype(poison) *>(buffer.data()), elements,
                  poison);
    });
}

const std::byte *PoisonedOutputs::rowOf(int result, int64_t row) const {
  return static_cast<const std::byte *>(buffers[result].data()) +
         (kEndGuard + row * stride()) * bytesOf(shape.dtype);
}

float PoisonedOutputs::at(int result, int64_t row, int64_t column) const {
  return float(elementAt(shape.dtype, rowOf(result, row), column));
}

bool PoisonedOutputs::written(int result, int64_t row, int64_t column) const {
  const int64_t element = kEndGuard + row * stride() + column;
  return firstWritten(result, element, element + 1) == element;
}

template <class Word>
static int64_t firstOther(const AlignedBuffer &buffer, Word poison,
                          int64_t begin, int64_t end) {
  const auto *words = static_cast<const Word *>(buffer.data());
  return std::find_if(words + begin, words + end,
                      [=](Word word) { return word != poison; }) -
         words;
}

/// The first element of [begin, end) of a buffer that is not poison; `end` if
/// there is none.
int64_t PoisonedOutputs::firstWritten(int result, int64_t begin,
                                      int64_t end) const {
  return withPoison([&](auto poison) {
    return firstOther(buffers[result], poison, begin, end);
  });
}

std::string PoisonedOutputs::gap(int64_t rows, int64_t firstColumn) const {
  if (!isFloat(shape.dtype))
    return {};
  for (int result = 0; result < shape.results; ++result)
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t begin = kEndGuard + row * stride();
      const int64_t left = withPoison([&](auto poison) {
        const auto *words =
            static_cast<const decltype(poison) *>(buffers[result].data()) +
            begin;
        // Counting first: unlike a search, it goes a vector at a time.
        return std::count(words + firstColumn, words + shape.columns, poison) ==
                       0
                   ? shape.columns
                   : std::find(words + firstColumn, words + shape.columns,
                               poison) -
                         words;
      });
      if (left != shape.columns)
        return "output " + std::to_string(result) + ", row " +
               std::to_string(row) + ", column " + std::to_string(left) +
               " was not written";
    }
  return {};
}

std::string PoisonedOutputs::damage(int64_t usedRows,
                                    int64_t firstColumn) const {
  const int64_t all = shape.rows * stride() + 2 * kEndGuard;
  const int64_t guard = rowGuard(shape.dtype);
  for (int result = 0; result < shape.results; ++result) {
    const std::string which = "output " + std::to_string(result) + ": wrote ";
    if (firstWritten(result, 0, kEndGuard) != kEndGuard)
      return which + "before the first row";
    for (int64_t row = 0; row < usedRows; ++row) {
      const int64_t begin = kEndGuard + row * stride();
      const int64_t before = firstWritten(result, begin, begin + firstColumn);
      if (before != begin + firstColumn)
        return which + "column " + std::to_string(before - begin) + " of row " +
               std::to_string(row) + ", which is not its own";
      const int64_t gap = begin + shape.columns;
      const int64_t at = firstWritten(result, gap, gap + guard);
      if (at != gap + guard)
        return which + "past the end of row " + std::to_string(row) +
               ", at column " + std::to_string(shape.columns + at - gap);
    }
    const int64_t end = kEndGuard + usedRows * stride();
    if (firstWritten(result, end, all) != all)
      return which + "after the last row";
  }
  return {};
}

} // namespace lintel
