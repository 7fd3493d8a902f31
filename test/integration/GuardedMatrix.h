// A matrix between inaccessible pages, with garbage between its rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/DType.h"
#include "support/GuardedBuffer.h"

#include <cstdint>
#include <string>

namespace lintel::integration {

/// Where the rows of a call's matrices lie.
struct Layout {
  enum class Rows {
    dense,
    apart,      ///< three elements between rows
    powerOfTwo, ///< a stride above the width that is a power of two
  };
  Rows rows = Rows::dense;
  int64_t offset = 0; ///< elements before the first, so that it is not aligned
  GuardedBuffer::Fit fit = GuardedBuffer::Fit::end;

  int64_t stride(int64_t width) const;
  /// "rows=apart offset=1 fit=end"
  std::string text() const;
};

/// Starts out as poison, all of it.
class GuardedMatrix {
public:
  GuardedMatrix(int64_t rows, int64_t columns, const Layout &layout,
                DType dtype = DType::f32);

  void *data();
  int64_t stride() const { return rowStride; }
  float at(int64_t row, int64_t column) const;
  bool isPoisonAt(int64_t row, int64_t column) const {
    return buffer.isPoisonAt(indexOf(row, column));
  }

  /// Copies dense rows in, rounded to the type, and leaves the rest as it is.
  void assign(const float *dense);
  /// Infinities and NaN wherever no element is, the largest and least of
  /// integers: a kernel that multiplies them, even by zero, shows.
  void fillGapsWithGarbage();
  void poison() { buffer.poison(); }
  /// No byte around the elements and, given that nothing but elements was
  /// written since poison(), none between them has changed.
  bool surroundingsIntact() const;

private:
  size_t indexOf(int64_t row, int64_t column) const {
    return size_t(offset + row * rowStride + column);
  }
  void set(size_t index, float value);
  template <class Visit> void visitGaps(Visit visit) const;

  int64_t rows, columns, rowStride, offset;
  DType dtype;
  GuardedBuffer buffer;
};

} // namespace lintel::integration
