// Output tensors that show what a kernel failed to write and what it should
// not. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/PoisonedOutputs.h"

#include <algorithm>
#include <bit>

namespace lintel {

/// A quiet NaN whose payload hardware does not produce.
static constexpr uint32_t kPoison = 0x7fcadeadu;
/// Guard elements after each row; a cache line, so that rows keep the alignment
/// of their width.
static constexpr int64_t kRowGuard = 16;
/// Guard elements before the first row and after the last: more than the widest
/// register tile, which may stick out by a whole tile row.
static constexpr int64_t kEndGuard = 256;

static int64_t strideOf(int64_t columns) { return columns + kRowGuard; }

static float *elementsOf(const AlignedBuffer &buffer) {
  return static_cast<float *>(buffer.data());
}

int64_t PoisonedOutputs::bytesPerRow(int results, int64_t columns) {
  return results * strideOf(columns) * static_cast<int64_t>(sizeof(float));
}

Expected<PoisonedOutputs> PoisonedOutputs::allocate(int results, int64_t rows,
                                                    int64_t columns,
                                                    int64_t denseStride) {
  PoisonedOutputs outputs;
  outputs.rows = rows;
  outputs.columns = columns;
  const int64_t elements =
      rows * std::max(strideOf(columns), denseStride) + 2 * kEndGuard;
  for (int result = 0; result < results; ++result) {
    Expected<AlignedBuffer> buffer =
        AlignedBuffer::allocate(static_cast<size_t>(elements) * sizeof(float));
    if (!buffer)
      return buffer.error().in("outputs");
    float *first = elementsOf(*buffer) + kEndGuard;
    outputs.guarded.push_back({first, strideOf(columns)});
    outputs.dense.push_back({first, denseStride});
    outputs.buffers.push_back(std::move(*buffer));
  }
  outputs.poison();
  return outputs;
}

void PoisonedOutputs::poison() {
  for (const AlignedBuffer &buffer : buffers)
    std::fill_n(static_cast<uint32_t *>(buffer.data()),
                rows * strideOf(columns) + 2 * kEndGuard, kPoison);
}

const float *PoisonedOutputs::rowOf(int result, int64_t row) const {
  return elementsOf(buffers[result]) + kEndGuard + row * strideOf(columns);
}

bool PoisonedOutputs::written(int result, int64_t row, int64_t column) const {
  return std::bit_cast<uint32_t>(at(result, row, column)) != kPoison;
}

/// The first element of [begin, end) that is not poison; `end` if there is
/// none.
static int64_t firstWritten(const AlignedBuffer &buffer, int64_t begin,
                            int64_t end) {
  const auto *words = static_cast<const uint32_t *>(buffer.data());
  return std::find_if(words + begin, words + end,
                      [](uint32_t word) { return word != kPoison; }) -
         words;
}

std::string PoisonedOutputs::damage(int64_t usedRows,
                                    int64_t firstColumn) const {
  const int64_t stride = strideOf(columns);
  const int64_t all = rows * stride + 2 * kEndGuard;
  for (size_t result = 0; result < buffers.size(); ++result) {
    const std::string which = "output " + std::to_string(result) + ": wrote ";
    if (firstWritten(buffers[result], 0, kEndGuard) != kEndGuard)
      return which + "before the first row";
    for (int64_t row = 0; row < usedRows; ++row) {
      const int64_t begin = kEndGuard + row * stride;
      const int64_t before =
          firstWritten(buffers[result], begin, begin + firstColumn);
      if (before != begin + firstColumn)
        return which + "column " + std::to_string(before - begin) + " of row " +
               std::to_string(row) + ", which is not its own";
      const int64_t gap = begin + columns;
      const int64_t at = firstWritten(buffers[result], gap, gap + kRowGuard);
      if (at != gap + kRowGuard)
        return which + "past the end of row " + std::to_string(row) +
               ", at column " + std::to_string(columns + at - gap);
    }
    const int64_t end = kEndGuard + usedRows * stride;
    if (firstWritten(buffers[result], end, all) != all)
      return which + "after the last row";
  }
  return {};
}

} // namespace lintel
