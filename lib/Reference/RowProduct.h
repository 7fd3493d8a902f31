// Dot products of one row of x with rows of w, in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/DType.h"

#include <cstdint>

namespace lintel {

/// Rows of elements of one float type.
struct Rows {
  DType dtype = DType::f32;
  const void *x = nullptr; ///< one row
  const void *w = nullptr; ///< row n at element n * ldw
  int64_t ldw = 0;
};

/// out[n] = sum_k x[k] * w[n * ldw + k] for n < columns, k < depth.
void rowProducts(const Rows &rows, int64_t columns, int64_t depth, double *out);
/// out[n] = sum_k |x[k] * w[n * ldw + k]|.
void rowMagnitudes(const Rows &rows, int64_t columns, int64_t depth,
                   double *out);

} // namespace lintel
