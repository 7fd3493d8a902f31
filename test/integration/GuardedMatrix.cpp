// Strides, gaps and guards of matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GuardedMatrix.h"

#include "Reference/Element.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace lintel::integration {
namespace {

size_t elementCount(int64_t rows, int64_t columns, int64_t stride) {
  if (rows == 0 || columns == 0)
    return 0;
  return size_t((rows - 1) * stride + columns);
}

} // namespace

int64_t Layout::stride(int64_t width) const {
  switch (rows) {
  case Rows::dense:
    return width;
  case Rows::apart:
    return width + 3;
  case Rows::powerOfTwo:
    return int64_t(std::bit_ceil(uint64_t(width) + 1));
  }
  return width;
}

std::string Layout::text() const {
  const char *names[] = {"dense", "apart", "powerOfTwo"};
  return std::string("rows=") + names[size_t(rows)] +
         " offset=" + std::to_string(offset) +
         (fit == GuardedBuffer::Fit::begin ? " fit=begin" : " fit=end");
}

GuardedMatrix::GuardedMatrix(int64_t rows, int64_t columns,
                             const Layout &layout, DType dtype)
    : rows(rows), columns(columns), rowStride(layout.stride(columns)),
      offset(layout.offset), dtype(dtype),
      buffer(size_t(offset) + elementCount(rows, columns, rowStride),
             layout.fit, byteSize(dtype)) {}

void *GuardedMatrix::data() {
  return static_cast<char *>(buffer.memory()) + offset * bytesOf(dtype);
}

float GuardedMatrix::at(int64_t row, int64_t column) const {
  return float(
      elementAt(dtype, buffer.memory(), int64_t(indexOf(row, column))));
}

void GuardedMatrix::set(size_t index, float value) {
  withElement(dtype, [&](auto element) {
    using Element = decltype(element);
    static_cast<Element *>(buffer.memory())[index] = narrowTo<Element>(value);
  });
}

void GuardedMatrix::assign(const float *dense) {
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      set(indexOf(row, column), dense[row * columns + column]);
}

template <class Visit> void GuardedMatrix::visitGaps(Visit visit) const {
  for (size_t i = 0; i < size_t(offset); ++i)
    visit(i);
  if (columns == 0)
    return;
  for (int64_t row = 0; row + 1 < rows; ++row)
    for (int64_t column = columns; column < rowStride; ++column)
      visit(size_t(offset + row * rowStride + column));
}

void GuardedMatrix::fillGapsWithGarbage() {
  const float garbage[] = {std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN(),
                           -std::numeric_limits<float>::infinity()};
  visitGaps([&](size_t i) { set(i, garbage[i % std::size(garbage)]); });
}

bool GuardedMatrix::surroundingsIntact() const {
  bool intact = buffer.canariesIntact();
  visitGaps([&](size_t i) { intact = intact && buffer.isPoisonAt(i); });
  return intact;
}

} // namespace lintel::integration
